"""What a transcode was asked for and what it gave back."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fastpt_lab.core.sourcemap import Origin, SourceMap
    from fastpt_lab.transcode.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscodeOptions:
    """How to transcode.

    Attributes:
        engine: `lab`, or `torch` or `fastpt` for a foreign one in a child process.
        out: folder for the outputs instead of beside the originals; files that need no change
            are copied there, so that it can be compiled by itself.
        keep_file_path: make a `<root>_dtk` copy of the whole project in which outputs keep
            their originals' paths, for builds that name files (CMake).
        dtk_macros: define the HIP platform macros at the top of every output.
        include_dirs: folders of the project's headers, as the build passes them with `-I`.
        defines: macros that the build passes, `NAME` or `NAME=VALUE`.
        mappings: a custom mapping file besides those that are found.
        include: globs of originals from the root; none means all.
        dry_run: find out everything and write nothing.
        timeout: seconds for a foreign engine.
        memory: bytes for a foreign engine.
    """

    engine: str = "lab"
    out: Path | None = None
    keep_file_path: bool = False
    dtk_macros: bool = False
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    mappings: Path | None = None
    include: tuple[str, ...] = ()
    dry_run: bool = False
    timeout: float = 600.0
    memory: int = 4 << 30


@dataclass(frozen=True, kw_only=True)
class TranscodedFile:
    """One original and what became of it.

    Attributes:
        original: the file that a person wrote.
        generated: its output, or the original itself where there is none.
        status: `written`, `unchanged` (the output was up to date), `skipped` (the original
            compiles as it is and is used itself) or `refused`.
        why: one sentence.
    """

    original: Path
    generated: Path
    status: str
    why: str
    read_notes: Callable[[], tuple[Note, ...]] = field(repr=False, compare=False)
    read_origin: Callable[[], Origin | None] = field(repr=False, compare=False)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What is worth a look, in the order of the text."""
        return self.read_notes()

    @cached_property
    def origin(self) -> Origin | None:
        """Both texts and the map between them; None where there is no output."""
        return self.read_origin()

    @property
    def source_map(self) -> SourceMap | None:
        """The map from the output to the original; None where there is no output."""
        return self.origin.source_map if self.origin else None


@dataclass(frozen=True, kw_only=True)
class TranscodeResult:
    """What one transcode did.

    Attributes:
        files: every original that was looked at, sorted by path.
        removed: outputs whose originals are gone or no longer need them.
        remarks: about the custom mapping files and the project as a whole.
        root: of the project.
        out: the folder that outputs went to; `root` unless another was asked for.
    """

    files: tuple[TranscodedFile, ...]
    removed: tuple[Path, ...] = ()
    remarks: tuple[str, ...] = ()
    root: Path
    out: Path

    @cached_property
    def _by_generated(self) -> dict[Path, TranscodedFile]:
        return {file.generated: file for file in self.files if file.generated != file.original}

    def of_generated(self, path: Path) -> TranscodedFile | None:
        """Return the file whose output is at `path`."""
        return self._by_generated.get(path)

    def origin(self, path: Path) -> Origin | None:
        """Return where the generated file at `path` came from; None if it is not an output."""
        file = self.of_generated(path)
        return file.origin if file else None

    @property
    def changed(self) -> bool:
        """Whether anything was written or removed."""
        return bool(self.removed) or any(file.status == "written" for file in self.files)

    @property
    def refused(self) -> tuple[TranscodedFile, ...]:
        """The originals that were not transcoded, so as not to lose something."""
        return tuple(file for file in self.files if file.status == "refused")
