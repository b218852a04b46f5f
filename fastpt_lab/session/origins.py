"""Where a generated file came from, whoever generated it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.errors import FastptError
from fastpt_lab.transcode.result import TranscodeOptions
from fastpt_lab.transcode.run import transcode

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.result import TranscodeResult


class Origins:
    """Answers from the last transcode; without one, from what a transcode would do now."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._result: TranscodeResult | None = None

    def update(self, result: TranscodeResult | None) -> None:
        """Use the maps of a transcode that was just made; None forgets the last."""
        self._result = result

    def find(self, path: Path) -> Origin | None:
        """Return both texts of a generated file and the map between them."""
        if self._result is None:
            self._result = self._dry_run()
        known = self._result.origin(path) if self._result else None
        if known is not None:
            return known
        from fastpt_lab.transcode.origin import foreign_origin

        return foreign_origin(self._project, path)

    def _dry_run(self) -> TranscodeResult | None:
        try:
            return transcode(self._project, (), TranscodeOptions(dry_run=True))
        except FastptError:
            # A log can be read without any source, and without torch.
            return None
