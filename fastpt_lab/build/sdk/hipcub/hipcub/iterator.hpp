// Iterators of hipCUB 2.12; see hipcub.hpp.
#pragma once
#include <hip/hip_runtime.h>
#include <iterator>
#include <stddef.h>
#include <type_traits>
#include <utility>

namespace hipcub {

#define FASTPT_ITERATOR(self)                                                              \
  using iterator_category = std::random_access_iterator_tag;                               \
  __host__ __device__ self& operator++();                                                  \
  __host__ __device__ self operator++(int);                                                \
  template <class Distance>                                                                \
  __host__ __device__ self operator+(Distance n) const;                                    \
  template <class Distance>                                                                \
  __host__ __device__ self& operator+=(Distance n);                                        \
  template <class Distance>                                                                \
  __host__ __device__ self operator-(Distance n) const;                                    \
  __host__ __device__ difference_type operator-(self other) const;                         \
  __host__ __device__ reference operator*() const;                                         \
  template <class Distance>                                                                \
  __host__ __device__ reference operator[](Distance n) const;                              \
  __host__ __device__ bool operator==(const self& other) const;                            \
  __host__ __device__ bool operator!=(const self& other) const;

template <class ValueType, class OffsetT = ptrdiff_t>
struct CountingInputIterator {
  using value_type = ValueType;
  using reference = ValueType;
  using pointer = const ValueType*;
  using difference_type = OffsetT;
  __host__ __device__ CountingInputIterator(const ValueType& value);
  FASTPT_ITERATOR(CountingInputIterator)
};

template <class ValueType, class OffsetT = ptrdiff_t>
struct ConstantInputIterator {
  using value_type = ValueType;
  using reference = ValueType;
  using pointer = const ValueType*;
  using difference_type = OffsetT;
  __host__ __device__ ConstantInputIterator(ValueType value, OffsetT offset = 0);
  FASTPT_ITERATOR(ConstantInputIterator)
};

template <class ValueType, class ConversionOp, class InputIteratorT, class OffsetT = ptrdiff_t>
struct TransformInputIterator {
  using value_type = ValueType;
  using reference = ValueType;
  using pointer = const ValueType*;
  using difference_type = OffsetT;
  __host__ __device__ TransformInputIterator(InputIteratorT iterator, ConversionOp conversion_op);
  FASTPT_ITERATOR(TransformInputIterator)
};

template <class InputIteratorT, class OffsetT = ptrdiff_t>
struct ArgIndexInputIterator {
  using value_type = std::pair<OffsetT, typename std::iterator_traits<InputIteratorT>::value_type>;
  using reference = value_type;
  using pointer = const value_type*;
  using difference_type = OffsetT;
  __host__ __device__ ArgIndexInputIterator(InputIteratorT iterator, OffsetT offset = 0);
  FASTPT_ITERATOR(ArgIndexInputIterator)
};

#undef FASTPT_ITERATOR

}  // namespace hipcub
