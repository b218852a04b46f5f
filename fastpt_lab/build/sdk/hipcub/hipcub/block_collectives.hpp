// Collectives of one block in hipCUB 3.3; see hipcub.hpp.
#pragma once
#include <hipcub/utilities.hpp>

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
enum BlockHistogramAlgorithm { BLOCK_HISTO_ATOMIC, BLOCK_HISTO_SORT };

// With 64 lanes to a warp: one raking thread for each segment, at most a warp of them.
template <class T, int BLOCK_THREADS, int ARCH = 1>
struct BlockRakingLayout {
  enum {
    SHARED_ELEMENTS = BLOCK_THREADS,
    MAX_RAKING_THREADS = BLOCK_THREADS < 64 ? BLOCK_THREADS : 64,
    SEGMENT_LENGTH = (SHARED_ELEMENTS + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS,
    RAKING_THREADS = (SHARED_ELEMENTS + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH,
    UNGUARDED = SHARED_ELEMENTS % RAKING_THREADS == 0
  };
  using TempStorage = detail::storage;
  static __device__ T* PlacementPtr(TempStorage& temp_storage, unsigned int linear_tid) { __builtin_unreachable(); }
  static __device__ T* RakingPtr(TempStorage& temp_storage, unsigned int linear_tid) { __builtin_unreachable(); }
};

template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockReduce {
  using TempStorage = detail::storage;
  __device__ BlockReduce() {}
  __device__ BlockReduce(TempStorage& temp_storage) {}
  __device__ T Sum(T input) { __builtin_unreachable(); }
  __device__ T Sum(T input, int valid_items) { __builtin_unreachable(); }
  template <int ITEMS_PER_THREAD>
  __device__ T Sum(T (&input)[ITEMS_PER_THREAD]) { __builtin_unreachable(); }
  template <class ReduceOp>
  __device__ T Reduce(T input, ReduceOp reduce_op) { __builtin_unreachable(); }
  template <class ReduceOp>
  __device__ T Reduce(T input, ReduceOp reduce_op, int valid_items) { __builtin_unreachable(); }
  template <int ITEMS_PER_THREAD, class ReduceOp>
  __device__ T Reduce(T (&input)[ITEMS_PER_THREAD], ReduceOp reduce_op) { __builtin_unreachable(); }
};

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockScan {
  using TempStorage = detail::storage;
  __device__ BlockScan() {}
  __device__ BlockScan(TempStorage& temp_storage) {}
  __device__ void InclusiveSum(T input, T& output) {}
  __device__ void InclusiveSum(T input, T& output, T& block_aggregate) {}
  template <class PrefixOp>
  __device__ void InclusiveSum(T input, T& output, PrefixOp& block_prefix_callback_op) {}
  template <int ITEMS>
  __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {}
  template <int ITEMS>
  __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& block_aggregate) {}
  template <int ITEMS, class PrefixOp>
  __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                               PrefixOp& block_prefix_callback_op) {}
  __device__ void ExclusiveSum(T input, T& output) {}
  __device__ void ExclusiveSum(T input, T& output, T& block_aggregate) {}
  template <class PrefixOp>
  __device__ void ExclusiveSum(T input, T& output, PrefixOp& block_prefix_callback_op) {}
  template <int ITEMS>
  __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {}
  template <int ITEMS>
  __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& block_aggregate) {}
  template <int ITEMS, class PrefixOp>
  __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                               PrefixOp& block_prefix_callback_op) {}
  template <class ScanOp>
  __device__ void InclusiveScan(T input, T& output, ScanOp scan_op) {}
  template <class ScanOp>
  __device__ void InclusiveScan(T input, T& output, ScanOp scan_op, T& block_aggregate) {}
  template <class ScanOp, class PrefixOp>
  __device__ void InclusiveScan(T input, T& output,
                                ScanOp scan_op, PrefixOp& block_prefix_callback_op) {}
  template <int ITEMS, class ScanOp>
  __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], ScanOp scan_op) {}
  template <int ITEMS, class ScanOp>
  __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                ScanOp scan_op, T& block_aggregate) {}
  template <int ITEMS, class ScanOp, class PrefixOp>
  __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                ScanOp scan_op, PrefixOp& block_prefix_callback_op) {}
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& output, T initial_value, ScanOp scan_op) {}
  template <class ScanOp>
  __device__ void ExclusiveScan(T input, T& output,
                                T initial_value, ScanOp scan_op, T& block_aggregate) {}
  template <class ScanOp, class PrefixOp>
  __device__ void ExclusiveScan(T input, T& output,
                                ScanOp scan_op, PrefixOp& block_prefix_callback_op) {}
  template <int ITEMS, class ScanOp>
  __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                T initial_value, ScanOp scan_op) {}
  template <int ITEMS, class ScanOp>
  __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                T initial_value, ScanOp scan_op, T& block_aggregate) {}
  template <int ITEMS, class ScanOp, class PrefixOp>
  __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                ScanOp scan_op, PrefixOp& block_prefix_callback_op) {}
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockLoad {
  using TempStorage = detail::storage;
  __device__ BlockLoad() {}
  __device__ BlockLoad(TempStorage& temp_storage) {}
  template <class Iterator>
  __device__ void Load(Iterator block_iter, T (&items)[ITEMS_PER_THREAD]) {}
  template <class Iterator>
  __device__ void Load(Iterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items) {}
  template <class Iterator, class Default>
  __device__ void Load(Iterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items,
                       Default oob_default) {}
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockStore {
  using TempStorage = detail::storage;
  __device__ BlockStore() {}
  __device__ BlockStore(TempStorage& temp_storage) {}
  template <class Iterator>
  __device__ void Store(Iterator block_iter, T (&items)[ITEMS_PER_THREAD]) {}
  template <class Iterator>
  __device__ void Store(Iterator block_iter, T (&items)[ITEMS_PER_THREAD], int valid_items) {}
};

template <class Key, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class Value = NullType,
          int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true,
          BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          hipSharedMemConfig SMEM_CONFIG = hipSharedMemBankSizeFourByte, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockRadixSort {
  using TempStorage = detail::storage;
  __device__ BlockRadixSort() {}
  __device__ BlockRadixSort(TempStorage& temp_storage) {}
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD],
                       int begin_bit = 0, int end_bit = sizeof(Key) * 8) {}
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD],
                       Value (&values)[ITEMS_PER_THREAD],
                       int begin_bit = 0, int end_bit = sizeof(Key) * 8) {}
  __device__ void SortDescending(Key (&keys)[ITEMS_PER_THREAD],
                                 int begin_bit = 0, int end_bit = sizeof(Key) * 8) {}
  __device__ void SortDescending(Key (&keys)[ITEMS_PER_THREAD],
                                 Value (&values)[ITEMS_PER_THREAD],
                                 int begin_bit = 0, int end_bit = sizeof(Key) * 8) {}
  __device__ void SortBlockedToStriped(Key (&keys)[ITEMS_PER_THREAD],
                                       int begin_bit = 0, int end_bit = sizeof(Key) * 8) {}
  __device__ void SortBlockedToStriped(Key (&keys)[ITEMS_PER_THREAD],
                                       Value (&values)[ITEMS_PER_THREAD],
                                       int begin_bit = 0, int end_bit = sizeof(Key) * 8) {}
  __device__ void SortDescendingBlockedToStriped(Key (&keys)[ITEMS_PER_THREAD],
                                                 int begin_bit = 0, int end_bit = sizeof(Key) * 8) {}
  __device__ void SortDescendingBlockedToStriped(Key (&keys)[ITEMS_PER_THREAD],
                                                 Value (&values)[ITEMS_PER_THREAD],
                                                 int begin_bit = 0, int end_bit = sizeof(Key) * 8) {}
};

