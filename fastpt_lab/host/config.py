"""Read `[tool.fastpt-lab]` of a project's pyproject.toml, and say where caches live."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from fastpt_lab.core.errors import ConfigError
from fastpt_lab.core.suggest import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a project may set once instead of passing it with every command.

    Attributes:
        compiler: path or name of hipcc; "" finds it.
        arch: `gfx…` targets; none finds them.
        std: language standard, as `c++17`.
        include_dirs: folders, relative to the project root.
        defines: `NAME` or `NAME=VALUE`.
        flags: further compiler flags.
        exclude: globs of paths, relative to the root, that are not sources.
        jobs: units compiled at once; 0 is one a core.
        timeout: seconds for one unit.
        off_device: use the hipified copy of torch's headers even where torch is a HIP build.
    """

    compiler: str = ""
    arch: tuple[str, ...] = ()
    std: str = "c++17"
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    jobs: int = 0
    timeout: float = 600.0
    off_device: bool = False


def load_config(root: Path) -> Config:
    """Return the configuration of the project at `root`, the defaults where it has none.

    Raises:
        ConfigError: the table has an unknown key or a value of the wrong type.
    """
    path = root / "pyproject.toml"
    try:
        text = path.read_text("utf-8")
    except OSError:
        return Config()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8", next_step="Save it as UTF-8") from error
    if "fastpt-lab" not in text:
        return Config()
    # Loaded only here: few projects set anything, and every command starts with this.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        table = tomllib.loads(text).get("tool", {}).get("fastpt-lab", {})
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}", next_step="Correct the file") from error
    return _parse(table, path)


def _parse(table: dict[str, Any], path: Path) -> Config:
    known = {field.name: field for field in fields(Config)}
    default = Config()
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in known:
            spelled = sorted(each.replace("_", "-") for each in known)
            raise ConfigError(
                f"{path}: [tool.fastpt-lab] has no key {key!r}",
                next_step=did_you_mean(key, spelled, "Known keys: " + ", ".join(spelled)),
            )
        usual = getattr(default, name)
        if isinstance(usual, tuple):
            words = [value] if isinstance(value, str) else value
            if not isinstance(words, list) or not all(isinstance(w, str) for w in words):
                raise ConfigError(f"{path}: {key} must be a list of strings", next_step="")
            values[name] = tuple(words)
        elif isinstance(usual, bool) or not isinstance(usual, (int, float)):
            if not isinstance(value, type(usual)):
                raise ConfigError(
                    f"{path}: {key} must be {type(usual).__name__}", next_step="Correct it"
                )
            values[name] = value
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0:
            values[name] = type(usual)(value)
        else:
            raise ConfigError(f"{path}: {key} must be a number", next_step="Correct it")
    return Config(**values)


def cache_dir() -> Path:
    """Return the folder for what can be made again: probes, hipified headers, indexes.

    `FASTPT_CACHE_DIR` names another one.
    """
    named = os.environ.get("FASTPT_CACHE_DIR")
    if named:
        return Path(named)
    # Loaded only here: a transcode that has nothing to do ends within milliseconds.
    import platformdirs

    return Path(platformdirs.user_cache_dir("fastpt-lab"))
