// Iterators of hipCUB 3.3; see hipcub.hpp.
#pragma once
#include <hip/hip_runtime.h>
#include <hipcub/utilities.hpp>
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
  __host__ __device__ CountingInputIterator(const ValueType& value) {}
  FASTPT_ITERATOR(CountingInputIterator)
};

template <class ValueType, class OffsetT = ptrdiff_t>
struct ConstantInputIterator {
  using value_type = ValueType;
  using reference = ValueType;
  using pointer = const ValueType*;
  using difference_type = OffsetT;
  __host__ __device__ ConstantInputIterator(ValueType value, OffsetT offset = 0) {}
  FASTPT_ITERATOR(ConstantInputIterator)
};

template <class ValueType, class ConversionOp, class InputIteratorT, class OffsetT = ptrdiff_t>
struct TransformInputIterator {
  using value_type = ValueType;
  using reference = ValueType;
  using pointer = const ValueType*;
  using difference_type = OffsetT;
  __host__ __device__ TransformInputIterator(InputIteratorT iterator, ConversionOp conversion_op) {}
  FASTPT_ITERATOR(TransformInputIterator)
};

template <class InputIteratorT, class OffsetT = ptrdiff_t>
struct ArgIndexInputIterator {
  using value_type = std::pair<OffsetT, typename std::iterator_traits<InputIteratorT>::value_type>;
  using reference = value_type;
  using pointer = const value_type*;
  using difference_type = OffsetT;
  __host__ __device__ ArgIndexInputIterator(InputIteratorT iterator, OffsetT offset = 0) {}
  FASTPT_ITERATOR(ArgIndexInputIterator)
};

template <class OffsetT = ptrdiff_t>
struct DiscardOutputIterator {
  using value_type = void;
  using reference = DiscardOutputIterator&;
  using pointer = void*;
  using difference_type = OffsetT;
  __host__ __device__ DiscardOutputIterator(OffsetT offset = 0) {}
  template <class T>
  __host__ __device__ reference operator=(T&& value) { __builtin_unreachable(); }
  FASTPT_ITERATOR(DiscardOutputIterator)
};

template <CacheLoadModifier MODIFIER, class ValueType, class OffsetT = ptrdiff_t>
struct CacheModifiedInputIterator {
  using value_type = ValueType;
  using reference = ValueType;
  using pointer = ValueType*;
  using difference_type = OffsetT;
  __host__ __device__ CacheModifiedInputIterator(ValueType* pointer) {}
  FASTPT_ITERATOR(CacheModifiedInputIterator)
};

template <CacheStoreModifier MODIFIER, class ValueType, class OffsetT = ptrdiff_t>
struct CacheModifiedOutputIterator {
  using value_type = void;
  using reference = ValueType&;
  using pointer = ValueType*;
  using difference_type = OffsetT;
  __host__ __device__ CacheModifiedOutputIterator(ValueType* pointer) {}
  FASTPT_ITERATOR(CacheModifiedOutputIterator)
};

#undef FASTPT_ITERATOR

}  // namespace hipcub
