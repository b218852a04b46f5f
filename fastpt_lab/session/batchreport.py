"""Write what became of a batch: report.html for people, report.json for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fastpt_lab.host.files import write_all
from fastpt_lab.show.batch import batch_html, batch_json

if TYPE_CHECKING:
    from fastpt_lab.core.batch import BatchReport


def write_reports(report: BatchReport) -> None:
    """Write both below the batch's folder.

    Raises:
        WriteError: they cannot be written.
    """
    document = json.dumps(batch_json(report), indent=1)
    write_all(
        [
            (report.out / "report.json", document.encode()),
            # A folder's name may hold bytes that are no text.
            (
                report.out / "report.html",
                batch_html(report).encode("utf-8", "backslashreplace"),
            ),
        ]
    )
