"""How units are compiled: what the project's configuration says, overridden by the caller."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.build.compileoptions import CompileOptions
from fastpt_lab.core.errors import UsageError
from fastpt_lab.core.suggest import did_you_mean
from fastpt_lab.transcode.result import TranscodeOptions

if TYPE_CHECKING:
    from fastpt_lab.host.config import Config


OWN_ENGINE = "lab"
ENGINES = (OWN_ENGINE, "torch")
"""What `until_green` asks for: a build of torch's runs torch's own hipify."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of `check` and `fix` (docs/contract.md).

    Attributes:
        arch: `gfx…` targets; none leaves the choice to the toolchain.
        std: language standard.
        include_dirs: folders, absolute or relative to the root.
        defines: `NAME` or `NAME=VALUE`.
        flags: further words for the compiler.
        compiler: path or name of hipcc; "" finds it.
        jobs: units at once; 0 is one a core.
        timeout: seconds for one unit.
        off_device: hipified headers even where torch is a HIP build.
    """

    arch: tuple[str, ...] = ()
    std: str = "c++17"
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    compiler: str = ""
    jobs: int = 0
    timeout: float = 600.0
    off_device: bool = False

    @classmethod
    def from_config(cls, config: Config) -> CheckOptions:
        """Return the options that a project sets for itself."""
        return cls(**{field.name: getattr(config, field.name) for field in fields(cls)})

    def override(self, **values: Any) -> CheckOptions:  # noqa: ANN401 - names are checked below
        """Return these options with every value that is not None in place of the old one.

        Raises:
            UsageError: a name is no option.
        """
        known = {field.name for field in fields(self)}
        unknown = set(values) - known
        if unknown:
            raise UsageError(
                f"there is no option {min(unknown)!r}",
                next_step=did_you_mean(
                    min(unknown), known, "Known: " + ", ".join(sorted(known))
                ),
            )
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
            if value is not None
        }
        return replace(self, **given)

    def transcode_options(self, root: Path) -> TranscodeOptions:
        """Return how the transcoder should look for headers and read conditions."""
        return TranscodeOptions(
            include_dirs=tuple(root / folder for folder in self.include_dirs),
            defines=self.defines,
        )

    def compile_options(self, root: Path) -> CompileOptions:
        """Return how the compiler is called on outputs below `root`.

        A folder whose name the transcoder changes is searched under its new name first, then
        under its own, where headers that need no change stay (torch 2.13 does the same).
        """
        from fastpt_lab.transcode.names import hip_path

        folders: list[Path] = []
        for name in self.include_dirs:
            folder = Path(name)
            if folder.is_absolute() and folder.is_relative_to(root):
                folder = folder.relative_to(root)
            if not folder.is_absolute():
                # The rule for names is one for files; a file's folder is renamed with it.
                renamed = Path(hip_path((folder / "x.cu").as_posix())).parent
                folders += [renamed] if renamed != folder else []
            folders.append(folder)
        return CompileOptions(
            std=self.std,
            include_dirs=tuple(dict.fromkeys(folders)),
            defines=self.defines,
            flags=self.flags,
            off_device=self.off_device,
        )
