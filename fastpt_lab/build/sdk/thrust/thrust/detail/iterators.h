// Declaration stand-in for the fancy iterators of Thrust 1.17. Nothing here can be linked.
#pragma once
#include <thrust/detail/types.h>
#include <type_traits>

namespace thrust {

#define FASTPT_ITERATOR(self)                                        \
  using difference_type = std::ptrdiff_t;                            \
  using iterator_category = std::random_access_iterator_tag;         \
  __host__ __device__ self& operator++();                            \
  __host__ __device__ self operator++(int);                          \
  __host__ __device__ self operator+(difference_type n) const;       \
  __host__ __device__ self& operator+=(difference_type n);           \
  __host__ __device__ self operator-(difference_type n) const;       \
  __host__ __device__ difference_type operator-(const self&) const;  \
  __host__ __device__ bool operator==(const self&) const;            \
  __host__ __device__ bool operator!=(const self&) const;            \
  __host__ __device__ reference operator*() const;                   \
  __host__ __device__ reference operator[](difference_type n) const;

template <class T>
struct counting_iterator {
  using value_type = T;
  using reference = T;
  using pointer = const T*;
  __host__ __device__ explicit counting_iterator(T first = T()) {}
  FASTPT_ITERATOR(counting_iterator)
};
template <class T>
__host__ __device__ counting_iterator<T> make_counting_iterator(T first) { __builtin_unreachable(); }

template <class T>
struct constant_iterator {
  using value_type = T;
  using reference = T;
  using pointer = const T*;
  __host__ __device__ explicit constant_iterator(T value = T()) {}
  FASTPT_ITERATOR(constant_iterator)
};
template <class T>
__host__ __device__ constant_iterator<T> make_constant_iterator(T value) { __builtin_unreachable(); }

struct discard_iterator {
  struct sink {
    template <class T>
    __host__ __device__ sink& operator=(const T&) {
      return *this;
    }
  };
  using value_type = sink;
  using reference = sink;
  using pointer = sink*;
  FASTPT_ITERATOR(discard_iterator)
};
__host__ __device__ inline discard_iterator make_discard_iterator() { return {}; }

template <class Function, class Iterator>
struct transform_iterator {
  using reference = std::decay_t<decltype(std::declval<Function>()(*std::declval<Iterator>()))>;
  using value_type = reference;
  using pointer = const value_type*;
  __host__ __device__ transform_iterator(Iterator iterator, Function function) {}
  FASTPT_ITERATOR(transform_iterator)
};
template <class Function, class Iterator>
__host__ __device__ transform_iterator<Function, Iterator> make_transform_iterator(Iterator iterator,
                                                                                   Function function) { __builtin_unreachable(); }

template <class Iterator>
struct reverse_iterator {
  using value_type = typename std::iterator_traits<Iterator>::value_type;
  using reference = typename std::iterator_traits<Iterator>::reference;
  using pointer = typename std::iterator_traits<Iterator>::pointer;
  __host__ __device__ explicit reverse_iterator(Iterator iterator) {}
  FASTPT_ITERATOR(reverse_iterator)
};
template <class Iterator>
__host__ __device__ reverse_iterator<Iterator> make_reverse_iterator(Iterator iterator) { __builtin_unreachable(); }

template <class Values, class Keys>
struct permutation_iterator {
  using value_type = typename std::iterator_traits<Values>::value_type;
  using reference = typename std::iterator_traits<Values>::reference;
  using pointer = typename std::iterator_traits<Values>::pointer;
  __host__ __device__ permutation_iterator(Values values, Keys keys) {}
  FASTPT_ITERATOR(permutation_iterator)
};
template <class Values, class Keys>
__host__ __device__ permutation_iterator<Values, Keys> make_permutation_iterator(Values values,
                                                                                 Keys keys) { __builtin_unreachable(); }

namespace detail {
template <class Tuple>
struct references;
template <class... Iterators>
struct references<std::tuple<Iterators...>> {
  using type = std::tuple<typename std::iterator_traits<Iterators>::reference...>;
};
}  // namespace detail

template <class Tuple>
struct zip_iterator {
  using reference = typename detail::references<Tuple>::type;
  using value_type = reference;
  using pointer = value_type*;
  __host__ __device__ explicit zip_iterator(Tuple iterators) {}
  FASTPT_ITERATOR(zip_iterator)
};
template <class... Iterators>
__host__ __device__ zip_iterator<std::tuple<Iterators...>> make_zip_iterator(
    std::tuple<Iterators...> iterators) { __builtin_unreachable(); }

#undef FASTPT_ITERATOR

}  // namespace thrust
