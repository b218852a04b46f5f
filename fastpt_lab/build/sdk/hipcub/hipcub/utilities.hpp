// Types and lane functions of hipCUB 3.3; see hipcub.hpp.
#pragma once
#include <hip/hip_runtime.h>
#include <iterator>
#include <stddef.h>
#include <stdint.h>

namespace hipcub {

enum CacheLoadModifier {
  LOAD_DEFAULT,
  LOAD_CA,
  LOAD_CG,
  LOAD_CS,
  LOAD_CV,
  LOAD_LDG,
  LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

namespace detail {
struct storage {
  char bytes[16];
};
}  // namespace detail

struct NullType {};

template <class T>
struct Uninitialized {
  char bytes[sizeof(T)];
  __host__ __device__ T& Alias() { __builtin_unreachable(); }
};

template <int A>
struct Int2Type {
  enum { VALUE = A };
};
template <int N>
struct PowerOfTwo {
  static constexpr bool VALUE = N > 0 && (N & (N - 1)) == 0;
};
template <int N>
struct Log2 {
  static constexpr int VALUE = 1 + Log2<(N + 1) / 2>::VALUE;
};
template <>
struct Log2<1> {
  static constexpr int VALUE = 0;
};

template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;
  __host__ __device__ DoubleBuffer() {}
  __host__ __device__ DoubleBuffer(T* d_current, T* d_alternate) {}
  __host__ __device__ T* Current() { __builtin_unreachable(); }
  __host__ __device__ T* Alternate() { __builtin_unreachable(); }
};

template <class T, class Iterator = T*>
struct FutureValue {
  using value_type = T;
  using iterator_type = Iterator;
  explicit __host__ __device__ FutureValue(Iterator iterator) {}
  __host__ __device__ operator T() {}
};

struct CachingDeviceAllocator {
  CachingDeviceAllocator(unsigned int bin_growth, unsigned int min_bin = 1,
                         unsigned int max_bin = ~0u, size_t max_cached_bytes = ~size_t(0),
                         bool skip_cleanup = false, bool debug = false);
  CachingDeviceAllocator(bool skip_cleanup = false, bool debug = false);
  hipError_t SetMaxCachedBytes(size_t max_cached_bytes);
  hipError_t DeviceAllocate(int device, void** d_ptr, size_t bytes, hipStream_t active_stream = 0);
  hipError_t DeviceAllocate(void** d_ptr, size_t bytes, hipStream_t active_stream = 0);
  hipError_t DeviceFree(int device, void* d_ptr);
  hipError_t DeviceFree(void* d_ptr);
  hipError_t FreeAllCached();
};

__device__ int RowMajorTid(int block_dim_x, int block_dim_y, int block_dim_z);
__device__ unsigned int LaneId();
__device__ unsigned int WarpId();
template <int LOGICAL_WARP_THREADS, int = 0>
__device__ uint64_t WarpMask(unsigned int warp_id) { __builtin_unreachable(); }
__device__ uint64_t LaneMaskLt();
__device__ uint64_t LaneMaskLe();
__device__ uint64_t LaneMaskGt();
__device__ uint64_t LaneMaskGe();
template <class UnsignedBits>
__device__ unsigned int BFE(UnsignedBits source, unsigned int bit_start, unsigned int num_bits) { __builtin_unreachable(); }
__device__ void BFI(unsigned int& ret, unsigned int x, unsigned int y, unsigned int bit_start,
                    unsigned int num_bits);
__device__ unsigned int SHR_ADD(unsigned int x, unsigned int shift, unsigned int addend);
__device__ unsigned int SHL_ADD(unsigned int x, unsigned int shift, unsigned int addend);
__device__ unsigned int IADD3(unsigned int x, unsigned int y, unsigned int z);
__device__ int PRMT(unsigned int a, unsigned int b, unsigned int index);
__device__ void BAR(int count);
__device__ void CTA_SYNC();
__device__ void WARP_SYNC(unsigned int member_mask);
__device__ int WARP_ANY(int predicate, uint64_t member_mask);
__device__ int WARP_ALL(int predicate, uint64_t member_mask);
__device__ int64_t WARP_BALLOT(int predicate, uint64_t member_mask);

template <int LOGICAL_WARP_THREADS, class T>
__device__ T ShuffleUp(T input, int src_offset, int first_thread, unsigned int member_mask) { __builtin_unreachable(); }
template <int LOGICAL_WARP_THREADS, class T>
__device__ T ShuffleDown(T input, int src_offset, int last_thread, unsigned int member_mask) { __builtin_unreachable(); }
template <int LOGICAL_WARP_THREADS, class T>
__device__ T ShuffleIndex(T input, int src_lane, unsigned int member_mask) { __builtin_unreachable(); }

template <CacheLoadModifier MODIFIER = LOAD_DEFAULT, class InputIterator>
__device__ typename std::iterator_traits<InputIterator>::value_type ThreadLoad(
    InputIterator iterator) { __builtin_unreachable(); }
template <CacheStoreModifier MODIFIER = STORE_DEFAULT, class OutputIterator, class T>
__device__ void ThreadStore(OutputIterator iterator, T value) {}

template <int LENGTH, class T, class ReductionOp>
__device__ T ThreadReduce(T (&input)[LENGTH], ReductionOp reduction_op, T prefix) { __builtin_unreachable(); }
template <int LENGTH, class T, class ReductionOp>
__device__ T ThreadReduce(T (&input)[LENGTH], ReductionOp reduction_op) { __builtin_unreachable(); }

}  // namespace hipcub
