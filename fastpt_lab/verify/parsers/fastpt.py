"""Read what sourcing `fastpt -C` and `fastpt -E` prints: do DTK, torch and FastPT match."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.core.dtk import parse_dtk
from fastpt_lab.verify.parsers.plain import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class FastptOutput:
    """What was said; "" and None for what was not.

    Attributes:
        dtk: the DTK in use, as `25.04.4`.
        required_dtk: the one that this FastPT wants, where it says that they differ.
        torch_matches: what it says about torch.
        cuda_active: whether it says that GPUFusion's variables are set. The words are printed
            in a child process too, where they mean nothing: the caller's PATH decides.
    """

    dtk: str = ""
    required_dtk: str = ""
    torch_matches: bool | None = None
    cuda_active: bool = False

    @property
    def matches(self) -> bool | None:
        """Whether DTK and torch match; None where the output does not tell both."""
        if self.required_dtk and parse_dtk(self.required_dtk) != self.dtk:
            return False
        if self.torch_matches is False:
            return False
        return True if self.dtk and self.torch_matches else None


def parse_fastpt(text: str) -> FastptOutput:
    """Read the output. *Source*: FastPT 2 on DTK 25.04.2 and 25.04.4 images."""
    body = plain(text)
    current = re.search(r"current_dtk_version:[ \t]*([\d.]+)", body)
    required = re.search(
        r"dtk version [\d.]+, is inconsistent with the require[d]? dtk version ([\d.]+)", body
    )
    torch: bool | None = None
    if re.search(r"torch version matches the required|Torch version is correct", body):
        torch = True
    if re.search(
        r"torch version (?:does not match|is (?:inconsistent|incorrect))", body, re.IGNORECASE
    ):
        torch = False
    return FastptOutput(
        dtk=parse_dtk(current.group(1)) if current else "",
        required_dtk=parse_dtk(required.group(1)) if required else "",
        torch_matches=torch,
        cuda_active="USE FASTPT CUDA is set" in body,
    )
