"""Hipify a copy of torch's headers with torch's own hipify: a program for a child process.

Arguments: the torch package, an empty folder, and a word for each suffix of a header. Only files
that name something of hipify's tables are given to it, all others are only copied: of torch 2.13's
9431 headers few do, and hipify reads each of them for seconds. They are no links: gcc 12 takes a
system header's real path where that is shorter, and then includes the installed neighbours.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

_WORD = re.compile(rb"[A-Za-z_]\w+")
_ALWAYS = (b"<<<", b"__shared__", b"__syncthreads")
_RENAMED = ("cuda", "CUDA", "THC")


def main(torch: Path, target: Path) -> None:
    """Fill `target` with the hipified headers of the `torch` package."""
    hipify = _load(torch)
    words = _rarest_words(hipify.CUDA_TO_HIP_MAPPINGS)
    source = torch / "include"
    chosen = []
    for path in sorted(source.rglob("*")):
        if not path.is_file():
            continue
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        copy.write_bytes(data)
        renamed = any(part in str(copy) for part in _RENAMED)
        named = renamed or any(mark in data for mark in _ALWAYS)
        if named or not words.isdisjoint(_WORD.findall(data)):
            chosen.append(str(copy))
    hipify.hipify(
        project_directory=str(target),
        output_directory=str(target),
        includes=chosen,
        is_pytorch_extension=True,
        show_progress=False,
    )
    _fold(source, target)


def _load(torch: Path) -> Any:  # noqa: ANN401 - a module whose interface torch does not type
    """Import hipify alone: through torch it would cost a second and load every library."""
    sys.path.insert(0, str(torch / "utils"))
    try:
        return importlib.import_module("hipify.hipify_python")
    except ImportError:
        return importlib.import_module("torch.utils.hipify.hipify_python")


def _rarest_words(tables: list[dict[str, Any]]) -> set[bytes]:
    """Return for each entry its longest word: any text that it changes contains all its words.

    The directive's own word says nothing: every header has it.
    """
    found = (set(_WORD.findall(key.encode())) for table in tables for key in table)
    rest = (words - {b"include"} for words in found)
    # Among the longest the last by name: the order of a set differs from process to process.
    return {max(words, key=lambda word: (len(word), word)) for words in rest if words}


def _fold(source: Path, target: Path) -> None:
    """Let both spellings work: `x_hip.h`, made beside `x.h`, becomes `x.h`, and includes it.

    hipify renames a header whose text changed and rewrites those who include it by name; a
    project's own files may still include it by the name that torch documents.
    """
    for renamed in sorted(target.rglob("*_hip.*")):
        plain = renamed.with_name(renamed.name.replace("_hip.", ".", 1))
        if (source / renamed.relative_to(target)).exists() or not plain.exists():
            continue
        plain.unlink()
        renamed.rename(plain)
        renamed.write_text(f'#include "{plain.name}"\n', "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
