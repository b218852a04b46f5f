"""The lab's engine in place of torch's hipify, for one build.

`CUDAExtension` calls torch's hipify by itself. A build that runs in `build_environment` calls
this engine instead; nothing that is installed changes, and the next build is torch's again.
"""

from __future__ import annotations

import inspect
import os
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import HandWrittenFileError
from fastpt_lab.host.project import Project
from fastpt_lab.transcode.result import TranscodeOptions
from fastpt_lab.transcode.run import transcode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType

    from fastpt_lab.transcode.result import TranscodedFile, TranscodeResult

BOOTSTRAP = Path(__file__).with_name("dropin_path")

_STATUS = {
    "written": "[ok]",
    "unchanged": "[skipped, already hipified]",
    "skipped": "[skipped, no changes]",
}
"""What torch calls each outcome (torch 2.13, hipify_python.py)."""


def build_environment(base: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which a build's hipify is this engine.

    `PYTHONHASHSEED` is fixed because torch keeps the outputs in a set: their order, and with it
    the order of linking, would otherwise differ from run to run.

    A `pip install` with build isolation replaces PYTHONPATH's first entry by its own; such a
    build needs `--no-build-isolation`, as torch extensions do anyway.
    """
    path = [str(BOOTSTRAP), *filter(None, [base.get("PYTHONPATH", "")])]
    return {
        **base,
        "PYTHONPATH": os.pathsep.join(path),
        "FASTPT_LAB_PATH": str(Path(__file__).resolve().parents[2]),
        "PYTHONHASHSEED": base.get("PYTHONHASHSEED", "0"),
    }


def replacement(module: ModuleType) -> Callable[..., dict[str, Any]]:
    """Return a function that takes torch's arguments, for the hipify of `module`.

    It works in place on extensions, as `CUDAExtension` asks for. Any other use goes to torch's
    own function.
    """
    original: Callable[..., dict[str, Any]] = module.__dict__["hipify"]
    signature = inspect.signature(original)

    def hipify(*args: object, **kwargs: object) -> dict[str, Any]:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        asked = given.arguments
        root = Path(asked["project_directory"] or ".").resolve()
        output = Path(asked["output_directory"] or ".").resolve()
        if not asked.get("is_pytorch_extension") or root != output:
            return original(*args, **kwargs)
        return _hipify(module, root, asked)

    return hipify


def _hipify(module: ModuleType, root: Path, asked: Mapping[str, Any]) -> dict[str, Any]:
    project = Project(root)
    extra = [Path(root, name) for name in asked["extra_files"]]
    wanted = [path for path in extra if path.resolve().is_relative_to(root)]
    if not asked.get("hipify_extra_files_only"):
        wanted += _matching(project, asked["includes"], asked["ignores"])
    dirs = tuple(Path(root, folder) for folder in asked["header_include_dirs"])
    options = TranscodeOptions(include_dirs=dirs)
    result = transcode(project, sorted(set(wanted)), options)
    if result.refused:
        reasons = "; ".join(file.why for file in result.refused)
        raise HandWrittenFileError(
            reasons, next_step="Rename one of the files, or exclude it from the build"
        )
    sys.stderr.write(f"fastpt-lab: {_summary(result)}\n")
    return {str(file.original): _torch_result(module, file) for file in result.files}


def _matching(project: Project, includes: Iterable[str], ignores: Iterable[str]) -> list[Path]:
    """Return the sources that torch's patterns, on whole paths, ask for."""
    return [
        path
        for path in project.sources()
        if any(fnmatch(str(path), glob) for glob in includes)
        and not any(fnmatch(str(path), glob) for glob in ignores)
    ]


def _summary(result: TranscodeResult) -> str:
    counts = [
        f"{sum(file.status == status for file in result.files)} {status}" for status in _STATUS
    ]
    return "transcoded with the lab's engine: " + ", ".join(counts)


def _torch_result(module: ModuleType, file: TranscodedFile) -> Any:  # noqa: ANN401 - torch's
    """Return the outcome of one file as torch's own class, which its callers read."""
    state: Any = module.__dict__["CurrentState"]
    made = module.__dict__["HipifyResult"](
        current_state=state.DONE, hipified_path=str(file.generated)
    )
    made.status = _STATUS[file.status]
    return made
