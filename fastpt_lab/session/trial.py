"""Does this fix really move the first error: judged by the user's own compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.action import Trial, TrialStatus
from fastpt_lab.core.sourcemap import SourceMap
from fastpt_lab.show.text import place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.text import Document, TextDocumentEdit, WorkspaceEdit

_Key = tuple[str, int, str]


class EditedPlaces:
    """Where the lines of edited texts were before the edit."""

    def __init__(self, edit: WorkspaceEdit, read: Callable[[Path], Document | None]) -> None:
        self._maps: dict[Path, tuple[Document, Document, SourceMap]] = {}
        for document in edit.documents:
            before = read(document.path)
            if before is not None:
                after = before.apply(document.edits)
                self._maps[document.path] = (before, after, _map_of(before, document))

    def key(self, found: Diagnostic) -> tuple[_Key, bool]:
        """Return what makes an error of the edited project comparable, and whether it is new text.

        The line is the one before the edit; the second value says that the error stands in
        text which the edit added.
        """
        where = found.location
        if where is None:
            return ("", -1, found.message), False
        known = self._maps.get(where.path)
        if known is None:
            return (str(where.path), where.range.start.line, found.message), False
        before, after, source_map = known
        offset = after.offset(where.range.start)
        old = source_map.to_original(offset)
        if old is None or _inside(source_map, offset):
            return (str(where.path), -1, found.message), True
        return (str(where.path), before.position(old).line, found.message), False


def _map_of(before: Document, document: TextDocumentEdit) -> SourceMap:
    return SourceMap.from_replacements(
        (before.offset(e.range.start), before.offset(e.range.end), e.new_text)
        for e in sorted(document.edits, key=lambda e: e.range)
    )


def _inside(source_map: SourceMap, offset: int) -> bool:
    return any(
        s.generated <= offset < s.generated + s.generated_length for s in source_map.segments
    )


def _plain_key(found: Diagnostic) -> _Key:
    where = found.location
    if where is None:
        return ("", -1, found.message)
    return (str(where.path), where.range.start.line, found.message)


def judge(
    target: Diagnostic,
    before: Sequence[Diagnostic],
    after: Sequence[Diagnostic],
    places: EditedPlaces,
    *,
    root: Path,
    seconds: float,
    compiled: bool,
) -> Trial:
    """Compare the errors of one unit before and after an edit.

    Args:
        target: the error that the action answers.
        before: the unit's errors without the edit, in reading order, followers left out.
        after: the same with it.
        places: moves places of edited texts back.
        root: for showing places.
        seconds: what the trial took.
        compiled: whether the unit compiled with the edit.
    """
    wanted = _plain_key(target)
    old = {_plain_key(found) for found in before}
    keyed = [places.key(found) for found in after]
    still = any(
        key[0] == wanted[0] and key[2] == wanted[2] and (added or key[1] == wanted[1])
        for key, added in keyed
    )
    return Trial(
        status=_status(wanted, old, keyed, still=still, compiled=compiled),
        first_error_before=_say(target, root),
        first_error_after=_say(after[0], root) if after else None,
        errors_before=len(before),
        errors_after=len(after),
        seconds=seconds,
    )


def _status(
    wanted: _Key,
    old: set[_Key],
    keyed: Sequence[tuple[_Key, bool]],
    *,
    still: bool,
    compiled: bool,
) -> TrialStatus:
    if compiled:
        return TrialStatus.FIXED
    # An error in the text that the fix brought is its own fault, unless the replaced lines
    # had it already.
    said = {(path, message) for path, _, message in old}
    if any(added and (key[0], key[2]) not in said for key, added in keyed):
        return TrialStatus.WORSE
    if still:
        first, _ = keyed[0]
        return TrialStatus.UNCHANGED if first == wanted or first in old else TrialStatus.WORSE
    return TrialStatus.ADVANCED if keyed else TrialStatus.UNCHANGED


def _say(found: Diagnostic, root: Path) -> str:
    return f"{place(found.location, root)}: {found.message}"
