"""Enter FastPT's modes in a child shell, and run commands inside them; the caller stays outside.

`fastpt` is a shell script that must be sourced: it sets variables of the shell that reads it.
So this module, and it alone, starts a shell. The text that the shell reads is the constant
below; everything that varies is a positional parameter, which a shell never reads as code. The
shell ends after it has written its environment, and the command of the user is then started
without a shell, with that environment.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import RefusedError, ToolMissingError
from fastpt_lab.core.modes import (
    MODE_VARIABLE,
    Mode,
    ModeCapture,
    Said,
    active_mode,
    changes_between,
    read_said,
    show_value,
)
from fastpt_lab.host.process import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fastpt_lab.core.command import CommandResult
    from fastpt_lab.host.process import Cancel

# $1 the script, $2 the mode, $3 where the result goes, $4 `env`. Options that a sourced script
# leaves on (`set -e`) must not stop the last line; `set -u` is never on, DTK's env.sh reads
# variables that are not set. The dump is separated by NUL: values may hold newlines.
_SCRIPT = 'source "$1" "$2"; printf "%s\\0" "$?" >"$3"; set +eu; "$4" -0 >>"$3"'

# What would run code in, or change the options of, a bash that is not interactive.
_SHELL_HOOKS = ("BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "POSIXLY_CORRECT", "CDPATH")
_TIMEOUT = 120.0


def find_fastpt(environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the `fastpt` script: on PATH, in the conda environment, in /usr/local/bin.

    *Source*: places seen on DCU images.
    """
    env = os.environ if environment is None else environment
    on_path = shutil.which("fastpt", path=env.get("PATH", ""))
    if on_path:
        return Path(on_path)
    folders = [Path(sys.executable).parent, Path("/usr/local/bin")]
    for name in ("CONDA_PREFIX", "VIRTUAL_ENV"):
        if env.get(name):
            folders.insert(0, Path(env[name]) / "bin")
    return next((f / "fastpt" for f in folders if (f / "fastpt").is_file()), None)


def refuse_mixing(mode: Mode, environment: Mapping[str, str]) -> None:
    """Refuse `-C` where `-E` is active, and the other way round.

    Raises:
        RefusedError: the environment is inside the other mode, which cannot be undone there.
    """
    active = active_mode(environment)
    if active is None or active[0] is mode or Mode.TRANSCODE in (mode, active[0]):
        return
    raise RefusedError(
        f"this process is already inside fastpt {active[0].value} ({active[1]}), and "
        f"{mode.value} must not be mixed with it",
        next_step="Start again from a new terminal in which no fastpt was sourced",
    )


def capture(
    mode: Mode,
    *,
    script: Path | None = None,
    environment: Mapping[str, str] | None = None,
    show: Callable[[str, str], str] = show_value,
    cancel: Cancel | None = None,
    timeout: float = _TIMEOUT,
) -> ModeCapture:
    """Source `fastpt` in a child shell and return what it set; nothing here changes.

    Args:
        mode: which.
        script: the script to source; found by default.
        environment: to start from, this process's by default.
        show: gives the value of a variable, by name and value, as it may be shown.
        cancel: ends the shell.
        timeout: seconds for the script.

    Raises:
        RefusedError: the environment is inside a mode that must not be mixed with it.
        ToolMissingError: there is no `fastpt`, no bash or no `env`.
    """
    env = dict(os.environ if environment is None else environment)
    refuse_mixing(mode, env)
    source = script or find_fastpt(env)
    if source is None or not source.is_file():
        raise ToolMissingError(
            f"fastpt {mode.value} needs FastPT, and no fastpt script was found"
            if source is None
            else f"there is no {source}",
            next_step="Install FastPT for this DTK and torch, or transcode with the lab's engine",
        )
    before = {name: value for name, value in env.items() if name not in _SHELL_HOOKS}
    with tempfile.TemporaryDirectory(prefix="fastpt-mode-") as folder:
        dump = Path(folder) / "environment"
        result = run(
            [_bash(), "--noprofile", "--norc", "-c", _SCRIPT, "fastpt",
             str(source), mode.value, str(dump), _env_tool(env)],
            env=before,
            cancel=cancel,
            timeout=timeout,
        )  # fmt: skip
        data = dump.read_bytes() if dump.is_file() else b""
    status, after = _read_dump(data)
    said = read_said(result.output)
    return ModeCapture(
        mode=mode,
        script=source,
        returncode=status,
        output=_shown_output(result.output, env, show),
        said=said,
        changes=changes_between(before, after, show) if after else (),
        problems=_problems(mode, status, said, after, result),
        environment=after,
    )


