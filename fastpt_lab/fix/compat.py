"""The generated compatibility header: own names for both compilers, only what a project uses.

It is a file of the project like any other: the transcoders read it, nvcc compiles it, and it
is written only when it was accepted, through the journal.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import HandWrittenFileError
from fastpt_lab.core.guard import dead_under_hip
from fastpt_lab.core.scan import Kind, tokens
from fastpt_lab.fix.compat_blas import GEMMS, Constant, constants
from fastpt_lab.fix.compat_mark import is_untouched, marked
from fastpt_lab.fix.compat_math import MATH
from fastpt_lab.fix.compat_text import body_of, probe_of
from fastpt_lab.fix.compat_warp import WARP

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.fix.compat_wrapper import Wrapper

WRAPPERS: tuple[Wrapper, ...] = (*WARP, *MATH)
_BY_NAME = {wrapper.own: wrapper for wrapper in WRAPPERS}
_REGISTER = re.compile(r"%(laneid|lanemask_[lg][te]|lanemask_eq)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompatHeader:
    """A proposed header.

    Attributes:
        path: where it would be.
        text: what it would hold; the same as `before` where it is up to date.
        before: what it holds now, None where it is not there.
        names: CUDA's names that the project uses and the header has a wrapper for.
        remarks: what was left out, and why.
        compiled: whether the installed hipcc takes a kernel that uses all of it, None where
            that could not be found out.
    """

    path: Path
    text: str
    before: str | None
    names: tuple[str, ...]
    remarks: tuple[str, ...]
    compiled: bool | None


def compat_header(
    workspace: Workspace, stack: Stack, root: Path, path: Path | None = None
) -> CompatHeader | None:
    """Return the header of a project, None if it uses nothing that needs one.

    Args:
        workspace: the project's originals.
        stack: what is installed; a name that it has in CUDA's meaning needs no wrapper.
        root: the project's folder, whose name is the prefix of all names.
        path: where the header should be; by default where it is, else beside what needs it.

    Raises:
        HandWrittenFileError: a person wrote or changed the file at `path`.
    """
    texts = {
        original: document.text
        for original in workspace.originals()
        if (document := workspace.document(original)) is not None
    }
    headers = [original for original, text in texts.items() if is_untouched(text)]
    target = path or (headers[0] if headers else None)
    others = {o: text for o, text in texts.items() if o != target and o not in headers}
    used = {original: _used(text) for original, text in others.items()}
    if target is None:
        target = _beside(used, root)
    known = workspace.document(target)
    if target.exists() and (known is None or not is_untouched(known.text)):
        raise HandWrittenFileError(
            f"{target.name} was written or changed by hand",
            next_step="Name another file: --compat-header PATH",
        )
    return _made(used, stack, target, known.text if known else None, prefix_of(root))


def prefix_of(root: Path) -> str:
    """Return the project's name as the beginning of C++ names."""
    words = re.sub(r"[^a-z0-9]+", "_", root.name.lower()).strip("_")
    return words if words[:1].isalpha() else f"project_{words}".rstrip("_")


def _made(
    used: dict[Path, frozenset[str]],
    stack: Stack,
    target: Path,
    before: str | None,
    prefix: str,
) -> CompatHeader | None:
    words = frozenset().union(*used.values())
    remarks: list[str] = []
    wanted = [w for w in WRAPPERS if _needed(w, words, stack) or _kept(w, before, words)]
    types = tuple(constants(words, stack, remarks))
    wrappers, compiled = _compiling(wanted, types, stack, prefix, remarks)
    if not wrappers and not types:
        return None
    text = marked(body_of(_with_needs(wrappers), types, prefix, target.name))
    found = {
        name for wrapper in wrappers for name in wrapper.names if _key(wrapper, name) in words
    }
    return CompatHeader(
        path=target,
        text=text,
        before=before,
        names=tuple(sorted({*found, *(constant.name for constant in types)})),
        remarks=tuple(remarks),
        compiled=compiled,
    )


def _key(wrapper: Wrapper, name: str) -> str:
    return f"%{name}" if wrapper.in_assembly else name


def _needed(wrapper: Wrapper, words: frozenset[str], stack: Stack) -> bool:
    if not any(_key(wrapper, name) in words for name in wrapper.names):
        return False
    if wrapper.in_assembly or wrapper.widths_differ:
        return True
    return not all(stack.has(name) for name in wrapper.names)


def _kept(wrapper: Wrapper, before: str | None, words: frozenset[str]) -> bool:
    """Whether an earlier header has it, and the project may call it by its own name."""
    return (
        bool(wrapper.names)
        and before is not None
        and wrapper.head in before
        and wrapper.own in words
    )


def _with_needs(wrappers: Sequence[Wrapper]) -> tuple[Wrapper, ...]:
    names = {name for wrapper in wrappers for name in (*wrapper.needs, wrapper.own)}
    return tuple(wrapper for wrapper in WRAPPERS if wrapper.own in names)


def _compiling(
    wrappers: list[Wrapper],
    types: Sequence[Constant],
    stack: Stack,
    prefix: str,
    remarks: list[str],
) -> tuple[list[Wrapper], bool | None]:
    """Return those wrappers that the installed compiler takes, and whether it was asked."""

    def takes(some: Sequence[Wrapper], constants: Sequence[Constant]) -> bool | None:
        return stack.compiles(probe_of(_with_needs(some), constants, prefix))

    whole = takes(wrappers, types)
    if whole is not False:
        return wrappers, whole
    good = [wrapper for wrapper in wrappers if takes([wrapper], ()) is not False]
    remarks += [
        f"{wrapper.own} is left out: the installed hipcc does not take it"
        for wrapper in wrappers
        if wrapper not in good
    ]
    return good, takes(good, types)


def _used(text: str) -> frozenset[str]:
    """Return the identifiers that a HIP compiler reads, and registers in strings with a `%`."""
    dead = dead_under_hip(text)
    found: set[str] = set()
    for token in tokens(text):
        if any(start <= token.start < end for start, end in dead):
            continue
        word = text[token.start : token.end]
        if token.kind is Kind.IDENTIFIER:
            found.add(word)
        elif token.kind is Kind.STRING:
            found.update(f"%{name}" for name in _REGISTER.findall(word))
    return frozenset(found)


def _beside(used: dict[Path, frozenset[str]], root: Path) -> Path:
    """Return the path of a new header: in the folder that what needs it has in common."""
    wanted = {_key(w, name) for w in WRAPPERS for name in w.names} | GEMMS.keys()
    folders: Iterable[Path] = {path.parent for path, words in used.items() if words & wanted}
    common = Path(os.path.commonpath(folders)) if folders else root
    return common / f"{prefix_of(root)}_compat.h"
