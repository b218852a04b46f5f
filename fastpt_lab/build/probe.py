"""Ask the compiler itself: tiny programs compiled with the user's flags, answers kept on disk."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.store import Store, digest_of_words
from fastpt_lab.host.process import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fastpt_lab.build.toolchain import Toolchain
    from fastpt_lab.core.command import CommandResult

SDK_HEADERS = (
    "hip/hip_runtime.h",
    "hip/library_types.h",
    "hip/hip_fp16.h",
    "hip/hip_bf16.h",
    "hip/hip_bfloat16.h",
    "hip/hip_complex.h",
    "hip/hip_cooperative_groups.h",
    "hip/hip_math_constants.h",
    "hipblas/hipblas.h",
    "hipblas.h",
    "hipblaslt/hipblaslt.h",
    "hipsparse/hipsparse.h",
    "hipsparse.h",
    "hipsolver/hipsolver.h",
    "hipsolver.h",
    "hipfft/hipfft.h",
    "hipfft.h",
    "hiprand/hiprand.h",
    "hiprand/hiprand_kernel.h",
    "rocblas/rocblas.h",
    "rccl/rccl.h",
    "roctracer/roctx.h",
)
"""Headers whose names are looked up: those that a transcoded extension includes."""

_IDENTIFIER = re.compile(r"(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")
_ERROR = re.compile(r"^fastpt_probe:(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
_INCLUDED_FROM = re.compile(r"probe\.hip:(\d+)[:,]")
_CRASH = re.compile(r"PLEASE (?:submit|ATTACH)|Stack dump:|Died at .*hipcc", re.IGNORECASE)
_SECONDS = 120.0

_CANARY_LINE = 1_000_000
_CANARY = (f'#line {_CANARY_LINE} "fastpt_probe"', "#error the end was reached", "")
# Without this error in the output the compiler gave up before, and no silence is an answer.

_QUIET = (
    "-w",
    "-ferror-limit=0",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-fno-diagnostics-show-note-include-stack",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The outcome of one tiny program: `compiled` is None where the compiler did not answer."""

    compiled: bool | None
    output: str


class Prober:
    """Compiles tiny programs with one compiler and one set of flags.

    Answers are kept under the cache folder, keyed by the compiler, the flags, the state of the
    folders that the flags name, and the question.
    """

    def __init__(self, toolchain: Toolchain, flags: Sequence[str], cwd: Path) -> None:
        self.toolchain = toolchain
        self.flags = tuple(flags)
        self.cwd = cwd
        self._store = Store("probes")
        self._state = digest_of_words(
            toolchain.fingerprint, str(cwd), *self.flags, *_folder_states(flags, cwd, toolchain)
        )

    def compile(self, source: str, *options: str, device: bool = True) -> Answer:
        """Compile a whole unit syntax-only, for the device alone or for both sides."""
        side = ("--cuda-device-only",) if device else ()
        words = ("-fsyntax-only", *side, *_QUIET, *options)
        kept = self.kept(source, *words)
        if isinstance(kept, dict):
            return Answer(compiled=kept["compiled"], output=kept["output"])
        result = self._run(source, words)
        answer = Answer(compiled=_verdict(result), output=result.output)
        if answer.compiled is not None:
            value = {"compiled": answer.compiled, "output": answer.output}
            self.keep(value, source, *words)
        return answer

    def preprocess(self, source: str) -> str | None:
        """Return the host side of a unit after preprocessing, None if that failed."""
        result = self._run(source, ("-E", "--cuda-host-only", *_QUIET))
        return result.output if result.ok else None

    def kept(self, *question: str) -> object:
        """Return the answer kept for a question, None where there is none."""
        return self._store.get(digest_of_words(self._state, *question))

    def keep(self, value: object, *question: str) -> None:
        """Keep the answer of a question for later runs."""
        self._store.put(digest_of_words(self._state, *question), value)

    def names(self, names: Iterable[str], headers: Sequence[str]) -> dict[str, bool | None]:
        """Return for each name whether device code may name it, by one compilation."""
        asked = [name for name in dict.fromkeys(names) if _IDENTIFIER.fullmatch(name)]
        lines = [*(f"#include <{header}>" for header in headers)]
        for index, name in enumerate(asked):
            lines += _naming(index, name)
        wrong = _failures(self.compile("\n".join([*lines, *_CANARY])).output)
        if _CANARY_LINE not in wrong:
            return dict.fromkeys(names)
        found: dict[str, bool | None] = dict.fromkeys(names)
        for index, name in enumerate(asked):
            missing = 2 * index + 1 in wrong
            host_only = "to __host__ function" in wrong.get(2 * index + 2, "")
            found[name] = not missing and not host_only
        return found

    def headers(self, names: Iterable[str]) -> dict[str, bool | None]:
        """Return for each header whether `#include <name>` finds a file, by one compilation."""
        asked = list(dict.fromkeys(names))
        lines: list[str] = []
        for index, name in enumerate(asked):
            lines += [
                f'#line {index + 1} "fastpt_probe"',
                f"#if !__has_include(<{name}>)",
                f'#line {index + 1} "fastpt_probe"',
                "#error missing",
                "#endif",
            ]
        wrong = _failures(self.compile("\n".join([*lines, *_CANARY])).output)
        if _CANARY_LINE not in wrong:
            return dict.fromkeys(asked)
        return {name: index + 1 not in wrong for index, name in enumerate(asked)}

    def _run(self, source: str, options: Sequence[str]) -> CommandResult:
        with tempfile.TemporaryDirectory(prefix="fastpt-probe-") as folder:
            unit = Path(folder) / "probe.hip"
            unit.write_text(source, "utf-8")
            architecture = f"--offload-arch={self.toolchain.architectures[0]}"
            argv = [str(self.toolchain.hipcc), *self.flags, architecture, *options, str(unit)]
            child = self.toolchain.environment(scratch=Path(folder))
            return run(argv, cwd=self.cwd, env=child, timeout=_SECONDS)


