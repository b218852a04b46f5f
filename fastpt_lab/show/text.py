"""Values to terminal text: the first error first, at its place in the original."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind, Applicability, CudaEffect, Trial, TrialStatus
from fastpt_lab.core.diagnostic import Severity
from fastpt_lab.core.text import Document
from fastpt_lab.show.diff import edit_lines
from fastpt_lab.show.json import relative
from fastpt_lab.show.language import fact_said, known, later, said, say
from fastpt_lab.show.totals import count, counted, transcoded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.report import EngineCheck, Report
    from fastpt_lab.core.text import Location

    Read = Callable[[Path], Document | None]

_CONTROL = re.compile(
    # Control characters; then those that change the order in which text is shown, or end a line.
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
_COLOUR = re.compile(r"(\x1b\[[\d;]{1,7}m)")

TRUST = {
    Applicability.SAFE: later("safe"),
    Applicability.UNSAFE: later("needs a look"),
    Applicability.DISPLAY_ONLY: later("advice"),
}
EFFECT = {
    CudaEffect.IDENTICAL: later("CUDA view identical"),
    CudaEffect.ATTRIBUTE_ONLY: later("CUDA view differs in attributes only"),
    CudaEffect.NONE: later("no source is changed"),
    CudaEffect.DIFFERS: later("a CUDA compiler would see another program"),
}


class Style:
    """Terminal colours, or none."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text

    def error(self, text: str) -> str:
        """Red and bold."""
        return self._paint("1;31", text)

    def ok(self, text: str) -> str:
        """Green."""
        return self._paint("32", text)

    def strong(self, text: str) -> str:
        """Bold."""
        return self._paint("1", text)

    def faint(self, text: str) -> str:
        """Grey."""
        return self._paint("2", text)


PLAIN = Style(colour=False)


def printable(text: str) -> str:
    """Return `text` with control characters shown as escapes: a log cannot drive a terminal."""
    return _CONTROL.sub(_escaped, text)


def name_of(path: Path, root: Path) -> str:
    """Return a path from the root as one line, whatever bytes its name has."""
    return printable(relative(path, root)).replace("\n", "\\n")


def terminal(text: str) -> str:
    """Return `text` with nothing left that drives a terminal but the lab's own colours."""
    parts = _COLOUR.split(text)
    return "".join(p if n % 2 else printable(p) for n, p in enumerate(parts))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def place(where: Location | None, root: Path) -> str:
    """Return `path:line:column`, one-based, or "no place"."""
    if where is None:
        return later("no place in a source")
    start = where.range.start
    return f"{name_of(where.path, root)}:{start.line + 1}:{start.character + 1}"


def spot(where: Location | None, root: Path) -> str:
    """Return the same for a view: that there is no place is said in the user's language."""
    return place(where, root) if where is not None else say(place(None, root))


def seconds(value: float) -> str:
    """Return a duration with its unit."""
    return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def width(text: str) -> int:
    """Return the terminal columns of `text`: East Asian wide characters take two."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def padded(text: str, columns: int) -> str:
    """Return `text` with blanks behind it up to a number of terminal columns."""
    return text + " " * (columns - width(text))


def excerpt(
    where: Location, document: Document, style: Style = PLAIN, *, around: int = 2
) -> str:
    """Return the lines around a place, with a caret under its columns."""
    start, end = where.range.start, where.range.end
    out: list[str] = []
    last = min(start.line + around, document.line_count - 1)
    for number in range(max(0, start.line - around), last + 1):
        # Tabs become one space each, in the code and in the caret's line alike.
        line = printable(document.line(number).rstrip("\r\n").replace("\t", " "))
        if number != start.line:
            out.append(style.faint(f"  {number + 1:>5}  {line}"))
            continue
        out.append(f"> {number + 1:>5}  {line}")
        stop = end.character if end.line == start.line else len(line)
        before, marked = line[: start.character], line[start.character : stop]
        out.append(" " * (9 + width(before)) + style.error("^" * max(1, width(marked))))
    return "\n".join(out)


def trial_words(trial: Trial) -> str:
    """Return what a trial showed, in English: the journal and JSON hold it too."""
    after = f"; next error {trial.first_error_after}" if trial.first_error_after else ""
    return {
        TrialStatus.FIXED: later("tried: compiles"),
        TrialStatus.ADVANCED: later("tried: fixes this error") + after,
        TrialStatus.UNCHANGED: later("tried: no change"),
        TrialStatus.WORSE: later("tried: makes it worse") + after,
        TrialStatus.NOT_RUN: later("not tried yet"),
    }[trial.status]


def trial_said(trial: Trial) -> str:
    """Return the same in the user's language, the next error as the compiler printed it."""
    what, found, error = trial_words(trial).partition("; next error ")
    return say(what) + (said("; next error {}", error) if found else "")


