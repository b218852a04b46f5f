// Inline PTX on words: lanes, logic, bit fields, bytes, products, shifts, loads and stores.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;

__device__ unsigned logic(unsigned a, unsigned b, unsigned c) {
  unsigned odd, chosen;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(odd) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(chosen) : "r"(a), "r"(b), "r"(c));
  return odd + 3u * chosen;
}

__device__ unsigned fields(unsigned a, unsigned b, unsigned at, unsigned size) {
  unsigned cut, filled;
  int widened;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(cut) : "r"(a), "r"(at), "r"(size));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(widened) : "r"(a), "r"(at), "r"(size));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(filled) : "r"(a), "r"(b), "r"(at), "r"(size));
  return cut + 3u * static_cast<unsigned>(widened) + 5u * filled;
}

__device__ unsigned bytes(unsigned a, unsigned b) {
  unsigned turned, mixed;
  asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(turned) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x7250;" : "=r"(mixed) : "r"(a), "r"(b));
  return turned ^ mixed;
}

__device__ unsigned counts(unsigned a) {
  unsigned ones, zeros, mirrored;
  asm("popc.b32 %0, %1;" : "=r"(ones) : "r"(a));
  asm("clz.b32 %0, %1;" : "=r"(zeros) : "r"(a));
  asm("brev.b32 %0, %1;" : "=r"(mirrored) : "r"(a));
  return ones + 64u * zeros + mirrored;
}

__device__ int products(int a, int b) {
  int high, low;
  long long wide;
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(high) : "r"(a), "r"(b));
  asm("mad.lo.s32 %0, %1, %2, %1;" : "=r"(low) : "r"(a), "r"(b));
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
  return high ^ low ^ static_cast<int>(wide >> 7);
}

__device__ unsigned shifts(unsigned a, unsigned by) {
  unsigned left, right;
  int kept;
  asm("shl.b32 %0, %1, %2;" : "=r"(left) : "r"(a), "r"(by));
  asm("shr.u32 %0, %1, %2;" : "=r"(right) : "r"(a), "r"(by));
  asm("shr.s32 %0, %1, %2;" : "=r"(kept) : "r"(static_cast<int>(a)), "r"(by));
  return left + right + static_cast<unsigned>(kept);
}

__global__ void ptx(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned lane, below;
  int v;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(v) : "l"(in + i));
  const unsigned a = static_cast<unsigned>(v) * 2654435769u + static_cast<unsigned>(i);
  const unsigned b = a * 2246822519u;
  out[i] = static_cast<int>(lane);
  out[n + i] = static_cast<int>(below);
  out[2 * n + i] = static_cast<int>(logic(a, b, a + b));
  out[3 * n + i] = static_cast<int>(fields(a, b, b & 63u, a & 63u));
  out[4 * n + i] = static_cast<int>(bytes(a, b));
  out[5 * n + i] = static_cast<int>(counts(a));
  out[6 * n + i] = products(static_cast<int>(a), static_cast<int>(b));
  out[7 * n + i] = static_cast<int>(shifts(a, b & 63u));
  asm volatile("st.global.s32 [%0], %1;" ::"l"(out + 8 * n + i), "r"(v) : "memory");
}

}  // namespace

// in: n values, out: 9 * n values, on the device; returns the runtime's error number.
extern "C" int run_int32(const int *in, int *out, int n) {
  ptx<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}
