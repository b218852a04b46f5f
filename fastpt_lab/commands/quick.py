"""Answer a transcode that has nothing to do before the rest of the program is loaded."""

from __future__ import annotations

import os

from fastpt_lab.host.sourcetree import root_of
from fastpt_lab.show.totals import transcoded
from fastpt_lab.transcode.uptodate import totals_if_unchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def unchanged(words: Sequence[str]) -> str | None:
    """Return what `transcode` prints where nothing changed; None if it has to be run.

    Only plain words are answered: paths, and nothing that is configured or left unfinished.
    """
    if not words or words[0] != "transcode" or any(word.startswith("-") for word in words):
        return None
    paths = [os.path.abspath(word) for word in words[1:]] or [os.getcwd()]  # noqa: PTH100, PTH109
    if any(not os.path.exists(p) or os.path.realpath(p) != p for p in paths):  # noqa: PTH110
        return None
    first = paths[0] if os.path.isdir(paths[0]) else os.path.dirname(paths[0])  # noqa: PTH112, PTH120
    root = root_of(first)
    if _has_more_to_say(root) or any(not f"{p}/".startswith(f"{root}/") for p in paths):
        return None
    below = [os.path.relpath(path, root) for path in paths]
    named = len(words) > 1 and "." not in below
    totals = totals_if_unchanged(root, below if named else ())
    return transcoded(totals) if totals is not None else None


def _has_more_to_say(root: str) -> bool:
    """Whether the project sets something for itself, or has changes that may need recovery."""
    try:
        with open(f"{root}/pyproject.toml", "rb") as stream:  # noqa: PTH123
            if b"fastpt-lab" in stream.read():
                return True
    except OSError:
        pass
    return os.path.exists(f"{root}/.fastpt/journal")  # noqa: PTH110
