"""Write device intrinsics that HIP does not have as what they compute.

Why: `__nanosleep`, `__dp4a`, `__trap`, the cache-hinted loads and stores and others are
CUDA's alone.

Safety: safe where the expression computes the same for every input: cache hints only advise,
`__nanosleep` may return at once, `__dp4a` is four products of bytes and a wrapping sum.
Unsafe for `__ldcv`, which must read memory again, here through `volatile`.

Never offered: for SIMD-in-a-word functions (`__vadd4`) and address-space queries.

Source: CUDA C++ Programming Guide and CUDA 13 sm_61_intrinsics.hpp; LLVM AMDGPU builtins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.rewrite import Form, fixed_form, operand, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.calls import Call
    from fastpt_lab.rules.kit.proposal import Proposal

_DP4A = (
    "[](auto a, auto b, auto c) {{ for (int s = 0; s < 32; s += 8) c = (decltype(c))"
    "((unsigned int)c + ((decltype(a))((unsigned int)a << s) >> 24) * "
    "((decltype(b))((unsigned int)b << s) >> 24)); return c; }}({a0}, {a1}, {a2})"
)
_HINT = "the cache hint only advises; the value is the same"
_LOADS = ("__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldg")
_STORES = ("__stcg", "__stwb", "__stcs", "__stwt")


def _sleep(call: Call, arguments: tuple[str, ...]) -> Form | None:
    """Return a short sleep: the argument is only a hint, if nothing else hangs on it."""
    if len(arguments) != 1 or any(sign in arguments[0] for sign in ("(", "=", "++", "--")):
        return None
    proof = "the time is a hint: any duration down to none is allowed"
    return Form("__builtin_amdgcn_s_sleep(1)", (), proof)


def _volatile(call: Call, arguments: tuple[str, ...]) -> Form | None:
    if len(arguments) != 1:
        return None
    pointer = operand(arguments[0])
    text = f"[](auto p) {{ volatile auto* q = p; return *q; }}({pointer})"
    return Form(text, ("a volatile read is not promised to pass the caches",), "")


_FORMS = {
    "__nanosleep": _sleep,
    "__dp4a": fixed_form(_DP4A, 3, proof="four products of bytes, added to the third argument"),
    "__trap": fixed_form("__builtin_trap()", 0, proof="both end the kernel with an error"),
    "__ldcv": _volatile,
    **dict.fromkeys(_LOADS, fixed_form("(*{0})", 1, proof=_HINT)),
    **dict.fromkeys(_STORES, fixed_form("(void)(*{0} = {1})", 2, proof=_HINT)),
}


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the expression in place of the intrinsic."""
    every = "Replace the intrinsics under HIP"
    yield from rewritten(diagnostic, workspace, stack, _FORMS, every)