def _bash() -> str:
    found = shutil.which("bash")
    if found is None:
        raise ToolMissingError(
            "fastpt must be sourced by bash, which is not here", next_step="Install bash"
        )
    return found


def _env_tool(env: Mapping[str, str]) -> str:
    # Looked up now: the sourced script may change PATH.
    found = shutil.which("env", path=env.get("PATH", os.defpath)) or shutil.which(
        "env", path="/usr/bin:/bin"
    )
    if found is None:
        raise ToolMissingError("there is no env", next_step="Install coreutils")
    return found


def _read_dump(data: bytes) -> tuple[int | None, dict[str, str]]:
    """Return the status of the sourced script and the environment after it."""
    head, _, rest = data.partition(b"\0")
    if not head.isdigit() or not rest:
        return None, {}
    variables: dict[str, str] = {}
    for item in rest.split(b"\0"):
        name, equals, value = item.partition(b"=")
        if equals:
            variables[os.fsdecode(name)] = os.fsdecode(value)
    return int(head), variables


def _shown_output(output: str, env: Mapping[str, str], show: Callable[[str, str], str]) -> str:
    """Return the output with the values that may not be shown replaced.

    The rest passes `show` as a variable would, so that a redactor sees the text too.
    """
    for name, value in env.items():
        shown = show(name, value)
        if len(value) > 5 and shown.startswith("<redacted"):
            output = output.replace(value, shown)
    return show("FASTPT_OUTPUT", output)


def _problems(
    mode: Mode,
    status: int | None,
    said: Said,
    after: Mapping[str, str],
    result: CommandResult,
) -> tuple[str, ...]:
    found: list[str] = []
    if result.timed_out:
        found.append("the script did not end in time")
    elif result.cancelled:
        found.append("it was cancelled")
    elif said.no_such_mode:
        version = f" {said.version}" if said.version else ""
        found.append(
            f"this FastPT{version} does not know {mode.value}: versions 1.x only transcode (-T)"
        )
    elif status is None:
        found.append("the script ended its shell: it was not made to be sourced, or it failed")
    elif status:
        found.append(f"the script failed with status {status}")
    if said.required_dtk:
        found.append(
            f"DTK is {said.dtk} and this FastPT was made for {said.required_dtk}: install the "
            "matching FastPT, or use that DTK"
        )
    if said.torch_ok is False:
        found.append("torch is not the version that this FastPT was made for")
    if mode is Mode.BUILD and status == 0 and not said.no_such_mode:
        found += _nvcc_problem(after)
    return tuple(found)


def _nvcc_problem(after: Mapping[str, str]) -> list[str]:
    """Return what is wrong with the nvcc that a build would call."""
    nvcc = shutil.which("nvcc", path=after.get("PATH", ""))
    if nvcc is None:
        return ["no nvcc is on PATH inside the mode: the build would find no compiler"]
    real = str(Path(nvcc).resolve())
    if real.startswith("/usr/local/cuda"):
        return [f"nvcc is NVIDIA's ({nvcc}), not that of DTK"]
    return []


def run_inside(
    mode: Mode,
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    script: Path | None = None,
    environment: Mapping[str, str] | None = None,
    show: Callable[[str, str], str] = show_value,
    timeout: float | None = None,
    cancel: Cancel | None = None,
    on_output: Callable[[bytes], None] | None = None,
    despite_problems: bool = False,
) -> tuple[ModeCapture, CommandResult | None]:
    """Run a command inside a mode; the next one starts clean again.

    Args:
        mode: which.
        argv: words; no shell is involved in running them.
        cwd: folder of the command.
        script: the `fastpt` to source; found by default.
        environment: to start from, this process's by default.
        show: as for `capture`.
        timeout: seconds for the command.
        cancel: ends the script or the command.
        on_output: called with each piece of the command's output.
        despite_problems: run the command even where the capture names problems.

    Returns:
        What the mode set, and the command's result; None if it was not started.

    Raises:
        RefusedError: mixing of modes.
        ToolMissingError: no `fastpt`, or the command cannot be started.
    """
    entered = capture(mode, script=script, environment=environment, show=show, cancel=cancel)
    if not entered.environment or (entered.problems and not despite_problems):
        return entered, None
    inside = {**entered.environment, MODE_VARIABLE: mode.value}
    inside.pop("_", None)
    result = run(argv, cwd=cwd, env=inside, timeout=timeout, cancel=cancel, on_output=on_output)
    return replace(entered, environment=inside), result
