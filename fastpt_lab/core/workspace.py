"""What a fix rule may read of the project: its originals, by path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fastpt_lab.core.text import Document


class Workspace(Protocol):
    """The originals of one project, read and decoded; nothing else of the machine."""

    def document(self, path: Path) -> Document | None:
        """Return an original with its digest; None for any other file."""
        ...

    def originals(self) -> Iterable[Path]:
        """Return the paths of all originals, in a stable order."""
        ...
