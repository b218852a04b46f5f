// Collectives of one warp in hipCUB 3.3; see hipcub.hpp.
#pragma once
#include <hipcub/utilities.hpp>

// hipCUB takes the size of the device's warp; here it is that of a gfx9 wavefront.
#define HIPCUB_WARP_THREADS 64
#define HIPCUB_DEVICE_WARP_THREADS 64

namespace hipcub {

enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT,
  WARP_LOAD_STRIPED,
  WARP_LOAD_VECTORIZE,
  WARP_LOAD_TRANSPOSE
};
enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT,
  WARP_STORE_STRIPED,
  WARP_STORE_VECTORIZE,
  WARP_STORE_TRANSPOSE
};

template <class T, int LOGICAL_WARP_THREADS = HIPCUB_DEVICE_WARP_THREADS, int ARCH = 1>
struct WarpReduce {
  using TempStorage = detail::storage;
  __device__ WarpReduce(TempStorage& temp_storage) {}
  __device__ T Sum(T input) { __builtin_unreachable(); }
  __device__ T Sum(T input, int valid_items) { __builtin_unreachable(); }
  template <class Flag>
  __device__ T HeadSegmentedSum(T input, Flag head_flag) { __builtin_unreachable(); }
  template <class Flag>
  __device__ T TailSegmentedSum(T input, Flag tail_flag) { __builtin_unreachable(); }
  template <class ReduceOp>
  __device__ T Reduce(T input, ReduceOp reduce_op) { __builtin_unreachable(); }
  template <class ReduceOp>
  __device__ T Reduce(T input, ReduceOp reduce_op, int valid_items) { __builtin_unreachable(); }
  template <class ReduceOp, class Flag>
  __device__ T HeadSegmentedReduce(T input, Flag head_flag, ReduceOp reduce_op) { __builtin_unreachable(); }
  template <class ReduceOp, class Flag>
  __device__ T TailSegmentedReduce(T input, Flag tail_flag, ReduceOp reduce_op) { __builtin_unreachable(); }
};

template <class T, int LOGICAL_WARP_THREADS = HIPCUB_DEVICE_WARP_THREADS, int ARCH = 1>
struct WarpScan {
  using TempStorage = detail::storage;
  __device__ WarpScan(TempStorage& temp_storage) {}
  __device__ void InclusiveSum(T input, T& inclusive_output) {}
  __device__ void InclusiveSum(T input, T& inclusive_output, T& warp_aggregate) {}
  __device__ void ExclusiveSum(T input, T& exclusive_output) {}
  __device__ void ExclusiveSum(T input, T& exclusive_output, T& warp_aggregate) {}
  template <class ScanOp>
  __device__ void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op) {}
  template <class ScanOp>
  __device__ void InclusiveScan(T input, T& inclusive_output, ScanOp scan_op, T& warp_aggregate) {}
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& exclusive_output, ScanOp scan_op) {}
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op) {}
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& exclusive_output, ScanOp scan_op, T& warp_aggregate) {}
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& exclusive_output, T initial_value, ScanOp scan_op,
                                T& warp_aggregate) {}
  template <class ScanOp>
  __device__ void Scan(T input, T& inclusive_output, T& exclusive_output, ScanOp scan_op) {}
  template <class ScanOp>
  __device__ void Scan(T input, T& inclusive_output, T& exclusive_output, T initial_value,
                       ScanOp scan_op) {}
  __device__ T Broadcast(T input, unsigned int src_lane) { __builtin_unreachable(); }
};

template <class T, int ITEMS_PER_THREAD, WarpLoadAlgorithm ALGORITHM = WARP_LOAD_DIRECT,
          int LOGICAL_WARP_THREADS = HIPCUB_DEVICE_WARP_THREADS, int ARCH = 1>
struct WarpLoad {
  using TempStorage = detail::storage;
  __device__ WarpLoad() {}
  __device__ WarpLoad(TempStorage& temp_storage) {}
  template <class InputIterator>
  __device__ void Load(InputIterator block_iter, T (&items)[ITEMS_PER_THREAD]) {}
  template <class InputIterator>
  __device__ void Load(InputIterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items) {}
  template <class InputIterator, class Default>
  __device__ void Load(InputIterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items,
                       Default oob_default) {}
};

template <class T, int ITEMS_PER_THREAD, WarpStoreAlgorithm ALGORITHM = WARP_STORE_DIRECT,
          int LOGICAL_WARP_THREADS = HIPCUB_DEVICE_WARP_THREADS, int ARCH = 1>
struct WarpStore {
  using TempStorage = detail::storage;
  __device__ WarpStore() {}
  __device__ WarpStore(TempStorage& temp_storage) {}
  template <class OutputIterator>
  __device__ void Store(OutputIterator block_iter, T (&items)[ITEMS_PER_THREAD]) {}
  template <class OutputIterator>
  __device__ void Store(OutputIterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items) {}
};

template <class T, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = HIPCUB_DEVICE_WARP_THREADS,
          int ARCH = 1>
struct WarpExchange {
  using TempStorage = detail::storage;
  explicit __device__ WarpExchange(TempStorage& temp_storage) {}
  template <class Output>
  __device__ void BlockedToStriped(const T (&input_items)[ITEMS_PER_THREAD],
                                   Output (&output_items)[ITEMS_PER_THREAD]) {}
  template <class Output>
  __device__ void StripedToBlocked(const T (&input_items)[ITEMS_PER_THREAD],
                                   Output (&output_items)[ITEMS_PER_THREAD]) {}
  template <class Offset>
  __device__ void ScatterToStriped(T (&items)[ITEMS_PER_THREAD], Offset (&ranks)[ITEMS_PER_THREAD]) {}
};

template <class Key, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = HIPCUB_DEVICE_WARP_THREADS,
          class Value = NullType, int ARCH = 1>
struct WarpMergeSort {
  using TempStorage = detail::storage;
  __device__ WarpMergeSort(TempStorage& temp_storage) {}
  template <class CompareOp>
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD], CompareOp compare_op) {}
  template <class CompareOp>
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD], Value (&items)[ITEMS_PER_THREAD],
                       CompareOp compare_op) {}
  template <class CompareOp>
  __device__ void StableSort(Key (&keys)[ITEMS_PER_THREAD], CompareOp compare_op) {}
  template <class CompareOp>
  __device__ void StableSort(Key (&keys)[ITEMS_PER_THREAD], Value (&items)[ITEMS_PER_THREAD],
                             CompareOp compare_op) {}
};

}  // namespace hipcub
