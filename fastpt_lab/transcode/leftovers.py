"""What a killed run left half-written beside the outputs is removed before the next one writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.host.temporary import remove_leftovers
from fastpt_lab.transcode.outputs import leading_out, output_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fastpt_lab.transcode.manifest import Manifest


def sweep(
    out: Path, sources: Iterable[str], manifest: Manifest, *, keep: bool
) -> tuple[str, ...]:
    """Remove half-written files where outputs of `sources` lie; return a line if there were any.

    Args:
        out: the output root.
        sources: paths of originals from the project's root.
        manifest: what was written there before.
        keep: whether outputs keep the paths of their originals.
    """
    outputs = [output_name(name, keep=keep) for name in sources]
    outputs += [record.output for record in manifest.files.values()]
    folders = {name.rpartition("/")[0] for name in outputs} | {
        ".fastpt",
        ".fastpt/edited-outputs",
    }
    ours = sorted(folders - leading_out(out, folders))
    left = [path for folder in ours for path in remove_leftovers(out / folder)]
    if not left:
        return ()
    return (f"{len(left)} half-written files of an interrupted run were removed",)
