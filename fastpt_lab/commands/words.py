"""Groups of options that several commands share, and the words of commands without a project."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from fastpt_lab.show.tongue import later

if TYPE_CHECKING:
    import argparse

SHELLS = ("bash", "zsh", "fish")


def _count(word: str) -> int:
    """Return a whole number that is not negative."""
    try:
        number = int(word)
    except ValueError as error:
        raise ArgumentTypeError(f"invalid int value: {word!r}") from error
    if number < 0:
        raise ArgumentTypeError(f"{number} is below 0")
    return number


def compile_options(parser: argparse.ArgumentParser) -> None:
    """Add how units are compiled."""
    group = parser.add_argument_group("how units are compiled")
    group.add_argument("--arch", action="append", metavar="GFX", help="target, as gfx906")
    group.add_argument("--std", metavar="STD", help="language standard, as c++17")
    group.add_argument("--include-dir", action="append", metavar="DIR", help="as -I")
    group.add_argument("--define", action="append", metavar="X[=V]", help="as -D")
    group.add_argument(
        "--jobs", type=_count, metavar="N", help="units at once (default: cores)"
    )
    group.add_argument("--compiler", metavar="HIPCC", help="path or name of hipcc")
    group.add_argument("--timeout", type=float, metavar="S", help="seconds for one unit")
    group.add_argument(
        "--off-device",
        action="store_true",
        help="check against a hipified copy of torch's headers even where torch is a HIP build",
    )


def transcode_options(parser: argparse.ArgumentParser) -> None:
    """Add how sources are transcoded."""
    group = parser.add_argument_group("how sources are transcoded")
    group.add_argument("--engine", choices=("lab", "torch", "fastpt"), default="lab")
    group.add_argument("--out", metavar="DIR", help="write outputs here instead of beside")
    group.add_argument("--dtk-macros", action="store_true", help="add the DTK's macros")
    group.add_argument(
        "--keep-file-path", action="store_true", help="make <dir>_dtk with unchanged names"
    )
    group.add_argument("--mappings", metavar="FILE", help="custom_hipify_mappings.json")
    group.add_argument("--include", action="append", metavar="GLOB", help="only these files")
    group.add_argument("--dry-run", action="store_true", help="say what would be written")
    group.add_argument("--clean", action="store_true", help="remove what was generated")
    group.add_argument(
        "--compare",
        choices=("torch", "fastpt"),
        help="say where this engine's output differs, line by line; nothing is written",
    )


def batch(parser: argparse.ArgumentParser) -> None:
    """Add the words of `batch`."""
    parser.add_argument(
        "lists",
        nargs="+",
        metavar="LIST",
        help="a file with a folder a line, or a folder",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        required=True,
        help="for copies, state and reports; a run into the same folder goes on",
    )
    group = parser.add_argument_group("how far")
    depth = group.add_mutually_exclusive_group()
    depth.add_argument(
        "--no-compile", action="store_true", help="survey and transcode; needs no compiler"
    )
    depth.add_argument("--no-fix", action="store_true", help="check, and write no fix")
    group.add_argument("--unsafe", action="store_true", help="also fixes that need a look")
    group.add_argument("--rule", action="append", metavar="NAME", help="only this rule")
    group = parser.add_argument_group(later("where"))
    group.add_argument(
        "--scheduler", metavar="ADDRESS", help="of Dask; its workers port the repositories"
    )
    compile_options(parser)
    parser.epilog = (
        "A line of the list is FOLDER [PATH...] [options of check] [-- COMPILER FLAGS...]; folders "
        "are relative to the list, # begins a comment. --jobs is repositories at once."
    )


def completion(parser: argparse.ArgumentParser) -> None:
    """Add the words of `completion`."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    parser.epilog = (
        'bash: eval "$(fastpt-lab completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc; '
        "fish: fastpt-lab completion fish > ~/.config/fish/completions/fastpt-lab.fish"
    )
