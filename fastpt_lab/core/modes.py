"""FastPT's three modes: what one sets, what it said, and what may not be mixed.

*Source* of the lines read: outputs of `source fastpt -C` and `-E` on DTK 25.04 (`25044` there is
25.04.4), and reports of ports: `-C` loads the CUDA environment of the layer without
transcoding for a build, `-E` its libraries for a run, `-T` transcodes; FastPT 1.x knows `-T`
alone; `-C` and `-E` belong into different shells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

MODE_VARIABLE = "FASTPT_LAB_MODE"
"""Set in commands that the lab runs inside a mode, so that a nested one is noticed."""

_IGNORED = frozenset({"_", "SHLVL", "PWD", "OLDPWD", MODE_VARIABLE})
_LISTS = frozenset(
    {"PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH",
     "CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH", "PYTHONPATH", "MANPATH"}
)  # fmt: skip
_TELLING = re.compile(
    r"(?:[A-Z0-9_]*_)?(?:CUDA|ROCM|HIP|HIPCC|DTK|DTKROOT|HYHAL|FASTPT|TORCH|PYTORCH|MIOPEN|NCCL"
    r"|GPU|ARCH|CXX|CC|CFLAGS|CXXFLAGS|LDFLAGS)(?:_[A-Z0-9_]*)?"
)
_SECRET = re.compile(
    r"(?i)(?:^|_)(?:TOKEN|SECRETS?|PASS|PASSWD|PASSWORD|KEY|CREDENTIALS?|AUTH|COOKIE|PRIVATE"
    r"|CERT|DSN|NETRC|SESSION)(?:_|$)"
)
_USER_IN_URL = re.compile(r"(?<=://)[^/@\s:]*:?[^/@\s]*@")


class Mode(str, Enum):
    """The option that `source fastpt` takes."""

    BUILD = "-C"
    RUN = "-E"
    TRANSCODE = "-T"

    @property
    def purpose(self) -> str:
        """What the mode is for."""
        return {
            Mode.BUILD: "build without transcoding",
            Mode.RUN: "run what was built without transcoding",
            Mode.TRANSCODE: "transcode to HIP",
        }[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableChange:
    """One variable that a mode sets, changes or removes; texts are redacted.

    Attributes:
        name: of the variable.
        kind: `added`, `changed` or `removed`.
        before, after: values as they may be shown.
        entries: for a list such as PATH, the entries that are new, in order.
    """

    name: str
    kind: str
    before: str = ""
    after: str = ""
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What FastPT printed, understood.

    `dtk` is the DTK found and `required_dtk` the one it was made for, where they differ;
    `torch_ok` is None if it said nothing about torch. `no_such_mode` is an old FastPT.
    """

    dtk: str = ""
    required_dtk: str = ""
    torch_ok: bool | None = None
    torch: str = ""
    cuda_loaded: bool = False
    version: str = ""
    no_such_mode: bool = False
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeCapture:
    """One mode, sourced in a child shell.

    Attributes:
        mode: which.
        script: the `fastpt` that was sourced.
        returncode: of the sourced script; None if the shell ended inside it.
        output: what it printed, redacted.
        said: that, understood.
        changes: the difference to the environment before, by name.
        problems: what speaks against using it, with the next step.
        environment: the whole environment inside the mode. Not for showing.
    """

    mode: Mode
    script: Path
    returncode: int | None
    output: str
    said: Said
    changes: tuple[VariableChange, ...] = ()
    problems: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)

    @property
    def ok(self) -> bool:
        """Whether the mode was entered and nothing speaks against using it."""
        return self.returncode == 0 and not self.problems


_DTK = re.compile(r"current_dtk_version:\s*(\S+)")
_REQUIRED = re.compile(
    r"current dtk version (\S+?),? is inconsistent with the require\w* dtk version (\S+)",
    re.IGNORECASE,
)
_TORCH_OK = re.compile(r"(?:Success:.*torch version matches|Torch version is correct:\s*(\S+))")
_TORCH_BAD = re.compile(
    r"(?im)^.*torch version.*(?:not match|mismatch|inconsistent|does not|incorrect|is not).*$"
)
_LOADED = re.compile(r"USE FASTPT CUDA is set|CUDA environment is loaded")
_VERSION = re.compile(r"(?i)fastpt\s*(?:version)?[:= ]\s*v?(\d+\.\d+(?:\.\d+)*)")
_NO_MODE = re.compile(
    r"(?im)(?:illegal|invalid|unknown|unrecognized|unsupported) (?:option|argument|mode)|^usage:"
)
_WARNING = re.compile(r"(?im)^.*\b(?:WARNING|ERROR)\b.*$")


