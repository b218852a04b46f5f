// Random numbers of Thrust 1.17: engines and distributions; see detail/algorithms.h.
#pragma once
#include <thrust/detail/types.h>

namespace thrust {
namespace random {

template <class UIntType>
struct linear_congruential_engine {
  typedef UIntType result_type;
  static const result_type default_seed = 1u;
  __host__ __device__ explicit linear_congruential_engine(result_type seed = default_seed) {}
  __host__ __device__ void seed(result_type seed = default_seed) {}
  __host__ __device__ result_type operator()() { __builtin_unreachable(); }
  __host__ __device__ void discard(unsigned long long steps) {}
  static constexpr result_type min = 1;
  static constexpr result_type max = 2147483646u;
};
typedef linear_congruential_engine<unsigned int> minstd_rand0;
typedef linear_congruential_engine<unsigned int> minstd_rand;
typedef minstd_rand default_random_engine;

template <class T>
struct uniform_int_distribution {
  typedef T result_type;
  __host__ __device__ explicit uniform_int_distribution(T first = 0, T last = 2147483647) {}
  template <class Engine>
  __host__ __device__ result_type operator()(Engine& engine) { __builtin_unreachable(); }
};
template <class T>
struct uniform_real_distribution {
  typedef T result_type;
  __host__ __device__ explicit uniform_real_distribution(T first = 0, T last = 1) {}
  template <class Engine>
  __host__ __device__ result_type operator()(Engine& engine) { __builtin_unreachable(); }
};
template <class T>
struct normal_distribution {
  typedef T result_type;
  __host__ __device__ explicit normal_distribution(T mean = 0, T deviation = 1) {}
  template <class Engine>
  __host__ __device__ result_type operator()(Engine& engine) { __builtin_unreachable(); }
};

}  // namespace random

using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust
