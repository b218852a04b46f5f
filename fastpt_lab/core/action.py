"""What could be done about a diagnostic: the LSP 3.17 `CodeAction`, with its trust measured."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastpt_lab.core.text import WorkspaceEdit


class Applicability(IntEnum):
    """How far an action may be trusted; the higher, the more.

    SAFE: the HIP form is shown to mean the same for every execution; may be applied unseen.
    UNSAFE: a person must look, the reason is in the evidence.
    DISPLAY_ONLY: never applied by the tool; an example or an instruction.
    """

    DISPLAY_ONLY = 0
    UNSAFE = 1
    SAFE = 2

    @property
    def word(self) -> str:
        """The spelling of the JSON contract: `safe`, `unsafe`, `display-only`."""
        return self.name.lower().replace("_", "-")


class ActionKind(str, Enum):
    """What has to change: a source, a compiler flag, the environment, or a person's mind."""

    EDIT = "edit"
    FLAG = "flag"
    ENVIRONMENT = "environment"
    ADVICE = "advice"


class CudaEffect(str, Enum):
    """What a CUDA compiler sees of the edit.

    DIFFERS: another program; only an edit of the user's own can be so, and it is never written.
    """

    IDENTICAL = "identical"
    ATTRIBUTE_ONLY = "attribute-only"
    NONE = "none"
    DIFFERS = "differs"


class TrialStatus(str, Enum):
    """What the user's own compiler said when the action was tried on a scratch copy.

    FIXED: the diagnosed error is gone and the unit compiles; ADVANCED: it is gone and the next
    first error is another one, later in the build's order; UNCHANGED: it is still there;
    WORSE: an earlier error, or more of them at the same place; NOT_RUN: not tried.
    """

    FIXED = "fixed"
    ADVANCED = "advanced"
    UNCHANGED = "unchanged"
    WORSE = "worse"
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A measured outcome. First errors are shown as `path:line:column: message`, or None."""

    status: TrialStatus
    first_error_before: str | None = None
    first_error_after: str | None = None
    errors_before: int = 0
    errors_after: int = 0
    seconds: float = 0.0


NOT_TRIED = Trial(status=TrialStatus.NOT_RUN)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagChange:
    """Compiler flags to add and to remove, each as one word."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeAction:
    """A titled change and the diagnostics that it answers.

    Attributes:
        title: imperative, one line: "Drop the mask of __shfl_xor_sync under HIP".
        rule: the rule's name, kebab-case.
        kind: whether `edit`, `flags` or only `advice` says what to do.
        applicability: how far to trust it; `evidence` argues it.
        cuda_effect: what a CUDA compiler sees of the edit.
        diagnostics: ids of the diagnostics answered.
        edit: edits of originals only, or None.
        advice: what a person should do and why, or None.
        flags: for kind FLAG.
        evidence: the facts it rests on: the compiler's note, a probe, a header's line.
        trial: outcome of the last trial.
        id: `a1`, … in reading order; "" until a report numbers it.
    """

    title: str
    rule: str
    kind: ActionKind
    applicability: Applicability
    cuda_effect: CudaEffect
    diagnostics: tuple[str, ...] = ()
    edit: WorkspaceEdit | None = None
    advice: str | None = None
    flags: FlagChange | None = None
    evidence: tuple[str, ...] = ()
    trial: Trial = NOT_TRIED
    id: str = ""
