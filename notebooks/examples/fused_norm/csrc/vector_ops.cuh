#pragma once

#include <cuda_runtime.h>

// Element-wise arithmetic on the built-in vector types, which CUDA leaves to the user.

// float2
inline __host__ __device__ float2 operator+(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
inline __host__ __device__ float2 operator*(float2 a, float s) {
  return make_float2(a.x * s, a.y * s);
}

// double2
inline __host__ __device__ double2 operator+(double2 a, double2 b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
inline __host__ __device__ double2 operator*(double2 a, double s) {
  return make_double2(a.x * s, a.y * s);
}

// float4：一次读写 16 字节
inline __host__ __device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
inline __host__ __device__ float4 operator-(float4 a, float s) {
  return make_float4(a.x - s, a.y - s, a.z - s, a.w - s);
}
inline __host__ __device__ float4 operator*(float4 a, float4 b) {
  return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
inline __host__ __device__ float4 operator*(float4 a, float s) {
  return make_float4(a.x * s, a.y * s, a.z * s, a.w * s);
}
inline __host__ __device__ void operator+=(float4 &a, float4 b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  a.w += b.w;
}
inline __host__ __device__ float horizontal_sum(float4 a) {
  return (a.x + a.y) + (a.z + a.w);
}
