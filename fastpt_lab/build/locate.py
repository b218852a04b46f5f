"""Diagnostics at their places in the originals, the cause first.

`generated` leaves here as the compiler's place in code points, `location` as the place in the
original: through the source map of a generated file; the user's nearest frame where the message
lies in a header that is not the user's.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build import cascade
from fastpt_lab.build.columns import in_code_points
from fastpt_lab.build.demangle import with_readable_names
from fastpt_lab.build.logs import Collector, is_wrapper
from fastpt_lab.build.logs.gcc import INCLUDED
from fastpt_lab.core.diagnostic import Diagnostic, Related, Severity
from fastpt_lab.core.text import Location, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.core.text import Document

_INSTALLED = re.compile(r"/(?:site|dist)-packages/|/\.?venv/|/\.tox/")
_SYSTEM = re.compile(
    r"^/(?:usr|opt|lib|lib64|nix|public/software|snap)/|/lib/(?:clang|gcc)/|/include/c\+\+/"
    r"|/(?:dtk|rocm|cuda)-\d[\d.]*/|" + _INSTALLED.pattern
)
_MAX_NAME = 255  # bytes of one name: ext4, xfs

_FRAME = re.compile(
    r"^in instantiation of |requested here$|^required (?:from|by|for)|^recursively required"
    r"|^in expansion of macro|^called by|^detected during|instantiation of .* at line|^in call to"
    r"|^expanded from macro|^in evaluation of"
)


def locate(
    diagnostics: Iterable[Diagnostic],
    *,
    origin: Callable[[Path], Origin | None],
    document: Callable[[Path], Document | None],
    root: Path,
    cwd: Path,
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of one log at their original places, in reading order.

    Each error is followed by what only follows from it; warnings come last. Ids are `d1`, `d2`,
    … in that order.

    Args:
        diagnostics: as the log parser gives them, in printed order.
        origin: the original of a generated file, None for any other file.
        document: the text of a file, None if it is not there.
        root: the project; a file outside it is not the user's.
        cwd: the folder in which the build ran.
    """
    places = _Places(origin, document, root, cwd)
    collector = Collector()
    collector.add(diagnostics)
    found = cascade.without_repeats(places.move(one) for one in collector.result())
    found = with_readable_names(found)
    parents = cascade.causes(found)
    order = list(_reading_order(found, parents))
    ids = {index: f"d{number}" for number, index in enumerate(order, start=1)}
    result = []
    for index in order:
        parent = parents[index]
        cause = None if parent is None else ids[parent]
        result.append(replace(found[index], id=ids[index], caused_by=cause))
    return tuple(result)


def first_error(diagnostics: Iterable[Diagnostic]) -> Diagnostic | None:
    """Return the error to fix now, None if there is no error.

    A line that only reports the failure of a command is it where nothing else was printed.
    """
    errors = [one for one in diagnostics if one.is_error and one.caused_by is None]
    real = (one for one in errors if not is_wrapper(one.message))
    return next(real, errors[0] if errors else None)


def _reading_order(found: list[Diagnostic], parents: list[int | None]) -> Iterator[int]:
    followers: dict[int, list[int]] = {}
    for index, parent in enumerate(parents):
        if parent is not None:
            followers.setdefault(parent, []).append(index)
    for severity in Severity:
        for index, one in enumerate(found):
            if one.severity is severity and parents[index] is None:
                yield index
                yield from followers.get(index, ())