def _naming(index: int, name: str) -> list[str]:
    """Return lines that fail at line 2i+1 if a name is unknown, at 2i+2 if only for the host."""
    plain = name.removeprefix("::")
    builtin = f"&& !__has_builtin({plain})" if "::" not in plain else ""
    macro = f"!defined({plain})" if "::" not in plain else "1"
    return [
        f"#if {macro} {builtin}",
        f'#line {2 * index + 1} "fastpt_probe"',
        f"namespace fastpt_probe_{index} {{ using ::{plain}; }}",
        f'#line {2 * index + 2} "fastpt_probe"',
        f"__device__ void fastpt_probe_call_{index}() {{ (void)&::{plain}; }}",
        "#endif",
    ]


def _failures(output: str) -> dict[int, str]:
    failures: dict[int, str] = {}
    for line, message in _ERROR.findall(output):
        failures.setdefault(int(line), message)
    return failures


def _verdict(result: CommandResult) -> bool | None:
    """Return what the compiler decided; a crash, a signal or a time limit decides nothing."""
    if result.ok:
        return True
    if result.timed_out or result.cancelled or result.returncode < 0:
        return None
    return False if "error:" in result.output and not _CRASH.search(result.output) else None


def _folder_states(flags: Sequence[str], cwd: Path, toolchain: Toolchain) -> tuple[str, ...]:
    """Return the state of the include folders: an SDK part installed later changes answers."""
    folders = [cwd / folder for folder in include_folders(flags)]
    folders.append(toolchain.root / "include")
    states = []
    for folder in folders:
        try:
            entries = sorted((p.name, p.stat().st_mtime_ns) for p in folder.iterdir())
        except OSError:
            entries = []
        states.append(f"{folder} {entries}")
    return tuple(states)


def include_folders(flags: Sequence[str]) -> tuple[str, ...]:
    """Return the folders that `-I`, `-isystem`, `-iquote` and `-idirafter` name, in order."""
    options = ("-I", "-isystem", "-iquote", "-idirafter")
    folders: list[str] = []
    pending = False
    for word in flags:
        if pending:
            folders.append(word)
            pending = False
        elif word in options:
            pending = True
        else:
            option = next((o for o in options if word.startswith(o)), None)
            if option is not None:
                folders.append(word[len(option) :])
    return tuple(folders)


def headers_that_work(prober: Prober, names: Mapping[str, bool | None]) -> tuple[str, ...]:
    """Return those of the headers found that can be included together without a fatal error.

    An installed header may include one that is not: hiprand's needs rocrand's, for one.
    """
    present = [name for name, found in names.items() if found]
    while present:
        answer = prober.compile("".join(f"#include <{name}>\n" for name in present))
        fatal = answer.output.find("fatal error:")
        if fatal < 0:
            break
        lines = _INCLUDED_FROM.findall(answer.output[:fatal])
        if not lines:
            return ()
        del present[min(int(lines[-1]), len(present)) - 1]
    return tuple(present)
