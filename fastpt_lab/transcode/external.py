"""Other transcoders, for comparison and for those who need them: each in a child process.

A foreign hipify keeps results from an earlier call in the same process, may loop for ever on
some sources, and overwrites what it finds. So it works on a copy of the sources, within limits,
and what it made is brought back by the rules of this room.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import (
    CancelledError,
    FastptError,
    LimitError,
    ToolMissingError,
    UnknownNameError,
)
from fastpt_lab.core.text import digest_of
from fastpt_lab.host.files import lock
from fastpt_lab.host.process import run
from fastpt_lab.host.project import is_generated
from fastpt_lab.transcode.installed import find_hipify
from fastpt_lab.transcode.manifest import Record, Stamp, load_manifest, save_manifest
from fastpt_lab.transcode.origin import aligned_origin
from fastpt_lab.transcode.outputs import is_hand_written, remove_outputs, replace_bytes
from fastpt_lab.transcode.result import TranscodedFile, TranscodeResult
from fastpt_lab.transcode.uptodate import forget

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.result import TranscodeOptions

ENGINES = ("torch", "fastpt")
_DTK_ARGUMENTS = ("add_dtk_macros", "keep_file_path")
"""Arguments that only the hipify of DTK's torch has."""


def transcode_with(
    project: Project,
    paths: Sequence[Path],
    options: TranscodeOptions,
    out: Path,
    cancel: Cancel | None = None,
) -> TranscodeResult:
    """Transcode with the engine that `options` names; see `run.transcode`.

    Raises:
        UnknownNameError: there is no such engine.
        ToolMissingError: torch is not installed, or it is not DTK's where that is needed.
        LimitError: the engine took too long or too much memory.
        FastptError: the engine failed; its last lines are in the message.
    """
    if options.engine not in ENGINES:
        raise UnknownNameError(
            f"there is no engine {options.engine!r}",
            next_step="Use lab, torch or fastpt",
        )
    requested = {project.relative(path) for path in project.sources(paths)}
    everything = requested | {project.relative(path) for path in project.sources()}
    with tempfile.TemporaryDirectory(prefix="fastpt-engine-") as folder:
        copy = Path(folder).resolve() / project.root.name
        _copy(project.root, copy, everything)
        made = run_engine(copy, sorted(requested), project, options, cancel)
        if options.dry_run:
            return _result(project, out, _compared(project, out, copy, made))
        state = out / ".fastpt"
        with lock(state):
            files = _brought_back(project, out, copy, made)
            _remember(project, out, state, files)
            return _result(project, out, files)


def run_engine(
    copy: Path,
    names: Sequence[str],
    project: Project,
    options: TranscodeOptions,
    cancel: Cancel | None = None,
) -> dict[str, str]:
    """Run the engine in place on the tree `copy`; return original and output names.

    An original without an output has itself. Those that the engine ignored are not listed.
    """
    hipify = find_hipify()
    result = copy.parent / "result.json"
    files = sum(path.is_file() for path in copy.rglob("*"))
    # torch matches each file against each pattern.
    includes = [f"{copy}/*"] if len(names) == files else [str(copy / name) for name in names]
    job = {
        "hipify": str(hipify),
        "result": str(result),
        "required": _DTK_ARGUMENTS if options.engine == "fastpt" else (),
        "arguments": {
            "project_directory": str(copy),
            "output_directory": str(copy),
            "includes": includes,
            "header_include_dirs": [
                str(copy / project.relative(folder)) for folder in options.include_dirs
            ],
            "is_pytorch_extension": True,
            "show_progress": False,
            "add_dtk_macros": options.dtk_macros,
            "keep_file_path": options.keep_file_path,
        },
    }
    order = copy.parent / "job.json"
    order.write_text(json.dumps(job), "utf-8")
    script = Path(__file__).with_name("hipify_child.py")
    done = run(
        [sys.executable, "-I", str(script), str(order)],
        cwd=copy,
        timeout=options.timeout,
        memory=options.memory,
        cancel=cancel,
    )
    if done.cancelled:
        raise CancelledError("the transcode was cancelled", next_step="Nothing was written")
    if done.timed_out or "MemoryError" in done.output:
        what = f"{options.timeout:g} s" if done.timed_out else f"{options.memory >> 20} MB"
        raise LimitError(
            f"the {options.engine} engine needed more than {what}",
            next_step="Use --engine lab, which takes any source",
        )
    if not result.is_file():
        tail = done.output.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise FastptError(
            f"the {options.engine} engine failed: {tail[0]}",
            next_step="Use --engine lab, which takes any source",
        )
    return _paths(json.loads(result.read_text("utf-8")), copy)


