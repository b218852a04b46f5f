// Declaration stand-in for hipCUB, after the public interface of hipCUB 2.12 (ROCm 5.5), which is
// CUB 1.x by name. Class templates have the parameters of hipCUB; device-wide calls that have many
// overloads there are declared by one template with a parameter pack. Nothing here can be linked.
#pragma once
#include <hip/hip_runtime.h>
#include <hipcub/iterator.hpp>
#include <hipcub/thread_operators.hpp>
#include <stddef.h>

namespace hipcub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };

namespace detail {
struct storage {
  char bytes[16];
};
}  // namespace detail

template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockReduce {
  using TempStorage = detail::storage;
  __device__ BlockReduce();
  __device__ BlockReduce(TempStorage& temp_storage);
  __device__ T Sum(T input);
  __device__ T Sum(T input, int valid_items);
  template <int ITEMS_PER_THREAD>
  __device__ T Sum(T (&input)[ITEMS_PER_THREAD]);
  template <class ReduceOp>
  __device__ T Reduce(T input, ReduceOp reduce_op);
  template <class ReduceOp>
  __device__ T Reduce(T input, ReduceOp reduce_op, int valid_items);
  template <int ITEMS_PER_THREAD, class ReduceOp>
  __device__ T Reduce(T (&input)[ITEMS_PER_THREAD], ReduceOp reduce_op);
};

template <class T, int LOGICAL_WARP_THREADS = 64, int ARCH = 1>
struct WarpReduce {
  using TempStorage = detail::storage;
  __device__ WarpReduce(TempStorage& temp_storage);
  __device__ T Sum(T input);
  __device__ T Sum(T input, int valid_items);
  template <class ReduceOp>
  __device__ T Reduce(T input, ReduceOp reduce_op);
  template <class ReduceOp>
  __device__ T Reduce(T input, ReduceOp reduce_op, int valid_items);
};