def action_text(action: CodeAction, root: Path, read: Read, style: Style = PLAIN) -> str:
    """Return an action: what it is, how far to trust it, and the original's lines after it."""
    chips = [say(TRUST[action.applicability]), say(EFFECT[action.cuda_effect])]
    if action.kind is ActionKind.EDIT:
        chips.insert(1, trial_said(action.trial))
    out = [
        f"{style.strong(action.id)}  {say(action.title)}  [{action.rule}]",
        "    " + " | ".join(chips),
    ]
    out += ["    " + said("because {}", printable(say(fact))) for fact in action.evidence]
    for document in action.edit.documents if action.edit else ():
        out.append(f"    {name_of(document.path, root)}")
        # What is not there has no digest, as in the edit that makes it.
        before = read(document.path) or Document("")
        if before.digest != document.digest:
            out.append("      " + said("(changed since this was proposed)"))
            continue
        for line in edit_lines(before, document):
            text = f"      {line.mark} {line.number + 1:>5}  {printable(line.text)}"
            out.append(style.ok(text) if line.mark == "+" else text)
    if action.flags:
        out += [f"    + {flag}" for flag in action.flags.add]
        out += [f"    - {flag}" for flag in action.flags.remove]
    if action.advice:
        out += [f"    {line}" for line in say(action.advice).splitlines()]
    return "\n".join(out)


def diagnostic_text(
    found: Diagnostic, root: Path, read: Read, style: Style = PLAIN, *, notes: bool = True
) -> str:
    """Return a diagnostic with its place in the original, the code there, and its notes."""
    word = {
        Severity.ERROR: style.error(said("error")),
        Severity.WARNING: said("warning"),
    }.get(found.severity, said("note"))
    head = (
        f"{style.strong(spot(found.location, root))}: {word}: {printable(known(found.message))}"
    )
    out = [head]
    if found.location is not None:
        document = read(found.location.path)
        if document is not None:
            out.append(excerpt(found.location, document, style))
    if found.generated is not None:
        compiled = said("compiled as {}", place(found.generated, root))
        out.append(style.faint(f"  {compiled}"))
    if notes:
        for note in found.related:
            where = spot(note.location or note.generated, root)
            out.append(style.faint(f"  {where}: {printable(known(note.message))}"))
    return "\n".join(out)


def engine_words(found: EngineCheck, root: Path) -> str:
    """Return in a line what another engine's output came to, in English: JSON holds it too."""
    name = f"{found.engine}'s hipify"
    if found.status == "ok":
        units = count(found.units, "unit")
        return later(f"{name} of the same originals compiles too: {units}")
    if found.status == "not-run":
        return later(f"{name} was not asked: {found.why}")
    error = found.first_error
    if error is None:
        return later(f"green with lab; {name} of the same originals fails: {found.why}")
    where = place(error.location or error.generated, root)
    return later(
        f"green with lab; {name} of the same originals fails at {where}:"
        f" {printable(error.message)}; {found.why}"
    )


def report_text(
    report: Report, read: Read, style: Style = PLAIN, *, verbose: bool = False
) -> str:
    """Return a report: the first error whole, its fixes, then counts of the rest."""
    out: list[str] = []
    if verbose:
        out += [f"{name}: {fact_said(value)}" for name, value in report.stack]
    out += _files(report, style, verbose=verbose)
    out += _units(report, style, verbose=verbose)
    first = report.first_error
    if first is not None:
        followers = sum(d.caused_by == first.id for d in report.diagnostics)
        others = [d for d in report.errors() if d is not first]
        head, rest = style.error(said("First error")), _later(followers)
        out += ["", said("{}. Fix this one first{}.", head, rest)]
        out.append(diagnostic_text(first, report.root, read, style))
        fixes = report.actions_for(first.id)
        out += ["", *(action_text(a, report.root, read, style) for a in fixes)]
        if not fixes:
            out.append(
                said("No rule has a fix for this error; the notes above are the compiler's.")
            )
        if others:
            out += ["", said("Later: {}", counted(len(others), "error"))]
            shown = others if verbose else others[:5]
            out += [f"  {spot(d.location, report.root)}: {printable(d.message)}" for d in shown]
            if len(others) > len(shown):
                out.append("  " + said("… {} more", len(others) - len(shown)))
    out += [said("Note: {}", say(line)) for line in report.advice]
    return "\n".join(out).strip("\n")


def _later(followers: int) -> str:
    if not followers:
        return ""
    return said("; {} may follow from it", counted(followers, "later error"))


def _files(report: Report, style: Style, *, verbose: bool) -> list[str]:
    out: list[str] = []
    totals: dict[str, int] = {}
    for file in report.files:
        totals[file.status] = totals.get(file.status, 0) + 1
        if file.status == "refused" or verbose:
            target = name_of(file.generated, report.root) if file.generated else "-"
            status = say(file.status)
            status = style.error(status) if file.status == "refused" else status
            out.append(
                f"  {name_of(file.original, report.root)} -> {target}  {status}  {say(file.why)}"
            )
            out += [
                f"      {spot(note.location, report.root)}: {note.kind}: {say(note.message)}"
                for note in file.notes
            ]
    if totals:
        out.insert(0, transcoded(totals))
    return out


def _units(report: Report, style: Style, *, verbose: bool) -> list[str]:
    if not report.units:
        return []
    good = sum(unit.status == "ok" for unit in report.units)
    head = said("Compiled {}: {} ok", counted(len(report.units), "unit"), good)
    if good < len(report.units):
        head += said(", {} not", len(report.units) - good)
    out = [f"{style.ok(head) if report.green else head} ({seconds(report.seconds)})"]
    for unit in report.units:
        if unit.status != "ok" or verbose:
            took = said("kept result") if unit.cached else seconds(unit.seconds)
            errors = said(", ") + counted(unit.errors, "error") if unit.errors else ""
            name = name_of(unit.original, report.root)
            out.append(f"  {name}  {say(unit.status)}{errors}  {took}")
    return out
