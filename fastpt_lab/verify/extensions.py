"""Find the extensions that a project has built, the newest file of each."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from fastpt_lab.verify.linkage import elf_of

_SKIPPED = frozenset({".git", ".hg", ".fastpt", "node_modules", "__pycache__", ".venv", "venv"})
_SOURCES = frozenset({".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp", ".hip"})
_NAME = re.compile(r"^([A-Za-z_]\w*)(?:\.(?:cpython-\d+[\w-]*|abi3))?\.so$")
_BUILD = re.compile(r"^(?:lib(?:\..*)?|temp\..*|bdist\..*)$")
_MOST_FILES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """One module that was built.

    Attributes:
        module: as it is imported, `fused_norm._C`.
        path: the newest file of it.
        import_folder: what must be on the path for the import.
        shown: `path` from the project's root.
        sources_newer: sources of the project that were changed after it was built.
    """

    module: str
    path: Path
    import_folder: Path
    shown: str
    sources_newer: tuple[Path, ...]


def find_extensions(root: Path) -> tuple[Extension, ...]:
    """Return the Python extensions below `root`, by module, the newest file of each.

    A shared library is one when it defines `PyInit_…`, or registers operators of torch
    (`TORCH_LIBRARY`, whose initialisers are named so).
    """
    libraries, sources = _walk(root)
    newest: dict[str, Extension] = {}
    for path in sorted(libraries, key=lambda p: p.stat().st_mtime):
        match = _NAME.match(path.name)
        elf = elf_of(path) if match else None
        broken = match is not None and elf is None
        if match and (broken or (elf and _is_extension(match.group(1), elf))):
            module, folder = _module(root, path, match.group(1))
            built = path.stat().st_mtime
            newest[module] = Extension(
                module=module,
                path=path,
                import_folder=folder,
                shown=path.relative_to(root).as_posix(),
                sources_newer=tuple(s for s in sources if s.stat().st_mtime > built),
            )
    return tuple(newest[module] for module in sorted(newest))


def _is_extension(name: str, elf: object) -> bool:
    symbols = getattr(elf, "symbols", ())
    return any(
        symbol.defined and (symbol.name == f"PyInit_{name}" or "TORCH_LIBRARY" in symbol.name)
        for symbol in symbols
    )


def _walk(root: Path) -> tuple[list[Path], list[Path]]:
    libraries: list[Path] = []
    sources: list[Path] = []
    seen = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if name not in _SKIPPED and not (Path(folder) / name / "pyvenv.cfg").exists()
        ]
        for name in files:
            seen += 1
            path = Path(folder) / name
            if ".so" in name and path.is_file():
                libraries.append(path)
            elif path.suffix in _SOURCES and "build" not in path.relative_to(root).parts:
                sources.append(path)
        if seen > _MOST_FILES:
            break
    return libraries, [path for path in sources if path.is_file()]


def _module(root: Path, path: Path, name: str) -> tuple[str, Path]:
    """Return the dotted name and the folder to import from: packages have an `__init__.py`.

    Below `build/lib.…` the package's own `__init__.py` may be absent (setuptools copies only
    the extension into an editable build), so the folders below it count as packages.
    """
    folder = path.parent
    parts = [name]
    while folder != root and folder.is_relative_to(root):
        in_build = _BUILD.match(folder.name) and folder.parent.name == "build"
        if in_build or not ((folder / "__init__.py").exists() or _inside_build(root, folder)):
            break
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def _inside_build(root: Path, folder: Path) -> bool:
    return any(
        _BUILD.match(parent.name) and parent.parent.name == "build"
        for parent in folder.parents
        if parent.is_relative_to(root)
    )
