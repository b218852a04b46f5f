// Function objects of hipCUB 3.3; see hipcub.hpp.
#pragma once
#include <hip/hip_runtime.h>

namespace hipcub {

struct Equality {
  template <class T>
  __host__ __device__ constexpr bool operator()(const T& a, const T& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T>
  __host__ __device__ constexpr bool operator()(const T& a, const T& b) const {
    return a != b;
  }
};
struct Sum {
  template <class T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Max {
  template <class T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const {
    return a < b ? a : b;
  }
};

template <class Key_, class Value_>
struct KeyValuePair {
  using Key = Key_;
  using Value = Value_;
  Key key;
  Value value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
  __host__ __device__ bool operator!=(const KeyValuePair& other) const {
    return value != other.value || key != other.key;
  }
};

struct ArgMax {
  template <class Key, class Value>
  __host__ __device__ KeyValuePair<Key, Value> operator()(
      const KeyValuePair<Key, Value>& a, const KeyValuePair<Key, Value>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class Key, class Value>
  __host__ __device__ KeyValuePair<Key, Value> operator()(
      const KeyValuePair<Key, Value>& a, const KeyValuePair<Key, Value>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

template <class Target>
struct CastOp {
  template <class Source>
  __host__ __device__ Target operator()(Source&& source) const {
    return static_cast<Target>(source);
  }
};

}  // namespace hipcub
