"""Read a list of repositories, port them all, and show the report; no session is involved."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from fastpt_lab.commands.outcome import Outcome
from fastpt_lab.commands.words import compile_options
from fastpt_lab.core.batch import Depth, Repository
from fastpt_lab.core.errors import PathMissingError, UsageError
from fastpt_lab.host.files import read_source
from fastpt_lab.host.project import check_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastpt_lab.session.events import Listener

_LISTS = ("arch", "include_dir", "define")


def batch(words: argparse.Namespace, listener: Listener | None) -> Outcome:
    """Carry out `batch`.

    Raises:
        UsageError: the list names nothing, or something that it cannot.
        FastptError: as `session.batch.Batch` does.
    """
    from fastpt_lab.session.batch import Batch, BatchOptions
    from fastpt_lab.show.batch import batch_fragment, batch_json, batch_style, batch_text

    run = Batch(
        tuple(_repositories(words)),
        Path(words.out).expanduser(),
        BatchOptions(
            depth=_depth(words),
            unsafe=words.unsafe,
            rules=_known_rules(words.rule or ()),
            jobs=words.jobs or 0,
            scheduler=words.scheduler or "",
        ),
    )
    if listener is not None:
        run.subscribe(listener)
    report = run.run()
    return Outcome(
        value=report,
        exit_code=report.exit_code,
        render_text=lambda style: batch_text(report, style, verbose=words.verbose),
        render_html=lambda: f"<style>{batch_style()}</style>{batch_fragment(report)}",
        render_json=lambda: batch_json(report),
    )


def _depth(words: argparse.Namespace) -> Depth:
    if words.no_compile:
        return Depth.TRANSCODE
    return Depth.CHECK if words.no_fix else Depth.FIX


def _known_rules(names: Sequence[str]) -> tuple[str, ...]:
    from fastpt_lab import rules

    return tuple(rules.rule(name).name for name in names)


def _repositories(words: argparse.Namespace) -> Iterator[Repository]:
    common = _options(words)
    if words.after:
        common["flags"] = tuple(words.after)
    found = False
    for name in words.lists:
        path = Path(name).expanduser()
        if not path.exists():
            raise PathMissingError(
                f"there is no list or folder {name}", next_step=check_path(path)
            )
        found = True
        if path.is_dir():
            yield Repository(folder=path.resolve(), options=common)
        else:
            yield from _listed(path, common)
    if not found:
        raise UsageError("no list was named", next_step="Name a file with a folder a line")


def _listed(path: Path, common: dict[str, Any]) -> Iterator[Repository]:
    """Yield the repositories of a list; what a line says goes before what the command says."""
    document = read_source(path).document
    lines = document.text.splitlines()
    empty = True
    for number, line in enumerate(lines, start=1):
        try:
            parts = shlex.split(line, comments=True)
        except ValueError as error:
            raise UsageError(
                f"{path}:{number}: {error}", next_step="Close the quote"
            ) from error
        if not parts:
            continue
        empty = False
        own, flags = _cut(parts)
        parser = _line_parser(f"{path}:{number}")
        line_words = parser.parse_args(own)
        options = {**common, **_options(line_words)}
        if line_words.jobs:
            options["jobs"] = line_words.jobs
        if flags:
            options["flags"] = (*common.get("flags", ()), *flags)
        yield Repository(
            folder=(path.resolve().parent / Path(line_words.folder).expanduser()).resolve(),
            paths=tuple(line_words.paths),
            options=options,
        )
    if empty:
        raise UsageError(f"{path} names no folder", next_step="Write a folder a line")


def _cut(parts: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return what is before the first word `--`, and what is after it."""
    place = parts.index("--") if "--" in parts else len(parts)
    return parts[:place], parts[place + 1 :]


class _LineParser(argparse.ArgumentParser):
    """Says which line of which list has no meaning."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(
            f"{self.prog}: {message}", next_step="A line is: FOLDER [PATH…] [options of check]"
        )


def _line_parser(place: str) -> _LineParser:
    parser = _LineParser(prog=place, add_help=False, allow_abbrev=False)
    parser.add_argument("folder")
    parser.add_argument("paths", nargs="*")
    compile_options(parser)
    return parser


def _options(words: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `check` that were given, as `CheckOptions` names them."""
    values = {
        "arch": words.arch,
        "std": words.std,
        "include_dirs": words.include_dir,
        "defines": words.define,
        "compiler": words.compiler,
        "timeout": words.timeout,
        "off_device": words.off_device or None,
    }
    if words.compiler and "/" in words.compiler:
        # A worker has another current folder.
        values["compiler"] = str(Path(words.compiler).expanduser().absolute())
    given = {name: value for name, value in values.items() if value is not None}
    return {n: tuple(v) if isinstance(v, list) else v for n, v in given.items()}