class _Places:
    """Answers what a printed place is on this machine, each file asked for once."""

    def __init__(
        self,
        origin: Callable[[Path], Origin | None],
        document: Callable[[Path], Document | None],
        root: Path,
        cwd: Path,
    ) -> None:
        self._ask_origin = origin
        self._ask_document = document
        self._root = root
        self._cwd = cwd
        self._files: dict[Path, tuple[Path, Document | None, Origin | None]] = {}

    def move(self, found: Diagnostic) -> Diagnostic:
        """Return a diagnostic with its places in code points and in the original."""
        printed = found.generated
        related = tuple(self._move_related(one, found.source) for one in found.related)
        if printed is None:
            return replace(found, related=related, location=_named_by_linker(found, related))
        generated, location = self._move(printed, found.source, found.raw)
        if self._is_foreign(printed.path):
            frame = self._nearest_own(related, found.source)
            if frame is not None and frame.location is not None:
                header = Related(message=cascade.HEADER, location=location, generated=generated)
                related = (header, *related)
            location = frame.location if frame else location
        return replace(found, generated=generated, location=location, related=related)

    def _move_related(self, related: Related, source: str) -> Related:
        if related.generated is None:
            return related
        generated, location = self._move(related.generated, source)
        return replace(related, generated=generated, location=location)

    def _move(
        self, printed: Location, source: str, raw: str = ""
    ) -> tuple[Location, Location | None]:
        path, document, origin = self._file(printed.path)
        if document is None:
            return printed, None
        span = in_code_points(printed.range, document, source=source, raw=raw)
        generated = Location(path, span)
        if origin is not None:
            return generated, origin.locate(span) or _before_added(origin, span)
        return generated, generated if self._inside(path) else None

    def _file(self, printed: Path) -> tuple[Path, Document | None, Origin | None]:
        known = self._files.get(printed)
        if known is None:
            known = (printed, None, None)
            for path in self._candidates(printed) if _could_exist(printed) else ():
                origin = self._ask_origin(path)
                document = origin.generated if origin else self._ask_document(path)
                if document is not None:
                    known = (path, document, origin)
                    break
            self._files[printed] = known
        return known

    def _candidates(self, printed: Path) -> Iterator[Path]:
        """Yield where a printed path could be: as it is, then as a place below the root.

        A log of a container or of another machine has other folders above the project's.
        """
        bases = (self._cwd, self._root)
        seen: set[Path] = set()
        for base in bases:
            path = Path(os.path.normpath(base / printed))
            if path not in seen:
                seen.add(path)
                yield path
        if _SYSTEM.search(printed.as_posix()):
            return
        if " " in printed.name:
            # An unknown prefix looks like the beginning of a path with a space.
            yield from self._candidates(Path(printed.as_posix().rpartition(" ")[2]))
            return
        parts = [part for part in printed.parts if part not in ("..", "/", printed.anchor)]
        for start in range(len(parts)):
            path = self._root.joinpath(*parts[start:])
            if path not in seen:
                seen.add(path)
                yield path

    def _inside(self, path: Path) -> bool:
        if not path.is_relative_to(self._root):
            return False
        return not _INSTALLED.search("/" + path.relative_to(self._root).as_posix())

    def _is_foreign(self, printed: Path) -> bool:
        """Return whether a file is not the user's: outside the root, or installed."""
        path, document, _ = self._file(printed)
        if document is not None:
            return not self._inside(path)
        if self._inside(Path(os.path.normpath(self._cwd / printed))):
            return False
        return printed.parts[:1] == ("..",) or bool(_SYSTEM.search(printed.as_posix()))

    def _nearest_own(self, related: Iterable[Related], source: str) -> Related | None:
        """Return the frame next to the message that lies in a file of the user's."""
        own = [r for r in related if r.generated and not self._is_foreign(r.generated.path)]
        chain = [r for r in own if _FRAME.search(r.message)]
        if chain:
            return chain[-1] if source == "cmake" else chain[0]
        includes = [r for r in own if r.message == INCLUDED]
        if includes:
            # gcc prints the innermost include first, clang last.
            return includes[0] if source == "gcc" else includes[-1]
        return own[0] if own and source == "cmake" else None


def _could_exist(printed: Path) -> bool:
    """Return whether a file system takes the name at all; a torn line can look like a path."""
    return all(len(os.fsencode(part)) <= _MAX_NAME for part in printed.parts)


def _named_by_linker(found: Diagnostic, related: Iterable[Related]) -> Location | None:
    """Return where lld says that a symbol is used; it prints the place in a note only."""
    if found.source != "ld":
        return None
    return next((one.location for one in related if one.location), None)


def _before_added(origin: Origin, span: Range) -> Location:
    """Return the original place where text that the transcoder added was put in."""
    offset = origin.generated.offset(span.start)
    place = None
    while place is None and offset > 0:
        offset -= 1
        place = origin.source_map.to_original(offset)
    here = origin.original.position(0 if place is None else place + 1)
    return Location(origin.original_path, Range(here, here))
