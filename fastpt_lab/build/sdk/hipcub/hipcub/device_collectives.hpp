// Device-wide calls of hipCUB 3.3; see hipcub.hpp. `debug_synchronous` is deprecated there.
#pragma once
#include <hipcub/thread_operators.hpp>
#include <hipcub/utilities.hpp>

namespace hipcub {

struct DeviceReduce {
  template <class InputIterator, class OutputIterator, class ReduceOp, class T, class NumItems>
  static hipError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                           OutputIterator d_out, NumItems num_items, ReduceOp reduction_op, T
                           init, hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumItems>
  static hipError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                        OutputIterator d_out, NumItems num_items, hipStream_t stream = 0, bool
                        debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumItems>
  static hipError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                        OutputIterator d_out, NumItems num_items, hipStream_t stream = 0, bool
                        debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumItems>
  static hipError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                        OutputIterator d_out, NumItems num_items, hipStream_t stream = 0, bool
                        debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumItems>
  static hipError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                           OutputIterator d_out, NumItems num_items, hipStream_t stream = 0, bool
                           debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumItems>
  static hipError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                           OutputIterator d_out, NumItems num_items, hipStream_t stream = 0, bool
                           debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeysIn, class UniqueOut, class ValuesIn, class AggregatesOut, class NumRunsOut,
            class ReduceOp, class NumItems>
  static hipError_t ReduceByKey(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                d_keys_in, UniqueOut d_unique_out, ValuesIn d_values_in,
                                AggregatesOut d_aggregates_out, NumRunsOut d_num_runs_out,
                                ReduceOp reduction_op, NumItems num_items, hipStream_t stream = 0,
                                bool debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceSegmentedReduce {
  template <class InputIterator, class OutputIterator, class BeginOffsets, class EndOffsets, class
            ReduceOp, class T>
  static hipError_t Reduce(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                           OutputIterator d_out, int num_segments, BeginOffsets d_begin_offsets,
                           EndOffsets d_end_offsets, ReduceOp reduction_op, T initial_value,
                           hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class BeginOffsets, class EndOffsets>
  static hipError_t Sum(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                        OutputIterator d_out, int num_segments, BeginOffsets d_begin_offsets,
                        EndOffsets d_end_offsets, hipStream_t stream = 0, bool debug_synchronous =
                        false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class BeginOffsets, class EndOffsets>
  static hipError_t Min(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                        OutputIterator d_out, int num_segments, BeginOffsets d_begin_offsets,
                        EndOffsets d_end_offsets, hipStream_t stream = 0, bool debug_synchronous =
                        false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class BeginOffsets, class EndOffsets>
  static hipError_t Max(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                        OutputIterator d_out, int num_segments, BeginOffsets d_begin_offsets,
                        EndOffsets d_end_offsets, hipStream_t stream = 0, bool debug_synchronous =
                        false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class BeginOffsets, class EndOffsets>
  static hipError_t ArgMin(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                           OutputIterator d_out, int num_segments, BeginOffsets d_begin_offsets,
                           EndOffsets d_end_offsets, hipStream_t stream = 0, bool
                           debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class BeginOffsets, class EndOffsets>
  static hipError_t ArgMax(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                           OutputIterator d_out, int num_segments, BeginOffsets d_begin_offsets,
                           EndOffsets d_end_offsets, hipStream_t stream = 0, bool
                           debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceScan {
  template <class InputIterator, class OutputIterator, class NumItems>
  static hipError_t InclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator
                                 d_in, OutputIterator d_out, NumItems num_items, hipStream_t
                                 stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumItems>
  static hipError_t ExclusiveSum(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator
                                 d_in, OutputIterator d_out, NumItems num_items, hipStream_t
                                 stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class ScanOp, class NumItems>
  static hipError_t InclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator
                                  d_in, OutputIterator d_out, ScanOp scan_op, NumItems num_items,
                                  hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class ScanOp, class InitValue, class NumItems>
  static hipError_t ExclusiveScan(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator
                                  d_in, OutputIterator d_out, ScanOp scan_op, InitValue
                                  init_value, NumItems num_items, hipStream_t stream = 0, bool
                                  debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeysIn, class ValuesIn, class ValuesOut, class NumItems, class EqualityOp =
            Equality>
  static hipError_t InclusiveSumByKey(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                      d_keys_in, ValuesIn d_values_in, ValuesOut d_values_out,
                                      NumItems num_items, EqualityOp equality_op = EqualityOp(),
                                      hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeysIn, class ValuesIn, class ValuesOut, class NumItems, class EqualityOp =
            Equality>
  static hipError_t ExclusiveSumByKey(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                      d_keys_in, ValuesIn d_values_in, ValuesOut d_values_out,
                                      NumItems num_items, EqualityOp equality_op = EqualityOp(),
                                      hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeysIn, class ValuesIn, class ValuesOut, class ScanOp, class NumItems, class
            EqualityOp = Equality>
  static hipError_t InclusiveScanByKey(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                       d_keys_in, ValuesIn d_values_in, ValuesOut d_values_out,
                                       ScanOp scan_op, NumItems num_items, EqualityOp equality_op
                                       = EqualityOp(), hipStream_t stream = 0, bool
                                       debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeysIn, class ValuesIn, class ValuesOut, class ScanOp, class InitValue, class
            NumItems, class EqualityOp = Equality>
  static hipError_t ExclusiveScanByKey(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                       d_keys_in, ValuesIn d_values_in, ValuesOut d_values_out,
                                       ScanOp scan_op, InitValue init_value, NumItems num_items,
                                       EqualityOp equality_op = EqualityOp(), hipStream_t stream =
                                       0, bool debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceRadixSort {
  template <class Key, class NumItems>
  static hipError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const Key*
                             d_keys_in, Key* d_keys_out, NumItems num_items, int begin_bit = 0,
                             int end_bit = sizeof(Key) * 8, hipStream_t stream = 0, bool
                             debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class NumItems>
  static hipError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<Key>&
                             d_keys, NumItems num_items, int begin_bit = 0, int end_bit =
                             sizeof(Key) * 8, hipStream_t stream = 0, bool debug_synchronous =
                             false) { __builtin_unreachable(); }
  template <class Key, class Value, class NumItems>
  static hipError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const Key*
                              d_keys_in, Key* d_keys_out, const Value* d_values_in, Value*
                              d_values_out, NumItems num_items, int begin_bit = 0, int end_bit =
                              sizeof(Key) * 8, hipStream_t stream = 0, bool debug_synchronous =
                              false) { __builtin_unreachable(); }
  template <class Key, class Value, class NumItems>
  static hipError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<Key>&
                              d_keys, DoubleBuffer<Value>& d_values, NumItems num_items, int
                              begin_bit = 0, int end_bit = sizeof(Key) * 8, hipStream_t stream =
                              0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class NumItems>
  static hipError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, const
                                       Key* d_keys_in, Key* d_keys_out, NumItems num_items, int
                                       begin_bit = 0, int end_bit = sizeof(Key) * 8, hipStream_t
                                       stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class NumItems>
  static hipError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                       DoubleBuffer<Key>& d_keys, NumItems num_items, int
                                       begin_bit = 0, int end_bit = sizeof(Key) * 8, hipStream_t
                                       stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class NumItems>
  static hipError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, const
                                        Key* d_keys_in, Key* d_keys_out, const Value* d_values_in,
                                        Value* d_values_out, NumItems num_items, int begin_bit =
                                        0, int end_bit = sizeof(Key) * 8, hipStream_t stream = 0,
                                        bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class NumItems>
  static hipError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                        DoubleBuffer<Key>& d_keys, DoubleBuffer<Value>& d_values,
                                        NumItems num_items, int begin_bit = 0, int end_bit =
                                        sizeof(Key) * 8, hipStream_t stream = 0, bool
                                        debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceSegmentedRadixSort {
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const Key*
                             d_keys_in, Key* d_keys_out, int num_items, int num_segments,
                             BeginOffsets d_begin_offsets, EndOffsets d_end_offsets, int begin_bit
                             = 0, int end_bit = sizeof(Key) * 8, hipStream_t stream = 0, bool
                             debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<Key>&
                             d_keys, int num_items, int num_segments, BeginOffsets
                             d_begin_offsets, EndOffsets d_end_offsets, int begin_bit = 0, int
                             end_bit = sizeof(Key) * 8, hipStream_t stream = 0, bool
                             debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const Key*
                              d_keys_in, Key* d_keys_out, const Value* d_values_in, Value*
                              d_values_out, int num_items, int num_segments, BeginOffsets
                              d_begin_offsets, EndOffsets d_end_offsets, int begin_bit = 0, int
                              end_bit = sizeof(Key) * 8, hipStream_t stream = 0, bool
                              debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<Key>&
                              d_keys, DoubleBuffer<Value>& d_values, int num_items, int
                              num_segments, BeginOffsets d_begin_offsets, EndOffsets
                              d_end_offsets, int begin_bit = 0, int end_bit = sizeof(Key) * 8,
                              hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, const
                                       Key* d_keys_in, Key* d_keys_out, int num_items, int
                                       num_segments, BeginOffsets d_begin_offsets, EndOffsets
                                       d_end_offsets, int begin_bit = 0, int end_bit = sizeof(Key)
                                       * 8, hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                       DoubleBuffer<Key>& d_keys, int num_items, int num_segments,
                                       BeginOffsets d_begin_offsets, EndOffsets d_end_offsets, int
                                       begin_bit = 0, int end_bit = sizeof(Key) * 8, hipStream_t
                                       stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, const
                                        Key* d_keys_in, Key* d_keys_out, const Value* d_values_in,
                                        Value* d_values_out, int num_items, int num_segments,
                                        BeginOffsets d_begin_offsets, EndOffsets d_end_offsets,
                                        int begin_bit = 0, int end_bit = sizeof(Key) * 8,
                                        hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                        DoubleBuffer<Key>& d_keys, DoubleBuffer<Value>& d_values,
                                        int num_items, int num_segments, BeginOffsets
                                        d_begin_offsets, EndOffsets d_end_offsets, int begin_bit =
                                        0, int end_bit = sizeof(Key) * 8, hipStream_t stream = 0,
                                        bool debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceSegmentedSort {
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const Key*
                             d_keys_in, Key* d_keys_out, int num_items, int num_segments,
                             BeginOffsets d_begin_offsets, EndOffsets d_end_offsets, hipStream_t
                             stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<Key>&
                             d_keys, int num_items, int num_segments, BeginOffsets
                             d_begin_offsets, EndOffsets d_end_offsets, hipStream_t stream = 0,
                             bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const Key*
                              d_keys_in, Key* d_keys_out, const Value* d_values_in, Value*
                              d_values_out, int num_items, int num_segments, BeginOffsets
                              d_begin_offsets, EndOffsets d_end_offsets, hipStream_t stream = 0,
                              bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<Key>&
                              d_keys, DoubleBuffer<Value>& d_values, int num_items, int
                              num_segments, BeginOffsets d_begin_offsets, EndOffsets
                              d_end_offsets, hipStream_t stream = 0, bool debug_synchronous =
                              false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, const
                                       Key* d_keys_in, Key* d_keys_out, int num_items, int
                                       num_segments, BeginOffsets d_begin_offsets, EndOffsets
                                       d_end_offsets, hipStream_t stream = 0, bool
                                       debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                       DoubleBuffer<Key>& d_keys, int num_items, int num_segments,
                                       BeginOffsets d_begin_offsets, EndOffsets d_end_offsets,
                                       hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, const
                                        Key* d_keys_in, Key* d_keys_out, const Value* d_values_in,
                                        Value* d_values_out, int num_items, int num_segments,
                                        BeginOffsets d_begin_offsets, EndOffsets d_end_offsets,
                                        hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                        DoubleBuffer<Key>& d_keys, DoubleBuffer<Value>& d_values,
                                        int num_items, int num_segments, BeginOffsets
                                        d_begin_offsets, EndOffsets d_end_offsets, hipStream_t
                                        stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t StableSortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const Key*
                                   d_keys_in, Key* d_keys_out, int num_items, int num_segments,
                                   BeginOffsets d_begin_offsets, EndOffsets d_end_offsets,
                                   hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t StableSortKeys(void* d_temp_storage, size_t& temp_storage_bytes,
                                   DoubleBuffer<Key>& d_keys, int num_items, int num_segments,
                                   BeginOffsets d_begin_offsets, EndOffsets d_end_offsets,
                                   hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t StableSortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const Key*
                                    d_keys_in, Key* d_keys_out, const Value* d_values_in, Value*
                                    d_values_out, int num_items, int num_segments, BeginOffsets
                                    d_begin_offsets, EndOffsets d_end_offsets, hipStream_t stream
                                    = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t StableSortPairs(void* d_temp_storage, size_t& temp_storage_bytes,
                                    DoubleBuffer<Key>& d_keys, DoubleBuffer<Value>& d_values, int
                                    num_items, int num_segments, BeginOffsets d_begin_offsets,
                                    EndOffsets d_end_offsets, hipStream_t stream = 0, bool
                                    debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t StableSortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                             const Key* d_keys_in, Key* d_keys_out, int num_items,
                                             int num_segments, BeginOffsets d_begin_offsets,
                                             EndOffsets d_end_offsets, hipStream_t stream = 0,
                                             bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class BeginOffsets, class EndOffsets>
  static hipError_t StableSortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                             DoubleBuffer<Key>& d_keys, int num_items, int
                                             num_segments, BeginOffsets d_begin_offsets,
                                             EndOffsets d_end_offsets, hipStream_t stream = 0,
                                             bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t StableSortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                              const Key* d_keys_in, Key* d_keys_out, const Value*
                                              d_values_in, Value* d_values_out, int num_items, int
                                              num_segments, BeginOffsets d_begin_offsets,
                                              EndOffsets d_end_offsets, hipStream_t stream = 0,
                                              bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class Key, class Value, class BeginOffsets, class EndOffsets>
  static hipError_t StableSortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes,
                                              DoubleBuffer<Key>& d_keys, DoubleBuffer<Value>&
                                              d_values, int num_items, int num_segments,
                                              BeginOffsets d_begin_offsets, EndOffsets
                                              d_end_offsets, hipStream_t stream = 0, bool
                                              debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceMergeSort {
  template <class KeyIterator, class ValueIterator, class Offset, class CompareOp>
  static hipError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, KeyIterator
                              d_keys, ValueIterator d_items, Offset num_items, CompareOp
                              compare_op, hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeyIterator, class Offset, class CompareOp>
  static hipError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, KeyIterator d_keys,
                             Offset num_items, CompareOp compare_op, hipStream_t stream = 0, bool
                             debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeyIterator, class ValueIterator, class Offset, class CompareOp>
  static hipError_t StableSortPairs(void* d_temp_storage, size_t& temp_storage_bytes, KeyIterator
                                    d_keys, ValueIterator d_items, Offset num_items, CompareOp
                                    compare_op, hipStream_t stream = 0, bool debug_synchronous =
                                    false) { __builtin_unreachable(); }
  template <class KeyIterator, class Offset, class CompareOp>
  static hipError_t StableSortKeys(void* d_temp_storage, size_t& temp_storage_bytes, KeyIterator
                                   d_keys, Offset num_items, CompareOp compare_op, hipStream_t
                                   stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeysIn, class ItemsIn, class KeysOut, class ItemsOut, class Offset, class
            CompareOp>
  static hipError_t SortPairsCopy(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                  d_input_keys, ItemsIn d_input_items, KeysOut d_output_keys,
                                  ItemsOut d_output_items, Offset num_items, CompareOp compare_op,
                                  hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeysIn, class KeysOut, class Offset, class CompareOp>
  static hipError_t SortKeysCopy(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                 d_input_keys, KeysOut d_output_keys, Offset num_items, CompareOp
                                 compare_op, hipStream_t stream = 0, bool debug_synchronous =
                                 false) { __builtin_unreachable(); }
  template <class KeysIn, class KeysOut, class Offset, class CompareOp>
  static hipError_t StableSortKeysCopy(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                       d_input_keys, KeysOut d_output_keys, Offset num_items,
                                       CompareOp compare_op, hipStream_t stream = 0, bool
                                       debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceSelect {
  template <class InputIterator, class FlagIterator, class OutputIterator, class NumSelectedIterator>
  static hipError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                            FlagIterator d_flags, OutputIterator d_out, NumSelectedIterator
                            d_num_selected_out, int num_items, hipStream_t stream = 0, bool
                            debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumSelectedIterator, class SelectOp>
  static hipError_t If(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                       OutputIterator d_out, NumSelectedIterator d_num_selected_out, int
                       num_items, SelectOp select_op, hipStream_t stream = 0, bool
                       debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumSelectedIterator>
  static hipError_t Unique(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                           OutputIterator d_out, NumSelectedIterator d_num_selected_out, int
                           num_items, hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class KeysIn, class ValuesIn, class KeysOut, class ValuesOut, class NumSelectedIterator,
            class NumItems>
  static hipError_t UniqueByKey(void* d_temp_storage, size_t& temp_storage_bytes, KeysIn
                                d_keys_input, ValuesIn d_values_input, KeysOut d_keys_output,
                                ValuesOut d_values_output, NumSelectedIterator d_num_selected_out,
                                NumItems num_items, hipStream_t stream = 0, bool debug_synchronous
                                = false) { __builtin_unreachable(); }
};

struct DevicePartition {
  template <class InputIterator, class FlagIterator, class OutputIterator, class NumSelectedIterator>
  static hipError_t Flagged(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                            FlagIterator d_flags, OutputIterator d_out, NumSelectedIterator
                            d_num_selected_out, int num_items, hipStream_t stream = 0, bool
                            debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class NumSelectedIterator, class SelectOp>
  static hipError_t If(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                       OutputIterator d_out, NumSelectedIterator d_num_selected_out, int
                       num_items, SelectOp select_op, hipStream_t stream = 0, bool
                       debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class FirstOut, class SecondOut, class UnselectedOut, class
            NumSelectedIterator, class SelectFirst, class SelectSecond>
  static hipError_t If(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                       FirstOut d_first_part_out, SecondOut d_second_part_out, UnselectedOut
                       d_unselected_out, NumSelectedIterator d_num_selected_out, int num_items,
                       SelectFirst select_first_part_op, SelectSecond select_second_part_op,
                       hipStream_t stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceRunLengthEncode {
  template <class InputIterator, class UniqueOut, class LengthsOut, class NumRunsOut>
  static hipError_t Encode(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator d_in,
                           UniqueOut d_unique_out, LengthsOut d_counts_out, NumRunsOut
                           d_num_runs_out, int num_items, hipStream_t stream = 0, bool
                           debug_synchronous = false) { __builtin_unreachable(); }
  template <class InputIterator, class OffsetsOut, class LengthsOut, class NumRunsOut>
  static hipError_t NonTrivialRuns(void* d_temp_storage, size_t& temp_storage_bytes, InputIterator
                                   d_in, OffsetsOut d_offsets_out, LengthsOut d_lengths_out,
                                   NumRunsOut d_num_runs_out, int num_items, hipStream_t stream =
                                   0, bool debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceHistogram {
  template <class SampleIterator, class Counter, class Level, class Offset>
  static hipError_t HistogramEven(void* d_temp_storage, size_t& temp_storage_bytes, SampleIterator
                                  d_samples, Counter* d_histogram, int num_levels, Level
                                  lower_level, Level upper_level, Offset num_samples, hipStream_t
                                  stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class SampleIterator, class Counter, class Level, class Offset>
  static hipError_t HistogramEven(void* d_temp_storage, size_t& temp_storage_bytes, SampleIterator
                                  d_samples, Counter* d_histogram, int num_levels, Level
                                  lower_level, Level upper_level, Offset num_row_samples, Offset
                                  num_rows, size_t row_stride_bytes, hipStream_t stream = 0, bool
                                  debug_synchronous = false) { __builtin_unreachable(); }
  template <int CHANNELS, int ACTIVE, class SampleIterator, class Counter, class Level, class Offset>
  static hipError_t MultiHistogramEven(void* d_temp_storage, size_t& temp_storage_bytes,
                                       SampleIterator d_samples, Counter* d_histogram[ACTIVE], int
                                       num_levels[ACTIVE], Level lower_level[ACTIVE], Level
                                       upper_level[ACTIVE], Offset num_pixels, hipStream_t stream
                                       = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <int CHANNELS, int ACTIVE, class SampleIterator, class Counter, class Level, class Offset>
  static hipError_t MultiHistogramEven(void* d_temp_storage, size_t& temp_storage_bytes,
                                       SampleIterator d_samples, Counter* d_histogram[ACTIVE], int
                                       num_levels[ACTIVE], Level lower_level[ACTIVE], Level
                                       upper_level[ACTIVE], Offset num_row_pixels, Offset
                                       num_rows, size_t row_stride_bytes, hipStream_t stream = 0,
                                       bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class SampleIterator, class Counter, class Level, class Offset>
  static hipError_t HistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                   SampleIterator d_samples, Counter* d_histogram, int num_levels,
                                   const Level* d_levels, Offset num_samples, hipStream_t stream =
                                   0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class SampleIterator, class Counter, class Level, class Offset>
  static hipError_t HistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                   SampleIterator d_samples, Counter* d_histogram, int num_levels,
                                   const Level* d_levels, Offset num_row_samples, Offset num_rows,
                                   size_t row_stride_bytes, hipStream_t stream = 0, bool
                                   debug_synchronous = false) { __builtin_unreachable(); }
  template <int CHANNELS, int ACTIVE, class SampleIterator, class Counter, class Level, class Offset>
  static hipError_t MultiHistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                        SampleIterator d_samples, Counter* d_histogram[ACTIVE],
                                        int num_levels[ACTIVE], const Level* d_levels[ACTIVE],
                                        Offset num_pixels, hipStream_t stream = 0, bool
                                        debug_synchronous = false) { __builtin_unreachable(); }
  template <int CHANNELS, int ACTIVE, class SampleIterator, class Counter, class Level, class Offset>
  static hipError_t MultiHistogramRange(void* d_temp_storage, size_t& temp_storage_bytes,
                                        SampleIterator d_samples, Counter* d_histogram[ACTIVE],
                                        int num_levels[ACTIVE], const Level* d_levels[ACTIVE],
                                        Offset num_row_pixels, Offset num_rows, size_t
                                        row_stride_bytes, hipStream_t stream = 0, bool
                                        debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceAdjacentDifference {
  template <class InputIterator, class OutputIterator, class DifferenceOp, class NumItems>
  static hipError_t SubtractLeftCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                     InputIterator d_input, OutputIterator d_output, NumItems
                                     num_items, DifferenceOp difference_op, hipStream_t stream =
                                     0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class RandomAccessIterator, class DifferenceOp, class NumItems>
  static hipError_t SubtractLeft(void* d_temp_storage, size_t& temp_storage_bytes,
                                 RandomAccessIterator d_input, NumItems num_items, DifferenceOp
                                 difference_op, hipStream_t stream = 0, bool debug_synchronous =
                                 false) { __builtin_unreachable(); }
  template <class InputIterator, class OutputIterator, class DifferenceOp, class NumItems>
  static hipError_t SubtractRightCopy(void* d_temp_storage, size_t& temp_storage_bytes,
                                      InputIterator d_input, OutputIterator d_output, NumItems
                                      num_items, DifferenceOp difference_op, hipStream_t stream =
                                      0, bool debug_synchronous = false) { __builtin_unreachable(); }
  template <class RandomAccessIterator, class DifferenceOp, class NumItems>
  static hipError_t SubtractRight(void* d_temp_storage, size_t& temp_storage_bytes,
                                  RandomAccessIterator d_input, NumItems num_items, DifferenceOp
                                  difference_op, hipStream_t stream = 0, bool debug_synchronous =
                                  false) { __builtin_unreachable(); }
};

struct DeviceSpmv {
  template <class Value>
  static hipError_t CsrMV(void* d_temp_storage, size_t& temp_storage_bytes, Value* d_values, int*
                          d_row_offsets, int* d_column_indices, Value* d_vector_x, Value*
                          d_vector_y, int num_rows, int num_cols, int num_nonzeros, hipStream_t
                          stream = 0, bool debug_synchronous = false) { __builtin_unreachable(); }
};

struct DeviceMemcpy {
  template <class InputBuffers, class OutputBuffers, class BufferSizes>
  static hipError_t Batched(void* d_temp_storage, size_t& temp_storage_bytes,
                            InputBuffers input_buffer_it, OutputBuffers output_buffer_it,
                            BufferSizes buffer_sizes, uint32_t num_buffers,
                            hipStream_t stream = 0) { __builtin_unreachable(); }
};

struct DeviceCopy {
  template <class InputBuffers, class OutputBuffers, class BufferSizes>
  static hipError_t Batched(void* d_temp_storage, size_t& temp_storage_bytes,
                            InputBuffers input_buffer_it, OutputBuffers output_buffer_it,
                            BufferSizes buffer_sizes, uint32_t num_buffers,
                            hipStream_t stream = 0) { __builtin_unreachable(); }
};

}  // namespace hipcub
