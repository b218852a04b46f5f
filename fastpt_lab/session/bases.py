"""The files that proposals were made from, kept until they are accepted or made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.errors import FastptError
from fastpt_lab.core.text import digest_of
from fastpt_lab.host.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.text import TextDocumentEdit, WorkspaceEdit
    from fastpt_lab.fix.threeway import ThreeWay
    from fastpt_lab.host.files import SourceFile
    from fastpt_lab.session.sources import Sources


_MOST = 512
"""Files kept: more than a person reviews at once."""


class Bases:
    """Knows what a file held when something was proposed for it, by the digest of its bytes."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._kept: dict[str, SourceFile] = {}

    def keep(self, actions: Iterable[CodeAction]) -> None:
        """Keep the files that these proposals name, and forget the oldest of the others."""
        kept = dict(self._kept)
        for action in actions:
            for part in action.edit.documents if action.edit else ():
                try:
                    found = kept.get(part.digest) or self._sources.file(part.path)
                except FastptError:
                    continue
                if digest_of(found.data) == part.digest:
                    kept[part.digest] = found
        self._kept = dict(list(kept.items())[-_MOST:])

    def conflicts(self, edit: WorkspaceEdit) -> tuple[ThreeWay, ...]:
        """Return the three texts of each file that is not what the edit was made from."""
        found = (self._conflict(part) for part in edit.documents)
        return tuple(one for one in found if one is not None)

    def _conflict(self, part: TextDocumentEdit) -> ThreeWay | None:
        base = self._kept.get(part.digest)
        if base is None:
            return None
        try:
            now = read_bytes(part.path)
        except FastptError:
            return None
        if now == base.data:
            return None
        # Only a conflict needs it, not every start.
        from fastpt_lab.fix.threeway import ThreeWay

        wanted = base.encode(base.document.apply(part.edits).text)
        return ThreeWay(path=part.path, base=base.data, ours=now, theirs=wanted)
