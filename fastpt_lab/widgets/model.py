"""What the review needs of a session: values to show, and one method for each button.

`SessionModel` gives a session this shape; a test may give any other object that has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.report import Report
    from fastpt_lab.core.text import WorkspaceEdit

Json = dict[str, Any]
"""One JSON object of docs/contract.md or docs/review.md."""


class ReviewModel(Protocol):
    """A session as the review sees it.

    The methods that work (`check` and below) may take long, raise `FastptError`, and are called
    from one background thread, one at a time; `cancel` and the readers are called meanwhile.
    """

    @property
    def root(self) -> Path:
        """The project's folder; paths in JSON are relative to it."""

    @property
    def report(self) -> Report | None:
        """The last report, None before the first transcode or check."""

    def document(self, path: str) -> Json:
        """Return the texts of one original.

        `original`, `generated` (paths), `text`, `generated_text`, `digest`; `generated` and
        `generated_text` are None if nothing was generated.
        """

    def history(self) -> list[Json]:
        """Return the journal, oldest first.

        `id`, `time` (ISO 8601), `rules`, `files` (each `path`, `added`, `removed` lines, `cuda`),
        `undone`, `edited` (by the user before it was accepted).
        """

    def subscribe(self, listener: Callable[[Mapping[str, Any]], None]) -> Callable[[], None]:
        """Call `listener` from any thread after each change; return what ends that.

        The event has `kind`: `report` (a new report), `journal`, or `progress` with `activity`
        (`transcode`, `check`, `build`, `trial`), `done`, `total`, `current`, and `finished`.
        """

    def check(self, paths: tuple[str, ...] = ()) -> object:
        """Transcode what changed, compile it, and report."""

    def apply(self, *ids: str) -> object:
        """Write these actions, all or none, as one journal entry; transcode and check again."""

    def undo(
        self, path: str | None = None, *, id: str | None = None, all: bool = False
    ) -> object:
        """Take back the last entry, the named one, or all, of one path or of the project."""

    def redo(self) -> object:
        """Make again what was last undone."""

    def trial(self, *ids: str) -> object:
        """Compile a scratch copy with these actions made and keep the outcome in them."""

    def revise(self, id: str, edit: WorkspaceEdit) -> CodeAction:
        """Return action `id` with `edit` in place of its own, as a new action.

        The new action is never safe, and its `cuda_effect` is computed from its text. It can be
        tried and applied like any other.
        """

    def patch(self, *ids: str) -> bytes:
        """Return a unified diff: of these actions, or of all that was written so far."""

    def cancel(self) -> None:
        """End the running work; what was already written stays written."""
