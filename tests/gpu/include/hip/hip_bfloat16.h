// HIP 5.2's hip_bfloat16 in CUDA: widening is exact, rounding is to the nearest, to even if two are.
#pragma once

#include <cstring>

struct hip_bfloat16 {
  unsigned short data;

  hip_bfloat16() = default;
  explicit __host__ __device__ hip_bfloat16(float value) : data(rounded(value)) {}

  __host__ __device__ operator float() const {
    const unsigned bits = static_cast<unsigned>(data) << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }

 private:
  static __host__ __device__ unsigned short rounded(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    if (finite) bits += 0x7fffu + (bits >> 16 & 1u);
    // A NaN whose upper half says infinity stays one.
    if (!finite && (bits & 0xffffu) != 0) bits |= 0x10000u;
    return static_cast<unsigned short>(bits >> 16);
  }
};
