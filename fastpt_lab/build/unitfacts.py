"""Read what a unit and the project headers that it includes need of a compile command."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import FastptError
from fastpt_lab.core.scan import Kind, code_tokens
from fastpt_lab.host.files import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
_TORCH = re.compile(r"(?:torch|ATen|c10|caffe2|pybind11|THH|THC)/")
_TORCH_BUILD = re.compile(
    r"cpp_extension|CUDAExtension|CppExtension|find_package\s*\(\s*Torch\b|TORCH_LIBRARIES"
)
_ASM = re.compile(r"\b(?:asm|__asm__|__asm)\b")
_BUILD_FILES = ("setup.py", "pyproject.toml", "CMakeLists.txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitFacts:
    """What a unit's own text and its project headers say.

    Attributes:
        uses_torch: it includes a header of torch, or torch's build compiles it.
        inline_assembly: bad instructions show only when code is generated.
    """

    uses_torch: bool
    inline_assembly: bool


def read_facts(
    unit: Path, original: Path, root: Path, include_dirs: Sequence[Path]
) -> UnitFacts:
    """Return the facts of the unit at `unit`; project headers are those found below `root`.

    Build files are looked for from the `original` upwards: the unit may be written elsewhere.
    """
    root = root.resolve()
    uses_torch = inline_assembly = False
    for text in _closure(unit, root, include_dirs):
        names = (match[2] for match in _INCLUDE.finditer(text))
        uses_torch = uses_torch or any(_TORCH.match(name) for name in names)
        inline_assembly = inline_assembly or _has_assembly(text)
    return UnitFacts(
        uses_torch=uses_torch or _built_by_torch(original, root),
        inline_assembly=inline_assembly,
    )


def _closure(unit: Path, root: Path, include_dirs: Sequence[Path]) -> Iterator[str]:
    waiting, seen = [unit.resolve()], set[Path]()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        try:
            text = read_source(path).document.text
        except FastptError:
            continue
        yield text
        for match in _INCLUDE.finditer(text):
            beside = [path.parent] if match[1] == '"' else []
            for folder in (*beside, *include_dirs):
                found = (folder / match[2]).resolve()
                if found.is_file():
                    if found.is_relative_to(root):
                        waiting.append(found)
                    break


def _has_assembly(text: str) -> bool:
    """Return whether `asm` stands in code; comments, strings and macro names do not count."""
    if _ASM.search(text) is None:
        return False
    words = (token for token in code_tokens(text) if token.kind is Kind.IDENTIFIER)
    return any(_ASM.fullmatch(text[token.start : token.end]) for token in words)


def _built_by_torch(unit: Path, root: Path) -> bool:
    """Return whether a build file between the unit and the root builds torch extensions."""
    unit = unit.resolve()
    for folder in unit.parents if unit.is_relative_to(root) else ():
        for name in _BUILD_FILES:
            try:
                if _TORCH_BUILD.search((folder / name).read_text("utf-8", errors="replace")):
                    return True
            except OSError:
                continue
        if folder == root:
            break
    return False
