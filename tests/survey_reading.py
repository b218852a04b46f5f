"""Small helpers of the survey's tests: units from text, labelled snippets from a file."""

from __future__ import annotations

import re
from pathlib import Path

from fastpt_lab.core.survey import StackFacts
from fastpt_lab.core.text import Document
from fastpt_lab.survey.branches import passes_of
from fastpt_lab.survey.unit import Unit, read_unit

HERE = Path(__file__).parent / "survey"


def unit_of(text: str, name: str = "a.cu", facts: StackFacts | None = None) -> Unit:
    path = Path("/project") / name
    host_only = path.suffix in {".c", ".cc", ".cpp", ".cxx"}
    passes = passes_of(facts or StackFacts())
    return read_unit(path, Document(text), passes, host_only=host_only)


def snippets(name: str) -> list[tuple[str, str]]:
    """Return title and code of each snippet of a file of the labelled set."""
    parts = re.split(r"^//// ", (HERE / name).read_text("utf-8"), flags=re.MULTILINE)[1:]
    return [(title, code) for title, _, code in (part.partition("\n") for part in parts)]
