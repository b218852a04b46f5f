"""Which arguments of a call of hipBLAS are translated where a variable holds the other type."""

from __future__ import annotations

from dataclasses import dataclass

from rule_offers import Told
from rule_told import offers, seen

DATA = ("HIPBLAS_R_16F", "HIPBLAS_R_32F", "HIPBLAS_R_64F")
CALL = "no matching function for call to 'hipblasGemmEx'"
NOTE = (
    "candidate function not viable: no known conversion from '{}' to 'hipblasDatatype_t' for "
    "2nd argument"
)


@dataclass(frozen=True)
class Blas(Told):
    """A hipBLAS whose call takes data types of its own at the last two places."""

    known: tuple[str, ...] = DATA

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        types = ("hipblasHandle_t", "hipblasDatatype_t", "hipblasDatatype_t", "int")
        return (types,) if function == "hipblasGemmEx" else ()

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        return self.known if type_name == "hipblasDatatype_t" else ()


def after(arguments: str, given: str = "hipDataType", stack: Told | None = None) -> str | None:
    """Return the call as HIP sees it after the edit, None where none is offered."""
    text = f"void f(hipDataType t, int n) {{\n  §cublasGemmEx({arguments});\n}}\n"
    actions = offers("gemm-datatype", text, CALL, NOTE.format(given), stack=stack or Blas(True))
    return seen(actions[0], text).splitlines()[1].strip() if actions else None


def test_a_variable_of_the_other_type_is_translated() -> None:
    found = after("h, t, u, n")
    assert found is not None
    assert found.count("HIPBLAS_R_16F") == 2
    assert "u ==" in found


def test_what_is_no_variable_or_right_already_stays() -> None:
    found = after("h, t, of(n), n")
    assert found is not None
    assert ", of(n), n)" in found
    found = after("h, t, HIPBLAS_R_64F, n")
    assert found is not None
    assert ", HIPBLAS_R_64F, n)" in found


def test_only_data_types_of_hip_are_translated() -> None:
    assert after("h, t, u, n", given="int") is None
    assert after("h, t, u, n", stack=Blas(True, known=())) is None
