// Declaration stand-in for the types of Thrust 1.17 (rocThrust 2.10, ROCm 5.2): policies, pointers,
// containers, tuples and function objects. Nothing here can be linked.
#pragma once
#include <cstddef>
#include <hip/hip_runtime.h>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <tuple>
#include <utility>

#define THRUST_VERSION 101700

namespace thrust {

using std::system_error;

template <class... T>
using tuple = std::tuple<T...>;
using std::get;
using std::make_tuple;
using std::tie;
using std::tuple_element;
using std::tuple_size;

template <class A, class B>
using pair = std::pair<A, B>;
using std::make_pair;

template <class T>
__host__ __device__ void swap(T& a, T& b) {
  T kept = a;
  a = b;
  b = kept;
}

template <class Derived>
struct execution_policy {};

namespace detail {
struct policy : execution_policy<policy> {
  policy on(hipStream_t) const { return {}; }
  template <class Allocator>
  policy operator()(Allocator&&) const {
    return {};
  }
};
}  // namespace detail

static const detail::policy device{};
static const detail::policy host{};
static const detail::policy seq{};

namespace hip {
static const detail::policy par{};
static const detail::policy par_nosync{};
template <class T>
struct pointer {};
}  // namespace hip
namespace hip_rocprim {
using hip::par;
}
namespace cuda = hip;

template <class T>
struct device_ptr {
  using value_type = T;
  using reference = T&;
  using pointer = T*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  __host__ __device__ explicit device_ptr(T* raw = nullptr) : raw_(raw) {}
  __host__ __device__ T* get() const { return raw_; }
  __host__ __device__ T& operator*() const { return *raw_; }
  __host__ __device__ T& operator[](std::ptrdiff_t n) const { return raw_[n]; }
  __host__ __device__ device_ptr& operator++() {
    ++raw_;
    return *this;
  }
  __host__ __device__ device_ptr operator+(std::ptrdiff_t n) const { return device_ptr(raw_ + n); }
  __host__ __device__ device_ptr operator-(std::ptrdiff_t n) const { return device_ptr(raw_ - n); }
  __host__ __device__ std::ptrdiff_t operator-(device_ptr o) const { return raw_ - o.raw_; }
  __host__ __device__ bool operator==(device_ptr o) const { return raw_ == o.raw_; }
  __host__ __device__ bool operator!=(device_ptr o) const { return raw_ != o.raw_; }

 private:
  T* raw_;
};

template <class T>
__host__ __device__ device_ptr<T> device_pointer_cast(T* raw) {
  return device_ptr<T>(raw);
}
template <class T>
__host__ __device__ T* raw_pointer_cast(T* raw) {
  return raw;
}
template <class T>
__host__ __device__ T* raw_pointer_cast(device_ptr<T> pointer) {
  return pointer.get();
}

template <class T>
struct device_reference {
  device_reference& operator=(const T& value) { __builtin_unreachable(); }
  operator T() const {}
};
template <class T>
struct device_allocator {
  using value_type = T;
};
template <class T>
struct device_malloc_allocator {
  using value_type = T;
  using pointer = device_ptr<T>;
  using size_type = std::size_t;
};

template <class T, class Allocator = device_allocator<T>>
struct device_vector {
  using value_type = T;
  using iterator = device_ptr<T>;
  device_vector() {}
  explicit device_vector(std::size_t n) {}
  device_vector(std::size_t n, const T& value) {}
  template <class Iterator>
  device_vector(Iterator first, Iterator last) {}
  iterator begin() const { __builtin_unreachable(); }
  iterator end() const { __builtin_unreachable(); }
  iterator data() const { __builtin_unreachable(); }
  std::size_t size() const { __builtin_unreachable(); }
  bool empty() const { __builtin_unreachable(); }
  void resize(std::size_t n) {}
  void clear() {}
  void push_back(const T& value) {}
  device_reference<T> operator[](std::size_t n) { __builtin_unreachable(); }
};

template <class T, class Allocator = std::allocator<T>>
struct host_vector {
  using value_type = T;
  using iterator = T*;
  host_vector() {}
  explicit host_vector(std::size_t n) {}
  host_vector(std::size_t n, const T& value) {}
  host_vector(const device_vector<T>& other) {}
  iterator begin() const { __builtin_unreachable(); }
  iterator end() const { __builtin_unreachable(); }
  T* data() const { __builtin_unreachable(); }
  std::size_t size() const { __builtin_unreachable(); }
  void resize(std::size_t n) {}
  void push_back(const T& value) {}
  T& operator[](std::size_t n) { __builtin_unreachable(); }
};

template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};

#define FASTPT_FUNCTOR(name, result, expression)                            \
  template <class T = void>                                                 \
  struct name {                                                             \
    __host__ __device__ result operator()(const T& a, const T& b) const {   \
      return expression;                                                    \
    }                                                                       \
  };                                                                        \
  template <>                                                               \
  struct name<void> {                                                       \
    template <class A, class B>                                             \
    __host__ __device__ auto operator()(const A& a, const B& b) const {     \
      return expression;                                                    \
    }                                                                       \
  };
FASTPT_FUNCTOR(plus, T, a + b)
FASTPT_FUNCTOR(minus, T, a - b)
FASTPT_FUNCTOR(multiplies, T, a* b)
FASTPT_FUNCTOR(divides, T, a / b)
FASTPT_FUNCTOR(equal_to, bool, a == b)
FASTPT_FUNCTOR(not_equal_to, bool, a != b)
FASTPT_FUNCTOR(less, bool, a < b)
FASTPT_FUNCTOR(less_equal, bool, a <= b)
FASTPT_FUNCTOR(greater, bool, a > b)
FASTPT_FUNCTOR(greater_equal, bool, a >= b)
FASTPT_FUNCTOR(maximum, T, a > b ? a : b)
FASTPT_FUNCTOR(minimum, T, a < b ? a : b)
FASTPT_FUNCTOR(logical_and, bool, a&& b)
FASTPT_FUNCTOR(logical_or, bool, a || b)
#undef FASTPT_FUNCTOR

template <class T>
struct negate {
  __host__ __device__ T operator()(const T& a) const { return -a; }
};
template <class T>
struct identity {
  __host__ __device__ const T& operator()(const T& a) const { return a; }
};

}  // namespace thrust
