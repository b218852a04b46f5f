"""What a check may look at: commands, files, variables; each with a limit, nothing changed."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.check import Evidence
from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.host.process import run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RECORD = "\x1e"
"""Begins the line of JSON that a child reports in; no tool prints it."""

_KEPT_BYTES = 1 << 20
_CHILD_MAIN = (
    "import sys; sys.path.append({package!r}); "
    "from fastpt_lab.verify.{module} import main; raise SystemExit(main(sys.argv[1:]))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command gave back.

    Attributes:
        evidence: the command, its exit code, its output as it came.
        problem: why there is no output to read: not installed, time limit; "" otherwise.
    """

    evidence: Evidence
    problem: str = ""

    @property
    def output(self) -> str:
        """Standard output and error."""
        return self.evidence.output

    @property
    def records(self) -> tuple[dict[str, Any], ...]:
        """The JSON objects that one of our own children reported."""
        return read_records(self.evidence.output)


def read_records(text: str) -> tuple[dict[str, Any], ...]:
    """Return the records in the output of a child, whatever else was printed between them."""
    found = []
    for piece in text.split(RECORD)[1:]:
        try:
            value = json.loads(piece.split("\n", 1)[0])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return tuple(found)


def child_command(python: str, module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs `module` of this room in a fresh Python.

    The package's folder goes to the *end* of the child's path, so that nothing of the
    user's is shadowed.
    """
    package = str(Path(__file__).parents[2])
    return (python, "-c", _CHILD_MAIN.format(package=package, module=module), *arguments)


class Machine:
    """One computer as the checks see it; commands are run once and remembered.

    Args:
        env: the whole environment, as commands get it.
        root: the user's project.
        timeout: seconds for one probe.
        system: where `/dev`, `/opt` and `/sys` are looked for.
        python: the interpreter whose torch is asked.
    """

    def __init__(
        self,
        *,
        env: Mapping[str, str] | None = None,
        root: Path | None = None,
        timeout: float = 20.0,
        system: Path = Path("/"),
        python: str = sys.executable,
    ) -> None:
        self.env: dict[str, str] = dict(os.environ if env is None else env)
        self.root = Path.cwd() if root is None else root
        self.timeout = timeout
        self.system = system
        self.python = python
        self._answers: dict[tuple[str, ...], Answer] = {}

    def run(self, *argv: str, timeout: float | None = None, cwd: Path | None = None) -> Answer:
        """Run a command to its end or its limit; what goes wrong is in the answer."""
        if argv not in self._answers:
            self._answers[argv] = self._run(argv, timeout or self.timeout, cwd)
        return self._answers[argv]

    def _run(self, argv: Sequence[str], limit: float, cwd: Path | None) -> Answer:
        program = self.which(argv[0]) if "/" not in argv[0] else Path(argv[0])
        if program is None:
            evidence = Evidence(command=tuple(argv), returncode=None, output="")
            return Answer(evidence=evidence, problem=f"{argv[0]} is not on PATH")
        try:
            # glibc and binutils translate their messages.
            result = run(
                [str(program), *argv[1:]],
                env={**self.env, "LC_ALL": "C"},
                timeout=limit,
                keep=_KEPT_BYTES,
                cwd=cwd or self.root,
            )
        except ToolMissingError as error:
            evidence = Evidence(command=tuple(argv), returncode=None, output="")
            return Answer(evidence=evidence, problem=error.message)
        evidence = Evidence(
            command=tuple(argv),
            returncode=None if result.timed_out else result.returncode,
            output=result.output,
        )
        problem = ""
        if result.timed_out:
            problem = f"{argv[0]} did not end within {limit:g} s"
        elif result.returncode < 0:
            problem = f"{argv[0]} was ended by signal {-result.returncode}"
        return Answer(evidence=evidence, problem=problem)

    def child(self, module: str, *arguments: str, timeout: float | None = None) -> Answer:
        """Run one of our own modules in a fresh interpreter, so that a fault ends only that."""
        command = child_command(self.python, module, *arguments)
        return self.run(*command, timeout=timeout)

    def which(self, name: str) -> Path | None:
        """Return the first program of this name on the environment's PATH."""
        for folder in self.env.get("PATH", "").split(os.pathsep):
            path = Path(folder or ".") / name
            if path.is_file() and os.access(path, os.X_OK):
                return path
        return None

    def path(self, name: str) -> Path:
        """Return an absolute name of the system, as `/dev/kfd`, where it is looked for."""
        return self.system / name.lstrip("/")

    def real(self, path: Path) -> str:
        """Return a path with its links resolved, named as the system names it."""
        resolved = Path(os.path.realpath(path))
        base = Path(os.path.realpath(self.system))
        if base != Path("/") and resolved.is_relative_to(base):
            return "/" + resolved.relative_to(base).as_posix()
        return str(resolved)

    def read(self, name: str, limit: int = 1 << 16) -> str | None:
        """Return the text of a small system file, None where it cannot be read."""
        try:
            with self.path(name).open("rb") as stream:
                return stream.read(limit).decode("utf-8", "replace")
        except OSError:
            return None

    def file(self, name: str, text: str | None = None) -> Evidence:
        """Return a file, or what was read from it, as evidence."""
        shown = self.read(name) if text is None else text
        return Evidence(command=(name,), returncode=None, output=shown or "")
