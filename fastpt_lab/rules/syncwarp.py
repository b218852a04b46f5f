"""Order memory and hold the wavefront together where CUDA calls `__syncwarp`.

Why: HIP before 7 has no `__syncwarp`. Lanes of a wavefront run in step, but the compiler may
still move memory accesses: deleting the call has caused races.

Safety: safe for the full mask where no other branch has a partner: a wavefront covers the
CUDA warp, the two fences order memory among its lanes and the barrier keeps the compiler from
moving anything across. Unsafe for other masks, which name lanes that need not arrive together.

Never offered: the deletion of the call, and clang's own proposal `__sync_swap`.

Source: LLVM AMDGPU usage, memory model and `llvm.amdgcn.wave.barrier`; ORNL/HeCBench#221;
vllm-project/vllm#25996; hypre-space/hypre#1490 for own shims that clash with HIP 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit import warp
from fastpt_lab.rules.kit.rewrite import Form, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.calls import Call
    from fastpt_lab.rules.kit.proposal import Proposal

BARRIER = (
    '(__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront"), __builtin_amdgcn_wave_barrier(),'
    ' __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront"))'
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the fences and the wave barrier."""

    def form(call: Call, arguments: tuple[str, ...]) -> Form | None:
        if len(arguments) > 1 or (arguments and warp.has_effects(arguments[0])):
            return None
        context = warp.context_of(call)
        mask = warp.mask_doubt(call, context, workspace) if arguments else None
        doubts = (mask, warp.divergence_doubt(call))
        proof = (
            "release and acquire fences of the wavefront and a wave barrier order what the"
            " 32 lanes wrote before with what they read after"
        )
        return Form(BARRIER, tuple(doubt for doubt in doubts if doubt), proof)

    every = "Replace __syncwarp under HIP"
    yield from rewritten(diagnostic, workspace, stack, {"__syncwarp": form}, every)
