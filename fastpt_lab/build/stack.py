"""Answer a rule's questions about the user's HIP stack by asking compiler and headers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.build.declarations import enumerators, parameter_types, sdk_text
from fastpt_lab.build.probe import SDK_HEADERS, Prober, headers_that_work, include_folders

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from fastpt_lab.build.toolchain import Toolchain

_SDK_FOLDER = re.compile(
    r"(?:hip|roc|rccl|thrust|cub|miopen|hsa|ck|rocm|amd_)[\w.-]*", re.IGNORECASE
)
_HEADER_SUFFIXES = frozenset({".h", ".hpp", ".cuh", ".inl", ".inc", ""})


class ProbedStack:
    """`core.stack.Stack`, probed with one compiler and one set of flags.

    Args:
        toolchain: the compiler.
        flags: the flags of the units, include folders among them, without `-c` and `-o`.
        cwd: the folder that relative include folders start from.
    """

    def __init__(self, toolchain: Toolchain, flags: Sequence[str], *, cwd: Path) -> None:
        self._toolchain = toolchain
        self._flags = tuple(flags)
        self._cwd = cwd
        self._prober = Prober(toolchain, _without_targets(flags), cwd)
        self._headers: tuple[str, ...] | None = None
        self._text: str | None = None
        self._names: dict[str, bool | None] = {}

    @property
    def hip_version(self) -> tuple[int, int] | None:
        """Major and minor version of HIP, as hipcc printed it."""
        return self._toolchain.versions.hip

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that the units are compiled with."""
        return self._flags

    @property
    def architectures(self) -> tuple[str, ...]:
        """The `gfx…` targets compiled for."""
        return self._toolchain.architectures

    def has(self, name: str) -> bool | None:
        """Whether device code that names `name` compiles.

        An overloaded function counts as soon as one of its declarations is visible.
        """
        return self.has_all((name,))[name]

    def has_all(self, names: Iterable[str]) -> dict[str, bool | None]:
        """Answer `has` for several names by at most one compilation."""
        wanted = tuple(dict.fromkeys(names))
        for name in wanted:
            kept = self._prober.kept("has", name)
            if name not in self._names and isinstance(kept, bool):
                self._names[name] = kept
        missing = [name for name in wanted if name not in self._names]
        if missing:
            for name, answer in self._prober.names(missing, self._sdk_headers()).items():
                self._names[name] = answer
                if answer is not None:
                    self._prober.keep(answer, "has", name)
        return {name: self._names[name] for name in wanted}

    def has_header(self, name: str) -> bool | None:
        """Whether `#include <name>` finds a file."""
        return self._prober.headers((name,))[name]

    def declares(self, name: str) -> bool | None:
        """Whether any installed or stand-in header mentions the identifier `name`."""
        kept = self._prober.kept("declares", name)
        if isinstance(kept, bool):
            return kept
        if re.fullmatch(r"[A-Za-z_]\w*", name) is None:
            return None
        pattern = re.compile(rb"\b" + name.encode() + rb"\b")
        answer = any(pattern.search(data) for data in self._header_files())
        self._prober.keep(answer, "declares", name)
        return answer

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        """The parameter types of each declaration of `function` that these flags select."""
        return parameter_types(self._declarations(), function)

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        """The enumerators of an enumeration that these flags select."""
        return enumerators(self._declarations(), type_name)

    def compiles(self, source: str) -> bool | None:
        """Whether a whole small HIP translation unit compiles, host and device side."""
        return self._prober.compile(source, device=False).compiled

    def _sdk_headers(self) -> tuple[str, ...]:
        if self._headers is None:
            self._headers = headers_that_work(self._prober, self._prober.headers(SDK_HEADERS))
        return self._headers

    def _declarations(self) -> str:
        if self._text is None:
            kept = self._prober.kept("declarations")
            if isinstance(kept, str):
                self._text = kept
                return kept
            source = "".join(f"#include <{name}>\n" for name in self._sdk_headers())
            whole = self._prober.preprocess(source)
            self._text = sdk_text(whole) if whole is not None else ""
            if whole is not None:
                self._prober.keep(self._text, "declarations")
        return self._text

    def _header_files(self) -> Iterator[bytes]:
        folders = [self._cwd / folder for folder in include_folders(self._flags)]
        for include in (*folders, self._toolchain.root / "include"):
            for path in _sdk_files(include):
                try:
                    yield path.read_bytes()
                except OSError:
                    continue


def _sdk_files(include: Path) -> Iterator[Path]:
    """Yield the headers below an include folder that belong to HIP or one of its libraries."""
    try:
        entries = sorted(include.iterdir())
    except OSError:
        return
    for entry in entries:
        if not _SDK_FOLDER.fullmatch(entry.name):
            continue
        for path in entry.rglob("*") if entry.is_dir() else (entry,):
            if path.suffix in _HEADER_SUFFIXES and path.is_file():
                yield path


def _without_targets(flags: Sequence[str]) -> tuple[str, ...]:
    """Drop the targets: a probe needs one, and asks for it itself."""
    return tuple(f for f in flags if not f.startswith(("--offload-arch", "--amdgpu-target")))
