// Device side of rocRAND 3.2; see rocrand.h.
#pragma once
#include <rocrand/rocrand.h>

// rocRAND's engines are classes; what they hold is nobody's concern.
#define FASTPT_STATE(name) \
  struct name {            \
    unsigned int words[16]; \
  };
FASTPT_STATE(rocrand_state_xorwow)
FASTPT_STATE(rocrand_state_philox4x32_10)
FASTPT_STATE(rocrand_state_mrg31k3p)
FASTPT_STATE(rocrand_state_mrg32k3a)
FASTPT_STATE(rocrand_state_mtgp32)
FASTPT_STATE(rocrand_state_sobol32)
FASTPT_STATE(rocrand_state_scrambled_sobol32)
FASTPT_STATE(rocrand_state_sobol64)
FASTPT_STATE(rocrand_state_scrambled_sobol64)
FASTPT_STATE(rocrand_state_lfsr113)
FASTPT_STATE(rocrand_state_threefry2x32_20)
FASTPT_STATE(rocrand_state_threefry4x32_20)
FASTPT_STATE(mtgp32_params)
FASTPT_STATE(mtgp32_params_fast)
#undef FASTPT_STATE
typedef mtgp32_params_fast mtgp32_fast_params;

template <class State>
__device__ void rocrand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, State* state);
__device__ void rocrand_init(const unsigned int* vectors, unsigned int offset,
                             rocrand_state_sobol32* state);
__device__ void rocrand_init(const unsigned int* vectors, unsigned int scramble_constant,
                             unsigned int offset, rocrand_state_scrambled_sobol32* state);
__device__ void rocrand_init(const unsigned long long* vectors, unsigned int offset,
                             rocrand_state_sobol64* state);
__device__ void rocrand_init(const unsigned long long* vectors,
                             unsigned long long scramble_constant, unsigned int offset,
                             rocrand_state_scrambled_sobol64* state);
template <class State>
__device__ void skipahead(unsigned long long offset, State* state);
template <class State>
__device__ void skipahead_sequence(unsigned long long sequence, State* state);
template <class State>
__device__ void skipahead_subsequence(unsigned long long subsequence, State* state);

template <class State>
__device__ unsigned int rocrand(State* state);
template <class State>
__device__ unsigned long long rocrand_long_long(State* state);
template <class State>
__device__ float rocrand_uniform(State* state);
template <class State>
__device__ float2 rocrand_uniform2(State* state);
template <class State>
__device__ double rocrand_uniform_double(State* state);
template <class State>
__device__ float rocrand_normal(State* state);
template <class State>
__device__ float2 rocrand_normal2(State* state);
template <class State>
__device__ double rocrand_normal_double(State* state);
template <class State>
__device__ double2 rocrand_normal_double2(State* state);
template <class State>
__device__ float rocrand_log_normal(State* state, float mean, float stddev);
template <class State>
__device__ float2 rocrand_log_normal2(State* state, float mean, float stddev);
template <class State>
__device__ double rocrand_log_normal_double(State* state, double mean, double stddev);
template <class State>
__device__ double2 rocrand_log_normal_double2(State* state, double mean, double stddev);
template <class State>
__device__ unsigned int rocrand_poisson(State* state, double lambda);
template <class State>
__device__ unsigned int rocrand_discrete(State* state, rocrand_discrete_distribution distribution);

__device__ uint4 rocrand4(rocrand_state_philox4x32_10* state);
__device__ float4 rocrand_uniform4(rocrand_state_philox4x32_10* state);
__device__ double2 rocrand_uniform_double2(rocrand_state_philox4x32_10* state);
__device__ double4 rocrand_uniform_double4(rocrand_state_philox4x32_10* state);
__device__ float4 rocrand_normal4(rocrand_state_philox4x32_10* state);
__device__ double4 rocrand_normal_double4(rocrand_state_philox4x32_10* state);
__device__ float4 rocrand_log_normal4(rocrand_state_philox4x32_10* state, float mean, float stddev);
__device__ double4 rocrand_log_normal_double4(rocrand_state_philox4x32_10* state, double mean,
                                              double stddev);
__device__ uint4 rocrand_poisson4(rocrand_state_philox4x32_10* state, double lambda);
__device__ uint4 rocrand_discrete4(rocrand_state_philox4x32_10* state,
                                   rocrand_discrete_distribution distribution);

__device__ void rocrand_mtgp32_block_copy(rocrand_state_mtgp32* src, rocrand_state_mtgp32* dest);
__device__ void rocrand_mtgp32_set_params(rocrand_state_mtgp32* state, mtgp32_params* params);
