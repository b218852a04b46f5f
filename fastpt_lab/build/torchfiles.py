"""Facts of the installed torch, read from its files: torch itself is never imported."""

from __future__ import annotations

import ast
import importlib.util
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_STANDARD = re.compile(r"-std=c\+\+(\d\d)")

_HIP_FLAGS = ("-D__HIP_PLATFORM_AMD__=1", "-DUSE_ROCM=1")
_HIPCC_FLAGS = (
    "-DCUDA_HAS_FP16=1",
    "-D__HIP_NO_HALF_OPERATORS__=1",
    "-D__HIP_NO_HALF_CONVERSIONS__=1",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TorchFiles:
    """An installed torch.

    Attributes:
        folder: the package, with `include/` in it.
        version: as `version.py` says; a vendor's suffix is kept.
        hip: the HIP version it was built with, "" for a CUDA or CPU build.
        common_flags: what its builds add to every unit, host compiler included.
        hipcc_flags: what they add to the units that hipcc compiles.
        standard: the language standard its builds choose, as `c++17`; "" if unknown.
    """

    folder: Path
    version: str
    hip: str
    common_flags: tuple[str, ...]
    hipcc_flags: tuple[str, ...]
    standard: str

    @property
    def include(self) -> Path:
        """The folder of the headers as they were installed."""
        return self.folder / "include"

    @property
    def is_hip(self) -> bool:
        """Whether it was built for HIP: its headers then need no hipified copy."""
        return bool(self.hip)

    @property
    def stamp(self) -> str:
        """Changes when torch is replaced, in place or elsewhere."""
        state = self.include.stat()
        return f"{self.folder} {self.version} {state.st_mtime_ns}"


def find_torch() -> TorchFiles | None:
    """Return the torch that this interpreter would import, None where there is none."""
    try:
        spec = importlib.util.find_spec("torch")
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return read_torch(Path(next(iter(spec.submodule_search_locations))))


def read_torch(folder: Path) -> TorchFiles | None:
    """Return the facts of the torch package at `folder`, None where its headers are missing."""
    if not (folder / "include" / "torch").is_dir():
        return None
    return _facts(folder, _mtime(folder / "version.py"), _mtime(_build_module(folder)))


def _build_module(folder: Path) -> Path:
    return folder / "utils" / "cpp_extension.py"


def _mtime(path: Path) -> int:
    """Return the time of a file, 0 where it is missing."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=8)
def _facts(folder: Path, *_changed: int) -> TorchFiles:
    # Parsing torch's build module is half the time of checking a project that did not change.
    versions = _constants(folder / "version.py")
    lists = _constants(_build_module(folder))
    return TorchFiles(
        folder=folder,
        version=_text(versions.get("__version__")),
        hip=_text(versions.get("hip")),
        common_flags=_words(lists.get("COMMON_HIP_FLAGS"), _HIP_FLAGS),
        hipcc_flags=_words(lists.get("COMMON_HIPCC_FLAGS"), _HIPCC_FLAGS),
        standard=_standard(_build_module(folder)),
    )


def _constants(path: Path) -> dict[str, object]:
    """Return the module-level names of a file that are bound to constants or lists of them.

    `NAME.append("…")` under `if not IS_WINDOWS:` counts; everything under another `if` does
    not: torch 2.13 adds its Windows flags there.
    """
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return {}
    found: dict[str, object] = {}
    for statement in tree.body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "not IS_WINDOWS":
            for inner in statement.body:
                _append(inner, found)
            continue
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name, value = statement.targets[0].id, statement.value
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name, value = statement.target.id, statement.value or ast.Constant(None)
        else:
            continue
        try:
            found[name] = ast.literal_eval(value)
        except ValueError:
            continue
    return found


def _append(statement: ast.stmt, found: dict[str, object]) -> None:
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                args=[ast.Constant(value=str(word))],
            )
        ):
            words = found.get(name)
            if isinstance(words, list):
                words.append(word)
        case _:
            return


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _words(value: object, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list of flags read from torch, or what every torch since 1.13 adds."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return tuple(value)
    return usual


def _standard(path: Path) -> str:
    try:
        numbers = _STANDARD.findall(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""
    # Two digits of a year: 98 is older than 11.
    return f"c++{max(numbers, key=lambda n: (int(n) + 20) % 100)}" if numbers else ""
