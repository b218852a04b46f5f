// Declaration stand-in for hip/hip_bf16.h, after the public interface of ROCm 6.0: HIP before 5.6
// does not have this header. Nothing here can be linked.
#pragma once
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#define FASTPT_BF16 __host__ __device__

struct __hip_bfloat16 {
  unsigned short data;
  __hip_bfloat16() = default;
  FASTPT_BF16 __hip_bfloat16(float value);
  FASTPT_BF16 __hip_bfloat16(double value);
  FASTPT_BF16 __hip_bfloat16(int value);
  FASTPT_BF16 __hip_bfloat16(unsigned int value);
  FASTPT_BF16 operator float() const;
};

struct __hip_bfloat162 {
  __hip_bfloat16 x;
  __hip_bfloat16 y;
};

FASTPT_BF16 __hip_bfloat16 __float2bfloat16(float a);
FASTPT_BF16 __hip_bfloat16 __float2bfloat16_rn(float a);
FASTPT_BF16 __hip_bfloat16 __double2bfloat16(double a);
FASTPT_BF16 float __bfloat162float(__hip_bfloat16 a);
FASTPT_BF16 __hip_bfloat162 __float22bfloat162_rn(float2 a);
FASTPT_BF16 float2 __bfloat1622float2(__hip_bfloat162 a);
FASTPT_BF16 __hip_bfloat162 __floats2bfloat162_rn(float a, float b);
FASTPT_BF16 __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a);
FASTPT_BF16 __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a);
FASTPT_BF16 __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a);
FASTPT_BF16 __hip_bfloat162 __low2bfloat162(__hip_bfloat162 a);
FASTPT_BF16 __hip_bfloat162 __high2bfloat162(__hip_bfloat162 a);
FASTPT_BF16 __hip_bfloat162 __lowhigh2highlow(__hip_bfloat162 a);
FASTPT_BF16 float __low2float(__hip_bfloat162 a);
FASTPT_BF16 float __high2float(__hip_bfloat162 a);
FASTPT_BF16 __hip_bfloat16 __ushort_as_bfloat16(unsigned short a);
FASTPT_BF16 unsigned short __bfloat16_as_ushort(__hip_bfloat16 a);

FASTPT_BF16 __hip_bfloat16 __hadd(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 __hip_bfloat16 __hsub(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 __hip_bfloat16 __hmul(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 __hip_bfloat16 __hdiv(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 __hip_bfloat16 __hneg(__hip_bfloat16 a);
FASTPT_BF16 __hip_bfloat16 __habs(__hip_bfloat16 a);
__device__ __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c);
FASTPT_BF16 __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 bool __heq(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 bool __hne(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 bool __hlt(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 bool __hle(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 bool __hgt(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 bool __hge(__hip_bfloat16 a, __hip_bfloat16 b);
FASTPT_BF16 bool __hisnan(__hip_bfloat16 a);
FASTPT_BF16 bool __hisinf(__hip_bfloat16 a);

FASTPT_BF16 __hip_bfloat162 __hadd2(__hip_bfloat162 a, __hip_bfloat162 b);
FASTPT_BF16 __hip_bfloat162 __hsub2(__hip_bfloat162 a, __hip_bfloat162 b);
FASTPT_BF16 __hip_bfloat162 __hmul2(__hip_bfloat162 a, __hip_bfloat162 b);
FASTPT_BF16 __hip_bfloat162 __h2div(__hip_bfloat162 a, __hip_bfloat162 b);
FASTPT_BF16 __hip_bfloat162 __hneg2(__hip_bfloat162 a);
FASTPT_BF16 __hip_bfloat162 __habs2(__hip_bfloat162 a);
FASTPT_BF16 __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c);
FASTPT_BF16 __hip_bfloat162 __hmax2(__hip_bfloat162 a, __hip_bfloat162 b);
FASTPT_BF16 __hip_bfloat162 __hmin2(__hip_bfloat162 a, __hip_bfloat162 b);

__device__ __hip_bfloat16 hexp(__hip_bfloat16 a);
__device__ __hip_bfloat16 hlog(__hip_bfloat16 a);
__device__ __hip_bfloat16 hsqrt(__hip_bfloat16 a);
__device__ __hip_bfloat16 hrsqrt(__hip_bfloat16 a);
__device__ __hip_bfloat16 hrcp(__hip_bfloat16 a);
__device__ __hip_bfloat162 h2exp(__hip_bfloat162 a);
__device__ __hip_bfloat162 h2log(__hip_bfloat162 a);
__device__ __hip_bfloat162 h2sqrt(__hip_bfloat162 a);
__device__ __hip_bfloat162 h2rsqrt(__hip_bfloat162 a);

#undef FASTPT_BF16