def read_said(output: str) -> Said:
    """Return what FastPT's output says."""
    dtk, required = _DTK.search(output), _REQUIRED.search(output)
    good, bad = _TORCH_OK.search(output), _TORCH_BAD.search(output)
    version = _VERSION.search(output)
    return Said(
        dtk=required[1] if required else dtk[1] if dtk else "",
        required_dtk=required[2] if required else "",
        torch_ok=False if bad else True if good else None,
        torch=(good[1] or "") if good else "",
        cuda_loaded=bool(_LOADED.search(output)),
        version=version[1] if version else "",
        no_such_mode=bool(_NO_MODE.search(output)) and not _LOADED.search(output),
        warnings=tuple(line.strip() for line in _WARNING.findall(output)),
    )


def show_value(name: str, value: str) -> str:
    """Return the value of a variable for people: by an allow-list of names, URLs without users."""
    telling = name in _LISTS or _TELLING.fullmatch(name)
    if not telling or _SECRET.search(name):
        return f"<redacted:{name}>"
    return _USER_IN_URL.sub("<redacted>@", value)


def changes_between(
    before: Mapping[str, str],
    after: Mapping[str, str],
    show: Callable[[str, str], str] = show_value,
) -> tuple[VariableChange, ...]:
    """Return the variables that differ, by name, without what every shell sets itself."""
    found: list[VariableChange] = []
    for name in sorted({*before, *after} - _IGNORED):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        kind = "added" if old is None else "removed" if new is None else "changed"
        known = set((old or "").split(":"))
        entries = [e for e in (new or "").split(":") if e and e not in known]
        found.append(
            VariableChange(
                name=name,
                kind=kind,
                before="" if old is None else show(name, old),
                after="" if new is None else show(name, new),
                entries=tuple(show(name, e) for e in entries) if name in _LISTS else (),
            )
        )
    return tuple(found)


_DTK_CUDA_BIN = re.compile(r"(?:^|/)dtk[^/:]*/cuda/.*bin/?$|/cuda/cuda[^/]*/bin/?$")
_DTK_CUDA_LIB = re.compile(r"dtk[^/:]*/cuda/.*lib(?:64)?/?$")


def active_mode(environment: Mapping[str, str]) -> tuple[Mode, str] | None:
    """Return the mode that an environment is inside already, with what shows it."""
    named = environment.get(MODE_VARIABLE)
    if named in {mode.value for mode in Mode}:
        return Mode(named), f"{MODE_VARIABLE} is {named}"
    if environment.get("USE_FASTPT_CUDA", "0") not in {"", "0", "OFF", "off"}:
        return Mode.BUILD, "USE_FASTPT_CUDA is set"
    for entry in environment.get("PATH", "").split(":"):
        if _DTK_CUDA_BIN.search(entry):
            return Mode.BUILD, f"PATH has {entry}"
    for entry in environment.get("LD_LIBRARY_PATH", "").split(":"):
        if _DTK_CUDA_LIB.search(entry):
            return Mode.RUN, f"LD_LIBRARY_PATH has {entry}"
    return None


_ADVICE: Iterable[tuple[re.Pattern[str], str]] = (
    (
        re.compile(r"libc10_cuda\.so: cannot open shared object"),
        (
            "libc10_cuda.so belongs to the layer without transcoding: run it inside "
            "`fastpt -E`, in a shell that never saw `-C`"
        ),
    ),
    (
        re.compile(r"Key already registered with the same priority: CUDAHooks"),
        "a library built for NVIDIA is loaded beside the layer: install the build for DCU",
    ),
    (
        re.compile(r"cannot find -lcudart_static"),
        "link -lcudart instead of -lcudart_static: the layer has the shared runtime only",
    ),
    (
        re.compile(r"All arch params replaced by"),
        "this line of DTK's nvcc is harmless: NVIDIA architectures are replaced by gfx ones",
    ),
)


def advice_for(output: str) -> tuple[str, ...]:
    """Return what to do about known messages of a program that ran inside a mode."""
    return tuple(text for pattern, text in _ADVICE if pattern.search(output))
