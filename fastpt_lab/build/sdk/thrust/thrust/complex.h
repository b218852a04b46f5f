// Declaration stand-in for thrust::complex, after Thrust 1.17 (rocThrust 2.10, ROCm 5.2). The
// functions cannot be linked.
#pragma once
#include <cmath>
#include <complex>
#include <hip/hip_runtime.h>

namespace thrust {

template <class T>
struct complex {
  using value_type = T;

  complex() = default;
  __host__ __device__ complex(const T& re) : data_{re, T()} {}
  __host__ __device__ complex(const T& re, const T& im) : data_{re, im} {}
  template <class U>
  __host__ __device__ complex(const complex<U>& other) : data_{T(other.real()), T(other.imag())} {}
  template <class U>
  __host__ complex(const std::complex<U>& other) : data_{T(other.real()), T(other.imag())} {}

  __host__ __device__ T real() const { return data_.x; }
  __host__ __device__ T imag() const { return data_.y; }
  __host__ __device__ void real(T re) { data_.x = re; }
  __host__ __device__ void imag(T im) { data_.y = im; }
  __host__ operator std::complex<T>() const { return std::complex<T>(real(), imag()); }

  template <class U>
  __host__ __device__ complex& operator+=(const complex<U>& z) { __builtin_unreachable(); }
  template <class U>
  __host__ __device__ complex& operator-=(const complex<U>& z) { __builtin_unreachable(); }
  template <class U>
  __host__ __device__ complex& operator*=(const complex<U>& z) { __builtin_unreachable(); }
  template <class U>
  __host__ __device__ complex& operator/=(const complex<U>& z) { __builtin_unreachable(); }

 private:
  struct {
    T x, y;
  } data_;
};

#define FASTPT_BINARY(op)                                                       \
  template <class T>                                                            \
  __host__ __device__ complex<T> operator op(const complex<T>& x, const complex<T>& y); \
  template <class T>                                                            \
  __host__ __device__ complex<T> operator op(const complex<T>& x, const T& y);  \
  template <class T>                                                            \
  __host__ __device__ complex<T> operator op(const T& x, const complex<T>& y);
FASTPT_BINARY(+)
FASTPT_BINARY(-)
FASTPT_BINARY(*)
FASTPT_BINARY(/)
#undef FASTPT_BINARY

#define FASTPT_UNARY(name) \
  template <class T>       \
  __host__ __device__ complex<T> name(const complex<T>& z);
FASTPT_UNARY(operator+)
FASTPT_UNARY(operator-)
FASTPT_UNARY(conj)
FASTPT_UNARY(proj)
FASTPT_UNARY(exp)
FASTPT_UNARY(log)
FASTPT_UNARY(log10)
FASTPT_UNARY(sqrt)
FASTPT_UNARY(sin)
FASTPT_UNARY(cos)
FASTPT_UNARY(tan)
FASTPT_UNARY(sinh)
FASTPT_UNARY(cosh)
FASTPT_UNARY(tanh)
FASTPT_UNARY(asin)
FASTPT_UNARY(acos)
FASTPT_UNARY(atan)
FASTPT_UNARY(asinh)
FASTPT_UNARY(acosh)
FASTPT_UNARY(atanh)
#undef FASTPT_UNARY

template <class T>
__host__ __device__ T abs(const complex<T>& z) { __builtin_unreachable(); }
template <class T>
__host__ __device__ T arg(const complex<T>& z) { __builtin_unreachable(); }
template <class T>
__host__ __device__ T norm(const complex<T>& z) { __builtin_unreachable(); }
template <class T>
__host__ __device__ complex<T> polar(const T& m, const T& theta = T()) { __builtin_unreachable(); }
template <class T, class U>
__host__ __device__ complex<T> pow(const complex<T>& x, const complex<U>& y) { __builtin_unreachable(); }
template <class T, class U>
__host__ __device__ complex<T> pow(const complex<T>& x, const U& y) { __builtin_unreachable(); }
template <class T, class U>
__host__ __device__ complex<U> pow(const T& x, const complex<U>& y) { __builtin_unreachable(); }
template <class T>
__host__ __device__ bool operator==(const complex<T>& x, const complex<T>& y) { __builtin_unreachable(); }
template <class T>
__host__ __device__ bool operator!=(const complex<T>& x, const complex<T>& y) { __builtin_unreachable(); }

}  // namespace thrust
