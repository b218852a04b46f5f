"""One entry of the compatibility header: its own name, what it stands for, and both forms."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """A function of the header.

    Attributes:
        own: its name in the header's namespace.
        names: CUDA's names that it stands for.
        call: how it is called, for the header's list.
        meaning: what both forms compute, and what is asked of the caller.
        source: where that is laid down.
        head: everything before the body, parameters included.
        hip: statements of the body under HIP.
        cuda: statements of the body under CUDA.
        probe: a statement of a kernel that uses it; `i` is an `int*`, `c` the namespace.
        needs: own names of entries that it calls under HIP.
        in_assembly: `names` are registers that inline assembly reads, written `%name`.
        widths_differ: HIP's function of the same name, where there is one, has other mask or
            result widths, so that its being there is no reason to leave this out.
        half: it needs the half header.
    """

    own: str
    names: tuple[str, ...] = ()
    call: str = ""
    meaning: str
    source: str
    head: str
    hip: str
    cuda: str = ""
    probe: str = ""
    needs: tuple[str, ...] = ()
    in_assembly: bool = False
    widths_differ: bool = False
    half: bool = False
