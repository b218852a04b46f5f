"""The folder of a batch: copies, the state of each repository, what is in progress.

ported/NAME/FOLDER      the copy with the generated files and the fixes; fixes.patch beside it
state/NAME.json         what became of it, written when it is done
work/                   attempts in progress
report.html, report.json
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.batch import PortedRepository, Repository
from fastpt_lab.core.errors import WriteError
from fastpt_lab.core.version import __version__
from fastpt_lab.host.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 60
_ASKED = ("depth", "paths", "options", "unsafe", "rules")


def name_of(repository: Repository) -> str:
    """Return a name for a repository: readable, safe as a file's name, its own."""
    told = json.dumps([os.fsencode(repository.folder).hex(), repository.paths])
    short = hashlib.sha256(told.encode()).hexdigest()[:8]
    readable = _UNFIT.sub("_", repository.folder.name)[:_LONGEST].strip("._-") or "repository"
    return f"{readable}-{short}"


def digest_of_task(task: Mapping[str, Any], files: str) -> str:
    """Return the digest of a repository's files and of everything that is asked for it."""
    asked = {name: task[name] for name in _ASKED}
    # How many compilers run at once changes nothing of what they say.
    asked["options"] = {k: v for k, v in asked["options"].items() if k != "jobs"}
    told = json.dumps([__version__, files, asked], sort_keys=True, default=list)
    return hashlib.sha256(told.encode()).hexdigest()


class Layout:
    """Names and writes the parts of one batch's folder."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.work = out / "work"
        self._ported = out / "ported"
        self.state = out / "state"

    def prepare_folders(self) -> None:
        """Make the folders.

        Raises:
            WriteError: it cannot be written.
        """
        try:
            for folder in (self._ported, self.state):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(
                f"{self.out} was not made: {error.strerror}", next_step="Name another --out"
            ) from error

    def sweep(self) -> None:
        """Delete attempts; one that is still alive somewhere then ends with a WriteError."""
        if self.work.exists():
            # One rename takes them out of reach before the first of their files goes.
            trash = Path(tempfile.mkdtemp(prefix=".trash-", dir=self.out))
            self.work.rename(trash / "work")
        for left in self.out.glob(".trash-*"):
            shutil.rmtree(left, ignore_errors=True)
        for left in self.out.glob(".stop-*"):
            left.unlink(missing_ok=True)

    def find(self, name: str) -> PortedRepository | None:
        """Return the kept state of a repository, None if there is none that can be read."""
        try:
            data = json.loads((self.state / f"{name}.json").read_text("utf-8"))
            row = PortedRepository.from_json(data)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        whole = not row.settled or (self._ported / name).is_dir()
        return row if whole else None

    def publish(self, name: str, attempt: Path) -> None:
        """Move an attempt's folder to its place, instead of an older one.

        Raises:
            WriteError: the attempt was swept away, or the folder cannot be written.
        """
        final = self._ported / name
        try:
            # Without its state a copy does not count, whatever happens before the last line.
            (self.state / f"{name}.json").unlink(missing_ok=True)
            if final.exists():
                final.rename(Path(tempfile.mkdtemp(prefix=".old-", dir=self.work)) / name)
            attempt.rename(final)
        except OSError as error:
            raise WriteError(
                f"{final} was not written: {error.strerror}", next_step="Run it again"
            ) from error

    def save(self, row: PortedRepository) -> None:
        """Keep the state of a repository.

        Raises:
            WriteError: it cannot be written.
        """
        data = json.dumps(row.to_json(), indent=1)
        write_atomic(self.state / f"{row.name}.json", data.encode())
