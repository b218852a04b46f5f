"""Find a project's root and its sources; tell originals from generated files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import NoSourcesError, PathMissingError
from fastpt_lab.core.suggest import closest
from fastpt_lab.host.files import inside
from fastpt_lab.host.sourcetree import is_generated_file, root_of, source_names

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_root(path: Path) -> Path:
    """Return the nearest folder at or above `path` that looks like a project's root.

    The home folder and the file system's root are never one; without a mark it is `path`
    itself, or the folder of the file.

    Raises:
        PathMissingError: `path` does not exist.
    """
    if not path.exists():
        raise PathMissingError(f"there is no {path}", next_step=check_path(path))
    return Path(root_of(str((path if path.is_dir() else path.parent).resolve())))


def check_path(path: Path, *, otherwise: str = "Check the path") -> str:
    """Return the next step for a path that is not there: one beside it with a name like it."""
    here = path.expanduser()
    while not here.parent.is_dir() and here != here.parent:
        here = here.parent
    try:
        names = [path.name for path in here.parent.iterdir()]
    except OSError:
        return otherwise
    found = closest(here.name, names)
    return otherwise if found is None else f"Did you mean {here.parent / found}? {otherwise}"


def is_generated(path: Path) -> bool:
    """Return whether the file at `path` is an output of a transcoder, by its first line."""
    return is_generated_file(str(path))


@dataclass(frozen=True, slots=True)
class Project:
    """The folder that everything is relative to.

    Attributes:
        root: absolute, links resolved.
        exclude: globs of paths, relative to the root, that are not sources.
    """

    root: Path
    exclude: tuple[str, ...] = ()

    @property
    def state_dir(self) -> Path:
        """Where the manifest, the journal and the session live."""
        return self.root / ".fastpt"

    def relative(self, path: Path) -> str:
        """Return `path` from the root, with `/`; as it is where it lies elsewhere."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return str(path)

    def resolve(self, name: str | Path, *, cwd: Path | None = None) -> Path:
        """Return the absolute path of a name that a user typed.

        It is looked for from `cwd` first, then from the root.

        Raises:
            PathMissingError: it is in neither.
            OutsideRootError: it leads out of the project.
        """
        named = Path(name).expanduser()
        for base in (cwd or Path.cwd(), self.root):
            path = named if named.is_absolute() else base / named
            if path.exists() and (
                named.is_absolute() or path.resolve().is_relative_to(self.root)
            ):
                return inside(self.root, path)
        path = named if named.is_absolute() else self.root / named
        if path.exists():
            return inside(self.root, path)
        raise PathMissingError(
            f"there is no {name} in {self.root}",
            next_step=check_path(path, otherwise="Check the path, or pass --root"),
        )

    def sources(self, paths: Sequence[Path] = ()) -> tuple[Path, ...]:
        """Return the original sources at or below `paths` (the root by default), sorted.

        Build folders, environments, version control and generated files are left out, and so
        are links that lead out of the project.

        Raises:
            NoSourcesError: there is none.
        """
        found: set[Path] = set()
        for path in paths or (self.root,):
            if path.is_dir():
                below = self.relative(path)
                names = source_names(
                    str(self.root), self.exclude, "" if below == "." else below
                )
                found.update(self.root / name for name in names)
            else:
                found.add(path)
        if not found:
            where = ", ".join(self.relative(p) or "." for p in paths) or str(self.root)
            raise NoSourcesError(
                f"there is no C++ or CUDA source in {where}",
                next_step="Name the folder that holds the .cu files",
            )
        return tuple(sorted(found))