template <class Key, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class Value = NullType,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
struct BlockMergeSort {
  using TempStorage = detail::storage;
  __device__ BlockMergeSort() {}
  explicit __device__ BlockMergeSort(TempStorage& temp_storage) {}
  template <class CompareOp>
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD], CompareOp compare_op) {}
  template <class CompareOp>
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD], CompareOp compare_op, int valid_items,
                       Key oob_default) {}
  template <class CompareOp>
  __device__ void Sort(Key (&keys)[ITEMS_PER_THREAD], Value (&items)[ITEMS_PER_THREAD],
                       CompareOp compare_op) {}
  template <class CompareOp>
  __device__ void StableSort(Key (&keys)[ITEMS_PER_THREAD], CompareOp compare_op) {}
  template <class CompareOp>
  __device__ void StableSort(Key (&keys)[ITEMS_PER_THREAD], Value (&items)[ITEMS_PER_THREAD],
                             CompareOp compare_op) {}
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, bool WARP_TIME_SLICING = false,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockExchange {
  using TempStorage = detail::storage;
  __device__ BlockExchange() {}
  __device__ BlockExchange(TempStorage& temp_storage) {}
  template <class Output>
  __device__ void StripedToBlocked(T (&input_items)[ITEMS_PER_THREAD],
                                   Output (&output_items)[ITEMS_PER_THREAD]) {}
  __device__ void StripedToBlocked(T (&items)[ITEMS_PER_THREAD]) {}
  template <class Output>
  __device__ void BlockedToStriped(T (&input_items)[ITEMS_PER_THREAD],
                                   Output (&output_items)[ITEMS_PER_THREAD]) {}
  __device__ void BlockedToStriped(T (&items)[ITEMS_PER_THREAD]) {}
  template <class Output>
  __device__ void WarpStripedToBlocked(T (&input_items)[ITEMS_PER_THREAD],
                                       Output (&output_items)[ITEMS_PER_THREAD]) {}
  __device__ void WarpStripedToBlocked(T (&items)[ITEMS_PER_THREAD]) {}
  template <class Output>
  __device__ void BlockedToWarpStriped(T (&input_items)[ITEMS_PER_THREAD],
                                       Output (&output_items)[ITEMS_PER_THREAD]) {}
  __device__ void BlockedToWarpStriped(T (&items)[ITEMS_PER_THREAD]) {}
  template <class Output, class Offset>
  __device__ void ScatterToBlocked(T (&input_items)[ITEMS_PER_THREAD],
                                   Output (&output_items)[ITEMS_PER_THREAD],
                                   Offset (&ranks)[ITEMS_PER_THREAD]) {}
  template <class Offset>
  __device__ void ScatterToBlocked(T (&items)[ITEMS_PER_THREAD],
                                   Offset (&ranks)[ITEMS_PER_THREAD]) {}
  template <class Output, class Offset>
  __device__ void ScatterToStriped(T (&input_items)[ITEMS_PER_THREAD],
                                   Output (&output_items)[ITEMS_PER_THREAD],
                                   Offset (&ranks)[ITEMS_PER_THREAD]) {}
  template <class Offset>
  __device__ void ScatterToStriped(T (&items)[ITEMS_PER_THREAD],
                                   Offset (&ranks)[ITEMS_PER_THREAD]) {}
  template <class Output, class Offset>
  __device__ void ScatterToStripedGuarded(T (&input_items)[ITEMS_PER_THREAD],
                                          Output (&output_items)[ITEMS_PER_THREAD],
                                          Offset (&ranks)[ITEMS_PER_THREAD]) {}
  template <class Offset>
  __device__ void ScatterToStripedGuarded(T (&items)[ITEMS_PER_THREAD],
                                          Offset (&ranks)[ITEMS_PER_THREAD]) {}
  template <class Offset, class ValidFlag>
  __device__ void ScatterToStripedFlagged(T (&items)[ITEMS_PER_THREAD],
                                          Offset (&ranks)[ITEMS_PER_THREAD],
                                          ValidFlag (&is_valid)[ITEMS_PER_THREAD]) {}
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockDiscontinuity {
  using TempStorage = detail::storage;
  __device__ BlockDiscontinuity() {}
  __device__ BlockDiscontinuity(TempStorage& temp_storage) {}
  template <int ITEMS, class Flag, class FlagOp>
  __device__ void FlagHeads(Flag (&head_flags)[ITEMS], T (&input)[ITEMS], FlagOp flag_op) {}
  template <int ITEMS, class Flag, class FlagOp>
  __device__ void FlagHeads(Flag (&head_flags)[ITEMS], T (&input)[ITEMS], FlagOp flag_op,
                            T tile_predecessor_item) {}
  template <int ITEMS, class Flag, class FlagOp>
  __device__ void FlagTails(Flag (&tail_flags)[ITEMS], T (&input)[ITEMS], FlagOp flag_op) {}
  template <int ITEMS, class Flag, class FlagOp>
  __device__ void FlagTails(Flag (&tail_flags)[ITEMS], T (&input)[ITEMS], FlagOp flag_op,
                            T tile_successor_item) {}
  template <int ITEMS, class Flag, class FlagOp>
  __device__ void FlagHeadsAndTails(Flag (&head_flags)[ITEMS], Flag (&tail_flags)[ITEMS],
                                    T (&input)[ITEMS], FlagOp flag_op) {}
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockAdjacentDifference {
  using TempStorage = detail::storage;
  __device__ BlockAdjacentDifference() {}
  __device__ BlockAdjacentDifference(TempStorage& temp_storage) {}
  template <int ITEMS, class Output, class DifferenceOp>
  __device__ void SubtractLeft(T (&input)[ITEMS], Output (&output)[ITEMS],
                               DifferenceOp difference_op) {}
  template <int ITEMS, class Output, class DifferenceOp>
  __device__ void SubtractLeft(T (&input)[ITEMS], Output (&output)[ITEMS],
                               DifferenceOp difference_op, T tile_predecessor_item) {}
  template <int ITEMS, class Output, class DifferenceOp>
  __device__ void SubtractLeftPartialTile(T (&input)[ITEMS], Output (&output)[ITEMS],
                                          DifferenceOp difference_op, int valid_items) {}
  template <int ITEMS, class Output, class DifferenceOp>
  __device__ void SubtractRight(T (&input)[ITEMS], Output (&output)[ITEMS],
                                DifferenceOp difference_op) {}
  template <int ITEMS, class Output, class DifferenceOp>
  __device__ void SubtractRight(T (&input)[ITEMS], Output (&output)[ITEMS],
                                DifferenceOp difference_op, T tile_successor_item) {}
  template <int ITEMS, class Output, class DifferenceOp>
  __device__ void SubtractRightPartialTile(T (&input)[ITEMS], Output (&output)[ITEMS],
                                           DifferenceOp difference_op, int valid_items) {}
};

template <class T, int BLOCK_DIM_X, int ITEMS_PER_THREAD, int BINS,
          BlockHistogramAlgorithm ALGORITHM = BLOCK_HISTO_SORT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockHistogram {
  using TempStorage = detail::storage;
  __device__ BlockHistogram() {}
  __device__ BlockHistogram(TempStorage& temp_storage) {}
  template <class Counter>
  __device__ void InitHistogram(Counter histogram[BINS]) {}
  template <class Counter>
  __device__ void Composite(T (&items)[ITEMS_PER_THREAD], Counter histogram[BINS]) {}
  template <class Counter>
  __device__ void Histogram(T (&items)[ITEMS_PER_THREAD], Counter histogram[BINS]) {}
};

template <class T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int ARCH = 1>
struct BlockShuffle {
  using TempStorage = detail::storage;
  __device__ BlockShuffle() {}
  __device__ BlockShuffle(TempStorage& temp_storage) {}
  __device__ void Offset(T input, T& output, int distance = 1) {}
  __device__ void Rotate(T input, T& output, unsigned int distance = 1) {}
  template <int ITEMS>
  __device__ void Up(T (&input)[ITEMS], T (&prev)[ITEMS]) {}
  template <int ITEMS>
  __device__ void Up(T (&input)[ITEMS], T (&prev)[ITEMS], T& block_suffix) {}
  template <int ITEMS>
  __device__ void Down(T (&input)[ITEMS], T (&next)[ITEMS]) {}
  template <int ITEMS>
  __device__ void Down(T (&input)[ITEMS], T (&next)[ITEMS], T& block_prefix) {}
};

}  // namespace hipcub
