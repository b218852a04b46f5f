// Declaration stand-in for rocRAND, after the public interface of rocRAND 3.2 (ROCm 6.3): what
// hipRAND's own headers are built on. Nothing here can be linked.
#pragma once
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <stddef.h>

typedef struct rocrand_generator_base_type* rocrand_generator;

struct rocrand_discrete_distribution_st {
  unsigned int size;
  unsigned int offset;
  unsigned int* alias;
  double* probability;
  double* cdf;
};
typedef struct rocrand_discrete_distribution_st* rocrand_discrete_distribution;

typedef enum rocrand_status {
  ROCRAND_STATUS_SUCCESS = 0,
  ROCRAND_STATUS_VERSION_MISMATCH = 100,
  ROCRAND_STATUS_NOT_CREATED = 101,
  ROCRAND_STATUS_ALLOCATION_FAILED = 102,
  ROCRAND_STATUS_TYPE_ERROR = 103,
  ROCRAND_STATUS_OUT_OF_RANGE = 104,
  ROCRAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  ROCRAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  ROCRAND_STATUS_LAUNCH_FAILURE = 107,
  ROCRAND_STATUS_INTERNAL_ERROR = 108
} rocrand_status;

typedef enum rocrand_rng_type {
  ROCRAND_RNG_PSEUDO_DEFAULT = 400,
  ROCRAND_RNG_PSEUDO_XORWOW = 401,
  ROCRAND_RNG_PSEUDO_MRG32K3A = 402,
  ROCRAND_RNG_PSEUDO_MTGP32 = 403,
  ROCRAND_RNG_PSEUDO_PHILOX4_32_10 = 404,
  ROCRAND_RNG_QUASI_DEFAULT = 500,
  ROCRAND_RNG_QUASI_SOBOL32 = 501
} rocrand_rng_type;

extern "C" {
rocrand_status rocrand_create_generator(rocrand_generator* generator, rocrand_rng_type rng_type);
rocrand_status rocrand_destroy_generator(rocrand_generator generator);
rocrand_status rocrand_generate(rocrand_generator generator, unsigned int* output_data, size_t n);
rocrand_status rocrand_generate_uniform(rocrand_generator generator, float* output_data, size_t n);
rocrand_status rocrand_generate_uniform_double(rocrand_generator generator, double* output_data,
                                               size_t n);
rocrand_status rocrand_generate_normal(rocrand_generator generator, float* output_data, size_t n,
                                       float mean, float stddev);
rocrand_status rocrand_generate_normal_double(rocrand_generator generator, double* output_data,
                                              size_t n, double mean, double stddev);
rocrand_status rocrand_generate_log_normal(rocrand_generator generator, float* output_data,
                                           size_t n, float mean, float stddev);
rocrand_status rocrand_generate_poisson(rocrand_generator generator, unsigned int* output_data,
                                        size_t n, double lambda);
rocrand_status rocrand_initialize_generator(rocrand_generator generator);
rocrand_status rocrand_set_stream(rocrand_generator generator, hipStream_t stream);
rocrand_status rocrand_set_seed(rocrand_generator generator, unsigned long long seed);
rocrand_status rocrand_set_offset(rocrand_generator generator, unsigned long long offset);
rocrand_status rocrand_get_version(int* version);
}
