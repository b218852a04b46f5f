"""Small answers kept on disk between runs, one JSON file a key; a damaged file is no answer."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

from fastpt_lab.host.config import cache_dir


def digest_of_words(*words: str) -> str:
    """Return a digest of the words in order; no two lists of words are confused."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()


class Store:
    """A folder of the cache: `get` and `put` of JSON values by a key made of hexadecimal digits.

    A value that cannot be written is simply not kept: a read-only or full cache makes the lab
    slower and nothing else.
    """

    def __init__(self, name: str) -> None:
        self._folder = cache_dir() / name

    def get(self, key: str) -> object:
        """Return the value kept for `key`, None where there is none."""
        try:
            return json.loads(self._path(key).read_bytes())
        except (OSError, ValueError):
            return None

    def put(self, key: str, value: object) -> None:
        """Keep `value`; readers see the old value or the new one, never a part."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self._folder, prefix=".new-")
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(value, stream)
            Path(temporary).replace(self._path(key))
        except OSError:
            return

    def prune(self, keep: int) -> None:
        """Remove the oldest values but `keep`; called by those whose keys never come back."""
        try:
            files = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        except OSError:
            return
        for path in files[:-keep]:
            path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"
