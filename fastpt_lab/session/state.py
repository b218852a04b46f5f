"""What survives a kernel restart: the last report and the story of the port, below `.fastpt/`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import WriteError
from fastpt_lab.host.files import write_atomic
from fastpt_lab.show.json import read_report, report_json

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.report import Report

_STATE = "session.json"


def save_report(folder: Path, report: Report) -> bool:
    """Keep `report` in `folder`; return whether it could be written.

    A project on a read-only disk can still be surveyed and checked.
    """
    data = json.dumps(report_json(report), ensure_ascii=False, separators=(",", ":"))
    try:
        write_atomic(folder / _STATE, data.encode())
    except WriteError:
        return False
    return True


def load_report(folder: Path, root: Path) -> Report | None:
    """Return the report kept in `folder`, None if there is none that this version can read."""
    try:
        data: dict[str, Any] = json.loads((folder / _STATE).read_text("utf-8"))
        return read_report(data, root)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