def _paths(outcome: dict[str, dict[str, str | None]], copy: Path) -> dict[str, str]:
    if "missing" in outcome:
        raise ToolMissingError(
            f"the installed torch's hipify has no argument {', '.join(outcome['missing'])}: "
            "it is not DTK's",
            next_step="Use --engine lab or torch, or install DTK's torch",
        )
    found = {}
    for original, output in outcome["paths"].items():
        if output is not None:
            name = Path(original).relative_to(copy).as_posix()
            found[name] = Path(output).relative_to(copy).as_posix()
    return found


def _copy(root: Path, copy: Path, names: Iterable[str]) -> None:
    for name in names:
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, target)


def _compared(
    project: Project, out: Path, copy: Path, made: dict[str, str]
) -> list[TranscodedFile]:
    return [
        _file(project, out, name, output, "skipped" if name == output else "written")
        for name, output in sorted(made.items())
    ]


def _brought_back(
    project: Project, out: Path, copy: Path, made: dict[str, str]
) -> list[TranscodedFile]:
    by_output: dict[str, list[str]] = {}
    for name, output in made.items():
        by_output.setdefault(output, []).append(name)
    files = []
    for name, output in sorted(made.items()):
        if name == output:
            files.append(_file(project, out, name, output, "skipped"))
            continue
        others = [other for other in by_output[output] if other != name]
        target = out / output
        if others or is_hand_written(target) or not is_generated(copy / output):
            files.append(_file(project, out, name, output, "refused", others))
            continue
        data = (copy / output).read_bytes()
        same = target.exists() and target.read_bytes() == data
        if not same:
            mode = (project.root / name).stat().st_mode & 0o777
            replace_bytes(target, data, mode)
        files.append(_file(project, out, name, output, "unchanged" if same else "written"))
    return files


def _remember(
    project: Project, out: Path, state: Path, files: Iterable[TranscodedFile]
) -> None:
    """Record which outputs are ours to replace and to remove, whichever engine made them."""
    manifest = load_manifest(state)
    forget(state)
    for file in files:
        if file.generated == file.original:
            continue
        name = project.relative(file.original)
        record = manifest.files.setdefault(name, Record(Stamp(-1, 0, 0), ""))
        output = file.generated.relative_to(out).as_posix()
        if record.output not in ("", output):
            remove_outputs(out, [out / record.output])
        record.output = output
        record.output_stamp = Stamp.of(file.generated.stat())
        record.output_digest = digest_of(file.generated.read_bytes())
        record.made_from = ""
    save_manifest(state, manifest)


_WHY = {
    "skipped": "the engine found nothing to change",
    "written": "the engine made it",
    "unchanged": "the engine made the same bytes again",
    "refused": "{output} was written by hand, and {name} would be transcoded to it",
}


def _file(
    project: Project,
    out: Path,
    name: str,
    output: str,
    status: str,
    others: Sequence[str] = (),
) -> TranscodedFile:
    original = project.root / name
    generated = original if status in ("skipped", "refused") else out / output
    why = _WHY[status].format(name=name, output=output)
    if others:
        why = f"{name} and {', '.join(others)} would both be written to {output}"
    return TranscodedFile(
        original=original,
        generated=generated,
        status=status,
        why=why,
        read_notes=tuple,
        read_origin=lambda: (
            aligned_origin(original, generated) if generated != original else None
        ),
    )


def _result(project: Project, out: Path, files: list[TranscodedFile]) -> TranscodeResult:
    return TranscodeResult(files=tuple(files), root=project.root, out=out)
