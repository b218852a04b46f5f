"""The record of a transcode: what each output was made from, so that a second run can stop early.

It lies in `.fastpt/transcode.json` of the output root. A lost or damaged record costs time and
nothing else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from fastpt_lab.transcode.outputs import replace_bytes

if TYPE_CHECKING:
    import os
    from pathlib import Path

_FORMAT = 4
_FILE = "transcode.json"


class Stamp(NamedTuple):
    """What a file's directory entry says; equal stamps mean equal bytes."""

    size: int
    mtime_ns: int
    inode: int

    @classmethod
    def of(cls, info: os.stat_result) -> Stamp:
        """Return the stamp of a file's status."""
        return cls(info.st_size, info.st_mtime_ns, info.st_ino)


@dataclass(slots=True)
class Record:
    """What is known of one original.

    Attributes:
        stamp: of the original when it was read.
        digest: of its bytes.
        needs: whether its own text has to change, includes of project files aside.
        includes: path, whether angled, and what the tables say, of each include.
        own_names: CUDA-like names that it defines itself.
        custom_used: names of the custom mapping that it uses.
        notes: rows of `notes.row_of`.
        output: path of the generated file from the output root, "" if there is none.
        output_stamp, output_digest: of that file as written.
        made_from: digest of the text and of the includes' new paths.
    """

    stamp: Stamp
    digest: str
    needs: bool = False
    includes: list[tuple[str, bool, str | None]] = field(default_factory=list)
    own_names: list[str] = field(default_factory=list)
    custom_used: list[str] = field(default_factory=list)
    notes: list[list[Any]] = field(default_factory=list)
    output: str = ""
    output_stamp: Stamp | None = None
    output_digest: str = ""
    made_from: str = ""


@dataclass(slots=True)
class Manifest:
    """All records of one output root, and the key of everything they depend on in common."""

    key: str = ""
    files: dict[str, Record] = field(default_factory=dict)


def load_manifest(state_dir: Path) -> Manifest:
    """Return the manifest in `state_dir`, an empty one if there is none that can be read."""
    try:
        raw = json.loads((state_dir / _FILE).read_bytes())
        if raw["format"] != _FORMAT:
            return Manifest()
        return Manifest(raw["key"], {name: _record(row) for name, row in raw["files"].items()})
    except (
        *(OSError, ValueError, KeyError, TypeError, IndexError, AttributeError),
        RecursionError,
    ):
        return Manifest()


def save_manifest(state_dir: Path, manifest: Manifest) -> None:
    """Write the manifest at once.

    Raises:
        WriteError: the folder cannot be written.
    """
    rows = {name: _row(record) for name, record in sorted(manifest.files.items())}
    data = json.dumps(
        {"format": _FORMAT, "key": manifest.key, "files": rows}, separators=(",", ":")
    )
    replace_bytes(state_dir / _FILE, data.encode(), 0o644)


_FIELDS = (
    "stamp", "digest", "needs", "includes", "own_names", "custom_used", "notes",
    "output", "output_stamp", "output_digest", "made_from",
)  # fmt: skip


def _row(record: Record) -> list[Any]:
    return [getattr(record, name) for name in _FIELDS]


def _record(row: list[Any]) -> Record:
    record = Record(*row)
    record.stamp = Stamp(*record.stamp)
    # What leads elsewhere was not written by a transcode.
    if record.output.startswith("/") or ".." in record.output.split("/"):
        raise ValueError(record.output)
    if record.output_stamp is not None:
        record.output_stamp = Stamp(*record.output_stamp)
    return record
