"""What setup.py and CMakeLists.txt need for HIP, as changes that a person reviews.

Nothing is written here. The same file keeps building for CUDA: a change stands under a
condition on HIP wherever the file's language has one for it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind, Applicability, CodeAction, CudaEffect
from fastpt_lab.core.errors import FastptError
from fastpt_lab.core.text import TextDocumentEdit, WorkspaceEdit
from fastpt_lab.host.files import read_source
from fastpt_lab.transcode.cmake_lists import advise_on_cmake
from fastpt_lab.transcode.setup_script import advise_on_setup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.host.files import SourceFile
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.setup_script import BuildAdvice

_LEFT_OUT = frozenset({".git", ".fastpt", "build", "dist", "node_modules", "third_party"})
_CHANGES_CUDA = frozenset({"cmake-standard"})


def advise(project: Project) -> tuple[CodeAction, ...]:
    """Return what the build files of `project` need for HIP, in the order of the files."""
    actions: list[CodeAction] = []
    for path in _build_files(project.root):
        try:
            source = read_source(path)
        except FastptError:
            continue
        advisor = advise_on_cmake if path.name == "CMakeLists.txt" else advise_on_setup
        actions += [_action(source, found) for found in advisor(source.document)]
    return tuple(actions)


def _build_files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name for name in folders if name not in _LEFT_OUT and not name.endswith("_dtk")
        )
        for name in ("setup.py", "CMakeLists.txt"):
            if name in names:
                yield Path(folder, name)


def _action(source: SourceFile, found: BuildAdvice) -> CodeAction:
    edit = None
    if found.edits:
        document = TextDocumentEdit(
            path=source.path, digest=source.document.digest, edits=found.edits
        )
        edit = WorkspaceEdit(documents=(document,))
    where = f"{source.path.name}:{found.place.start.line + 1}"
    same = found.edits and found.rule not in _CHANGES_CUDA
    return CodeAction(
        title=found.title,
        rule=found.rule,
        kind=ActionKind.EDIT if edit else ActionKind.ADVICE,
        applicability=Applicability.UNSAFE if edit else Applicability.DISPLAY_ONLY,
        cuda_effect=CudaEffect.IDENTICAL if same else CudaEffect.NONE,
        edit=edit,
        advice=f"{where}: {found.why}",
        evidence=(found.why,),
    )
