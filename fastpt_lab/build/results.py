"""Remember what a check of a unit found until the unit, a header, a flag or the compiler changes."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.build.store import Store, digest_of_words
from fastpt_lab.host.config import cache_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.build.plan import CheckPlan, CompilePass, Unit

_KEPT = 2000
_MISSING = ("file not found", "No such file or directory", "没有那个文件或目录")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResult:
    """An earlier result that still holds."""

    status: str
    log: str
    seconds: float
    dependencies: tuple[str, ...]


class Results:
    """Results of one plan's units, kept below the cache folder.

    A result holds as long as the command, the compiler, the names in the include folders and
    every file that the compiler read are the same: files of the project by their bytes, others
    by size and time. A result with a missing header is not kept, because no dependency tells
    when the header appears.
    """

    def __init__(self, plan: CheckPlan) -> None:
        self._plan = plan
        self._store = Store("checks")
        self._made = (str(cache_dir() / "headers"), str(cache_dir() / "precompiled"))
        self._inside = f"{plan.root}/"
        self._states: dict[str, str] = {}

    def key(self, unit: Unit, passes: Sequence[CompilePass]) -> str:
        """Return the key of everything that is known before compiling."""
        words = [word for run in passes for word in (*run.argv, "")]
        # The host's compiler is no part of the toolchain's fingerprint.
        # A launcher may stand before it.
        programs = (word for run in passes for word in run.base[:2])
        words += (self.state(shutil.which(word) or "") for word in programs)
        folders = {unit.generated.parent}
        folders.update(self._plan.root / d for d in self._plan.options.include_dirs)
        listings = (self._listing(folder) for folder in sorted(folders))
        return digest_of_words(
            self._plan.toolchain.fingerprint, str(self._plan.root), *words, *listings
        )

    def find(self, key: str) -> KeptResult | None:
        """Return the result kept under `key` if no file it rests on has changed."""
        kept: Any = self._store.get(key)
        if not isinstance(kept, dict):
            return None
        states: dict[str, str] = kept["states"]
        if any(self.state(path) != state for path, state in states.items()):
            return None
        return KeptResult(
            status=kept["status"],
            log=kept["log"],
            seconds=kept["seconds"],
            dependencies=tuple(states),
        )

    def keep(
        self, key: str, *, status: str, log: str, seconds: float, files: Sequence[str]
    ) -> None:
        """Keep a result with the files that the compiler read; without files it is not kept."""
        if not files or any(mark in log for mark in _MISSING):
            return
        # The copies of torch's headers never change: their folder's name is in the command.
        own = [path for path in dict.fromkeys(files) if not path.startswith(self._made)]
        states = {path: self.state(path) for path in own}
        value = {"status": status, "log": log, "seconds": seconds, "states": states}
        self._store.put(key, value)

    def prune(self) -> None:
        """Remove old results: trials in scratch copies leave some that nobody asks for again."""
        self._store.prune(_KEPT)

    def state(self, path: str) -> str:
        """Return what identifies a file's content now; read once for all units of a check."""
        known = self._states.get(path)
        if known is None:
            known = self._states[path] = self._read_state(path)
        return known

    def _read_state(self, path: str) -> str:
        # Thousands of paths: text is compared, pathlib would cost more than the file system.
        whole = path if path.startswith("/") else self._inside + path
        try:
            if whole.startswith(self._inside):
                return sha256(Path(whole).read_bytes()).hexdigest()
            state = Path(whole).stat()
        except OSError:
            return "missing"
        return f"{state.st_size} {state.st_mtime_ns}"

    def _listing(self, folder: Path) -> str:
        try:
            return "\n".join(sorted(entry.name for entry in folder.iterdir()))
        except OSError:
            return "missing"
