"""What another transcoder makes of the same originals: compiled in a copy, its errors located."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.build.plan import HOST_SUFFIXES, Unit
from fastpt_lab.host.project import Project
from fastpt_lab.session.scratch import Scratch
from fastpt_lab.session.sources import Sources
from fastpt_lab.transcode.run import transcode

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.session.checking import CheckedUnit, Checker
    from fastpt_lab.transcode.result import TranscodedFile

_NUMBER = 10_000
"""Of the copy: trials number theirs from 0."""


class OtherEngine:
    """Transcodes copies of a project with `engine` and compiles their units.

    The engine works in place, as it does in a build, so each question has a fresh copy.
    """

    def __init__(self, project: Project, checker: Checker, engine: str) -> None:
        self.engine = engine
        self._project = project
        self._checker = checker
        self._sources = Sources(project)

    def check(
        self, originals: Collection[Path], texts: Mapping[Path, str], cancel: Cancel
    ) -> tuple[CheckedUnit, ...]:
        """Return the units of these originals, with places in the project.

        Args:
            originals: of the units, as the own engine found them.
            texts: in place of those files' contents.
            cancel: ends the engine and the compiler.

        Raises:
            ToolMissingError, LimitError, FastptError: the engine does not run, or fails.
        """
        scratch = Scratch(self._project, _NUMBER)
        try:
            scratch.fill(
                {
                    path: self._sources.file(path).encode(texts[path])
                    if path in texts
                    else self._sources.file(path).data
                    for path in self._project.sources()
                }
            )
            return self._checked(scratch, originals, cancel)
        finally:
            scratch.remove()

    def _checked(
        self, scratch: Scratch, originals: Collection[Path], cancel: Cancel
    ) -> tuple[CheckedUnit, ...]:
        options = replace(
            self._checker.options.transcode_options(scratch.root), engine=self.engine
        )
        made = transcode(Project(scratch.root), (), options, cancel=cancel)
        texts = Sources(Project(scratch.root))
        by_original = {scratch.there(file.original): file for file in made.files}
        return tuple(
            self._checker.check_moved(
                Unit(
                    original=original,
                    generated=_compiled(by_original.get(original), scratch, original),
                ),
                scratch.root,
                made.origin,
                texts.document,
                scratch.there,
                cancel,
            )
            for original in sorted(originals)
            if not _is_left(by_original.get(original), original)
        )


def _compiled(file: TranscodedFile | None, scratch: Scratch, original: Path) -> Path:
    return scratch.here(original) if file is None else file.generated


def _is_left(file: TranscodedFile | None, original: Path) -> bool:
    """Whether a host source stays as it is, and is compiled as it always was."""
    return original.suffix in HOST_SUFFIXES and (
        file is None or file.generated == file.original
    )
