from __future__ import annotations

from fastpt_lab.build.declarations import enumerators, parameter_types, sdk_text

HEADER = """
typedef enum { HIPBLAS_R_16F = 150, HIPBLAS_R_32F = 151 } hipblasDatatype_t;
typedef enum hipDataType {
  HIP_R_16F = 2,
  HIP_R_32F
} hipDataType;
enum class Side : int { left, right = 3, };
typedef enum tag_ { A_ONE, A_TWO } alias_t;
hipblasStatus_t hipblasGemmEx(hipblasHandle_t handle, int m, const void* alpha,
    hipblasDatatype_t aType, float *const C[], void (*done)(int, float), unsigned long long);
__attribute__((device)) static inline int __shfl_xor(int var, int lane_mask, int width = warpSize) {
  return helper(var, 3);
}
template <class T> T hipcub_max(const T& a, std::pair<int, float> b);
void nothing(void);
int caller() { int x = nothing(); other(__shfl_xor(1, 2)); return __shfl_xor(x, 3); }
"""


def test_types_as_clang_spells_them() -> None:
    assert parameter_types(HEADER, "hipblasGemmEx") == (
        (
            "hipblasHandle_t",
            "int",
            "const void *",
            "hipblasDatatype_t",
            "float *const *",
            "void (*)(int, float)",
            "unsigned long long",
        ),
    )


def test_defaults_are_dropped_and_calls_are_not_declarations() -> None:
    assert parameter_types(HEADER, "__shfl_xor") == (("int", "int", "int"),)


def test_templates_and_no_parameters() -> None:
    assert parameter_types(HEADER, "hipcub_max") == (("const T &", "std::pair<int, float>"),)
    assert parameter_types(HEADER, "nothing") == ((),)
    assert parameter_types(HEADER, "absent") == ()


def test_enumerations_of_every_shape() -> None:
    assert enumerators(HEADER, "hipblasDatatype_t") == ("HIPBLAS_R_16F", "HIPBLAS_R_32F")
    assert enumerators(HEADER, "hipDataType") == ("HIP_R_16F", "HIP_R_32F")
    assert enumerators(HEADER, "Side") == ("left", "right")
    assert enumerators(HEADER, "alias_t") == ("A_ONE", "A_TWO")
    assert enumerators(HEADER, "absent") == ()


def test_only_the_sdk_is_kept() -> None:
    text = (
        '# 1 "/usr/include/c++/12/cmath" 1 3\nfloat fabs(float);\n'
        '# 1 "/opt/rocm/include/hip/hip_fp16.h" 1 3\n__half __hadd(__half, __half);\n'
    )
    assert sdk_text(text).strip() == "__half __hadd(__half, __half);"
