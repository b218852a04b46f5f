"""The journal: what was changed, byte for byte, kept so that it can be taken back.

Below `.fastpt/journal/` each entry is `j1.json`, `j2.json`, …, and the bytes before and after
are blobs named by their SHA-256; a file that was not there has no digest. An entry is written
before the files are; one that is found
half done later is finished or taken back by `recover`, so an original is old or new, never in
between.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.errors import ConfigError, UnknownNameError
from fastpt_lab.core.text import digest_of
from fastpt_lab.host.files import read_bytes, write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_VERSION = 1
ABSENT = ""
"""In place of a digest: there was no file."""
_NAME = re.compile(r"j([1-9]\d{0,8})\.json", re.ASCII)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


class State(str, Enum):
    """Where an entry stands; the last two are only seen after a crash."""

    APPLIED = "applied"
    UNDONE = "undone"
    ABORTED = "aborted"
    APPLYING = "applying"
    UNDOING = "undoing"


class FileChange(NamedTuple):
    """One file of an entry: the digests of its bytes before and after.

    `path` is absolute. `before` is `ABSENT` where the entry made the file.
    """

    path: Path
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One applied action.

    Attributes:
        id: `j1`, `j2`, … in the order of application.
        time: ISO 8601, UTC, to the second.
        rule: the rule's name.
        title: what the action said it does.
        files: what became of each file.
        state: whether it is in force.
        turn: rises with every change of state; tells what was undone last.
    """

    id: str
    time: str
    rule: str
    title: str
    files: tuple[FileChange, ...]
    state: State = State.APPLIED
    turn: int = 0

    @property
    def paths(self) -> tuple[Path, ...]:
        """The originals that it changed."""
        return tuple(change.path for change in self.files)

    @property
    def number(self) -> int:
        """The number in the id."""
        return int(self.id[1:])


class Journal:
    """The entries of one project, read from disk each time: another process may add to them."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.folder = self.root / ".fastpt" / "journal"
        self.folders = (self.root, self.folder.parent, self.folder, self.folder / "blobs")

    def entries(self) -> tuple[JournalEntry, ...]:
        """Return all entries in the order of their ids.

        Raises:
            ConfigError: an entry cannot be understood.
        """
        if not self.folder.is_dir():
            return ()
        found = [self._load(p) for p in self.folder.iterdir() if _NAME.fullmatch(p.name)]
        return tuple(sorted(found, key=lambda entry: entry.number))

    def entry(self, name: str) -> JournalEntry:
        """Return the entry called `name`.

        Raises:
            UnknownNameError: there is none.
        """
        for entry in self.entries():
            if entry.id == name:
                return entry
        raise UnknownNameError(
            f"the journal has no entry {name}", next_step="`fastpt-lab status` lists them"
        )

    def begin(
        self, rule: str, title: str, changes: Sequence[tuple[Path, bytes | None, bytes]]
    ) -> JournalEntry:
        """Write down a change, path and bytes before and after, that is about to be made."""
        entries = self.entries()
        number = max((entry.number for entry in entries), default=0) + 1
        entry = JournalEntry(
            id=f"j{number}",
            time=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            rule=rule,
            title=title,
            files=tuple(
                FileChange(path, self._keep(before), self._keep(after))
                for path, before, after in changes
            ),
            state=State.APPLYING,
            turn=self._turn(entries),
        )
        self._save(entry)
        return entry

    def mark(
        self,
        entry: JournalEntry,
        state: State,
        files: Iterable[tuple[FileChange, bytes | None, bytes]] | None = None,
    ) -> JournalEntry:
        """Write down a new state, with other bytes where a later edit was kept."""
        changed = replace(entry, state=state, turn=self._turn(self.entries()))
        if files is not None:
            changed = replace(
                changed,
                files=tuple(
                    FileChange(change.path, self._keep(before), self._keep(after))
                    for change, before, after in files
                ),
            )
        self._save(changed)
        return changed

    def bytes_of(self, digest: str) -> bytes:
        """Return kept bytes; none for a file that was not there.

        Raises:
            ConfigError: they are gone or damaged.
        """
        if digest == ABSENT:
            return b""
        path = self._blob(digest)
        data = read_bytes(path) if path.is_file() else b""
        if digest_of(data) != digest:
            raise ConfigError(
                f"the journal's copy {path.name[:12]}… is missing or damaged",
                next_step="Take the file from version control",
            )
        return data

    def _turn(self, entries: Iterable[JournalEntry]) -> int:
        return max((entry.turn for entry in entries), default=0) + 1

    def _blob(self, digest: str) -> Path:
        return self.folder / "blobs" / digest.rpartition(":")[2]

    def _keep(self, data: bytes | None) -> str:
        if data is None:
            return ABSENT
        digest = digest_of(data)
        path = self._blob(digest)
        if not path.is_file() or read_bytes(path) != data:
            write_atomic(path, data)
        return digest

    def _save(self, entry: JournalEntry) -> None:
        value = {
            "version": _VERSION,
            "id": entry.id,
            "time": entry.time,
            "rule": entry.rule,
            "title": entry.title,
            "state": entry.state.value,
            "turn": entry.turn,
            "files": [
                {
                    "path": change.path.relative_to(self.root).as_posix(),
                    "before": change.before,
                    "after": change.after,
                }
                for change in entry.files
            ],
        }
        text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
        write_atomic(self.folder / f"{entry.id}.json", text.encode())

    def _change(self, file: dict[str, str]) -> FileChange:
        """Read one file of an entry; the journal may have come with a project from elsewhere."""
        name, before, after = file["path"], file["before"], file["after"]
        if name.startswith("/") or ".." in name.split("/") or "\0" in name:
            raise ValueError(f"{name!r} is no path in the project")
        if not all(digest == ABSENT or _DIGEST.fullmatch(digest) for digest in (before, after)):
            raise ValueError(f"{name!r} has a digest that is none")
        return FileChange(self.root / name, before, after)

    def _load(self, path: Path) -> JournalEntry:
        try:
            value = json.loads(read_bytes(path))
            if value["version"] != _VERSION:
                raise ConfigError(
                    f"{path} was written by another version of FastPT Lab",
                    next_step="Use that version, or move the journal away",
                )
            words = [value[name] for name in ("time", "rule", "title")]
            if value["id"] != path.stem or not all(isinstance(word, str) for word in words):
                raise ValueError("its name, time, rule or title is another's")
            return JournalEntry(
                id=path.stem,
                time=words[0],
                rule=words[1],
                title=words[2],
                state=State(value["state"]),
                turn=int(value["turn"]),
                files=tuple(self._change(file) for file in value["files"]),
            )
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as error:
            raise ConfigError(
                f"{path} is damaged: {error}",
                next_step="Move it away; the files themselves are as they are",
            ) from error