template <class T, int LOGICAL_WARP_THREADS = 64, int ARCH = 1>
struct WarpScan {
  using TempStorage = detail::storage;
  __device__ WarpScan(TempStorage& temp_storage);
  __device__ void InclusiveSum(T input, T& inclusive_output);
  __device__ void ExclusiveSum(T input, T& exclusive_output);
  template <class ScanOp>
  __device__ void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op);
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op);
};

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockScan {
  using TempStorage = detail::storage;
  __device__ BlockScan();
  __device__ BlockScan(TempStorage& temp_storage);
  __device__ void InclusiveSum(T input, T& inclusive_output);
  __device__ void InclusiveSum(T input, T& inclusive_output, T& block_aggregate);
  __device__ void ExclusiveSum(T input, T& exclusive_output);
  __device__ void ExclusiveSum(T input, T& exclusive_output, T& block_aggregate);
  template <int ITEMS>
  __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]);
  template <int ITEMS>
  __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]);
  template <int ITEMS>
  __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& block_aggregate);
  template <class ScanOp>
  __device__ void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op);
  template <class ScanOp>
  __device__ void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op, T& block_aggregate);
  template <int ITEMS, class ScanOp, class Prefix>
  __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op,
                                Prefix& prefix_callback);
  template <int ITEMS, class ScanOp>
  __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op);
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op);
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op,
                                T& block_aggregate);
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockLoad {
  using TempStorage = detail::storage;
  __device__ BlockLoad();
  __device__ BlockLoad(TempStorage& temp_storage);
  template <class Iterator>
  __device__ void Load(Iterator block_iter, T (&items)[ITEMS_PER_THREAD]);
  template <class Iterator>
  __device__ void Load(Iterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items);
  template <class Iterator, class Default>
  __device__ void Load(Iterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items,
                       Default oob_default);
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockStore {
  using TempStorage = detail::storage;
  __device__ BlockStore();
  __device__ BlockStore(TempStorage& temp_storage);
  template <class Iterator>
  __device__ void Store(Iterator block_iter, T (&items)[ITEMS_PER_THREAD]);
  template <class Iterator>
  __device__ void Store(Iterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items);
};

struct NullType {};

template <class Key, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class Value = NullType,
          int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
struct BlockRadixSort {
  using TempStorage = detail::storage;
  __device__ BlockRadixSort();
  __device__ BlockRadixSort(TempStorage& temp_storage);
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD], int begin_bit = 0,
                       int end_bit = sizeof(Key) * 8);
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD], Value (&values)[ITEMS_PER_THREAD],
                       int begin_bit = 0, int end_bit = sizeof(Key) * 8);
  __device__ void SortDescending(Key (&keys)[ITEMS_PER_THREAD], int begin_bit = 0,
                                 int end_bit = sizeof(Key) * 8);
  __device__ void SortDescending(Key (&keys)[ITEMS_PER_THREAD], Value (&values)[ITEMS_PER_THREAD],
                                 int begin_bit = 0, int end_bit = sizeof(Key) * 8);
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockExchange {
  using TempStorage = detail::storage;
  __device__ BlockExchange();
  __device__ BlockExchange(TempStorage& temp_storage);
  __device__ void StripedToBlocked(T (&items)[ITEMS_PER_THREAD]);
  __device__ void BlockedToStriped(T (&items)[ITEMS_PER_THREAD]);
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockDiscontinuity {
  using TempStorage = detail::storage;
  __device__ BlockDiscontinuity();
  __device__ BlockDiscontinuity(TempStorage& temp_storage);
  template <int ITEMS, class Flag, class FlagOp>
  __device__ void FlagHeads(Flag (&head_flags)[ITEMS], T (&input)[ITEMS], FlagOp flag_op);
  template <int ITEMS, class Flag, class FlagOp>
  __device__ void FlagTails(Flag (&tail_flags)[ITEMS], T (&input)[ITEMS], FlagOp flag_op);
};

#define FASTPT_DEVICE_WIDE(name)                                                  \
  template <class... Arguments>                                                   \
  static hipError_t name(void* d_temp_storage, size_t& temp_storage_bytes, Arguments... arguments);

struct DeviceReduce {
  FASTPT_DEVICE_WIDE(Reduce)
  FASTPT_DEVICE_WIDE(Sum)
  FASTPT_DEVICE_WIDE(Min)
  FASTPT_DEVICE_WIDE(Max)
  FASTPT_DEVICE_WIDE(ArgMin)
  FASTPT_DEVICE_WIDE(ArgMax)
  FASTPT_DEVICE_WIDE(ReduceByKey)
};
struct DeviceScan {
  FASTPT_DEVICE_WIDE(InclusiveSum)
  FASTPT_DEVICE_WIDE(ExclusiveSum)
  FASTPT_DEVICE_WIDE(InclusiveScan)
  FASTPT_DEVICE_WIDE(ExclusiveScan)
};
struct DeviceRadixSort {
  FASTPT_DEVICE_WIDE(SortKeys)
  FASTPT_DEVICE_WIDE(SortKeysDescending)
  FASTPT_DEVICE_WIDE(SortPairs)
  FASTPT_DEVICE_WIDE(SortPairsDescending)
};
struct DeviceSegmentedRadixSort {
  FASTPT_DEVICE_WIDE(SortKeys)
  FASTPT_DEVICE_WIDE(SortKeysDescending)
  FASTPT_DEVICE_WIDE(SortPairs)
  FASTPT_DEVICE_WIDE(SortPairsDescending)
};
struct DeviceSegmentedReduce {
  FASTPT_DEVICE_WIDE(Reduce)
  FASTPT_DEVICE_WIDE(Sum)
  FASTPT_DEVICE_WIDE(Min)
  FASTPT_DEVICE_WIDE(Max)
};
struct DeviceSelect {
  FASTPT_DEVICE_WIDE(If)
  FASTPT_DEVICE_WIDE(Flagged)
  FASTPT_DEVICE_WIDE(Unique)
};
struct DeviceRunLengthEncode {
  FASTPT_DEVICE_WIDE(Encode)
  FASTPT_DEVICE_WIDE(NonTrivialRuns)
};
struct DevicePartition {
  FASTPT_DEVICE_WIDE(If)
  FASTPT_DEVICE_WIDE(Flagged)
};
struct DeviceHistogram {
  FASTPT_DEVICE_WIDE(HistogramEven)
  FASTPT_DEVICE_WIDE(HistogramRange)
};

#undef FASTPT_DEVICE_WIDE

template <CacheLoadModifier MODIFIER, class Iterator>
__device__ auto ThreadLoad(Iterator iterator) -> decltype(+*iterator);

template <int LOGICAL_WARP_THREADS, class T>
__device__ T ShuffleUp(T input, int src_offset, int first_thread, unsigned int member_mask);
template <int LOGICAL_WARP_THREADS, class T>
__device__ T ShuffleDown(T input, int src_offset, int last_thread, unsigned int member_mask);
template <int LOGICAL_WARP_THREADS, class T>
__device__ T ShuffleIndex(T input, int src_lane, unsigned int member_mask);

}  // namespace hipcub
