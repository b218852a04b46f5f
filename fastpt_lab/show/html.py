"""Values to static HTML: semantic, escaped, without script; it survives in a saved notebook."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind
from fastpt_lab.core.diagnostic import Severity
from fastpt_lab.core.text import Document
from fastpt_lab.show.code import Mark, colour, line_html
from fastpt_lab.show.diff import Hunk, Row, edit_lines, side_by_side
from fastpt_lab.show.json import relative
from fastpt_lab.show.language import known, language, said, say
from fastpt_lab.show.text import EFFECT, TRUST, printable, seconds, spot, trial_said
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.report import Report
    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.core.text import Location

    Read = Callable[[Path], Document | None]
    FindOrigin = Callable[[Path], Origin | None]


@cache
def style_sheet() -> str:
    """Return the style sheet of all static views."""
    return (files("fastpt_lab.show") / "static.css").read_text("utf-8")


def html_language() -> str:
    """Return the language of a page, as HTML names it."""
    return "zh-CN" if language() == "zh" else "en"


def page(body: str, *, label: str) -> str:
    """Return one self-contained view."""
    return (
        f"<style>{style_sheet()}</style>"
        f'<section class="fpt-static" aria-label="{escape(say(label))}">{body}</section>'
    )


def text(value: str) -> str:
    """Return words of a tool or a name, escaped, control characters made visible."""
    return escape(printable(value))


def told(message: str) -> str:
    """Return a message of the lab in the user's language, escaped."""
    return text(say(message))


def table(caption: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of cells that are HTML already; a head that begins with `#` is a number.

    Caption and heads are said in the user's language.
    """
    names = list(head)
    numeric = [name.startswith("#") for name in names]

    def cell(tag: str, value: str, *, right: bool) -> str:
        return f"<{tag} class='fpt-num'>{value}</{tag}>" if right else f"<{tag}>{value}</{tag}>"

    body = "".join(
        "<tr>"
        + "".join(cell("td", v, right=r) for v, r in zip(row, numeric, strict=True))
        + "</tr>"
        for row in rows
    )
    top = "".join(
        cell("th", escape(say(n.lstrip("#"))), right=r)
        for n, r in zip(names, numeric, strict=True)
    )
    return (
        f"<table class='fpt-list'><caption>{escape(say(caption))}</caption>"
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    )


def excerpt_html(where: Location, document: Document, *, around: int = 4) -> str:
    """Return the lines around a place, the place marked, readable without any style."""
    start, end = where.range.start, where.range.end
    coloured = colour(document.text)
    out: list[str] = []
    last = min(start.line + max(1, around // 4), document.line_count - 1)
    for number in range(max(0, start.line - around), last + 1):
        line = document.line(number).rstrip("\r\n")
        marks: tuple[Mark, ...] = ()
        if number == start.line:
            stop = end.character if end.line == start.line else len(line)
            marks = (Mark(start.character, stop, "fpt-here"),)
        pieces = coloured[number] if number < len(coloured) else ()
        sign = "&gt;" if number == start.line else " "
        out.append(f"{sign} {number + 1:>5}  {line_html(line, pieces, marks)}")
    return "<pre>" + "\n".join(out) + "</pre>"


def _row_html(
    row: Row, origin: Origin, marks: dict[int, list[Mark]], first: int | None, side: str
) -> str:
    number = row.left if side == "l" else row.right
    document = origin.original if side == "l" else origin.generated
    if number is None:
        return "<td class='fpt-n'></td><td class='fpt-none'></td>"
    coloured = colour(document.text)
    pieces = coloured[number] if number < len(coloured) else ()
    here = marks.get(number, []) if side == "l" else []
    body = line_html(document.line(number), pieces, here)
    changed = f" class='fpt-{side}'" if row.changed else ""
    sign = "&gt; " if side == "l" and number == first else ""
    return f"<td class='fpt-n'>{sign}{number + 1}</td><td{changed}>{body}</td>"


def _hunk_html(
    hunk: Hunk, origin: Origin, marks: dict[int, list[Mark]], first: int | None
) -> str:
    rows = []
    for row in hunk.rows:
        kind = ""
        if row.left is not None and row.left in marks:
            kind = " class='fpt-first'" if row.left == first else " class='fpt-other'"
        cells = "".join(_row_html(row, origin, marks, first, side) for side in "lr")
        rows.append(f"<tr{kind}>{cells}</tr>")
    columns = "<col style='width:4em'><col><col style='width:4em'><col>"
    body = f"<table class='fpt-code'><colgroup>{columns}</colgroup><tbody>{''.join(rows)}</tbody></table>"
    if not hunk.folded:
        return body
    label = said("{}, no messages", counted(len(hunk.rows), "unchanged line"))
    return f"<details><summary>{label}</summary>{body}</details>"


def side_by_side_html(
    origin: Origin, generated_path: Path, report: Report, *, first: Diagnostic | None = None
) -> str:
    """Return an original beside its output: the first error outlined at line and column."""
    marks: dict[int, list[Mark]] = {}
    for found in report.diagnostics:
        here = found.location
        if (
            here is None
            or here.path != origin.original_path
            or found.severity > Severity.WARNING
        ):
            continue
        span = here.range
        length = len(origin.original.line(span.start.line))
        stop = span.end.character if span.end.line == span.start.line else length
        marks.setdefault(span.start.line, []).append(
            Mark(span.start.character, stop, "fpt-here")
        )
    line = None
    if first is not None and first.location is not None:
        line = (
            first.location.range.start.line
            if first.location.path == origin.original_path
            else None
        )
    hunks = side_by_side(origin, keep_left=marks)
    left = text(relative(origin.original_path, report.root))
    right = text(relative(generated_path, report.root))
    head = (
        "<table class='fpt-code'><thead><tr>"
        f"<th>{said('{} (original)', left)}</th>"
        f"<th>{said('{} (generated, read-only)', right)}</th>"
        "</tr></thead></table>"
    )
    body = "".join(_hunk_html(hunk, origin, marks, line) for hunk in hunks)
    return f"<div class='fpt-scroll' tabindex='0'>{head}{body}</div>"


def action_html(action: CodeAction, root: Path, read: Read) -> str:
    """Return a suggested change on the lines of the original, with its trust and reasons."""
    chips = [say(TRUST[action.applicability])]
    if action.kind is ActionKind.EDIT:
        chips.append(trial_said(action.trial))
    chips.append(say(EFFECT[action.cuda_effect]))
    rule = f"<code>{text(action.rule)}</code>"
    what = text(said("; ").join(chips))
    out = [
        f"<h4>{said('Suggested change {}, rule {}', text(action.id), rule)}</h4>",
        f"<p>{said('{}: {}.', told(action.title), what)}</p>",
    ]
    for document in action.edit.documents if action.edit else ():
        # What is not there has no digest, as in the edit that makes it.
        before = read(document.path) or Document("")
        out.append(f"<p><code>{text(relative(document.path, root))}</code></p>")
        if before.digest != document.digest:
            out.append(f"<p>{said('Changed since this was proposed; check again.')}</p>")
            continue
        lines = []
        for line in edit_lines(before, document):
            kind = {"+": "fpt-added", "-": "fpt-removed"}.get(line.mark, "")
            content = f"{line.mark} {line.number + 1:>5}  {escape(line.text)}"
            lines.append(f"<span class='{kind}'>{content}</span>" if kind else content)
        out.append("<pre>" + "\n".join(lines) + "</pre>")
    if action.flags:
        changes = [
            *(f"+ {f}" for f in action.flags.add),
            *(f"- {f}" for f in action.flags.remove),
        ]
        out.append("<pre>" + "\n".join(text(c) for c in changes) + "</pre>")
    if action.advice:
        out.append(f"<p>{told(action.advice)}</p>")
    if action.evidence:
        facts = "\n".join(told(fact) for fact in action.evidence)
        out.append(f"<details><summary>{said('Why')}</summary><pre>{facts}</pre></details>")
    return "".join(out)


def _first_html(first: Diagnostic, report: Report, read: Read) -> str:
    root = report.root
    followers = sum(d.caused_by == first.id for d in report.diagnostics)
    where, other = (
        f"<code>{text(spot(one, root))}</code>" for one in (first.location, first.generated)
    )
    compiled = said(" (compiled as {})", other) if first.generated else ""
    more = (
        said(" {} may follow from it.", counted(followers, "later error")) if followers else ""
    )
    head = f"<b class='fpt-bad'>{said('First error')}</b>"
    out = [
        f"<p>{said('{} in {}{}', head, where, compiled)}</p>",
        f"<p><code><b>{text(known(first.message))}</b></code></p>",
        f"<p class='fpt-muted'>{said('Fix this one first.{}', more)}</p>",
    ]
    document = read(first.location.path) if first.location else None
    if first.location is not None and document is not None:
        out.append(excerpt_html(first.location, document))
    if first.related:
        notes = "\n".join(
            f"{text(spot(n.location or n.generated, root))}  {text(known(n.message))}"
            for n in first.related
        )
        label = said("{}: how the compiler got here", counted(len(first.related), "note"))
        out.append(f"<details><summary>{label}</summary><pre>{notes}</pre></details>")
    return "".join(out)


def _head_html(report: Report, title: str) -> str:
    errors = sum(d.severity is Severity.ERROR for d in report.diagnostics)
    warnings = sum(d.severity is Severity.WARNING for d in report.diagnostics)
    if report.units and report.green:
        units = said("✓ {} compiled", counted(len(report.units), "unit"))
        state = f"<span class='fpt-good'>{units}</span>"
    elif errors:
        state = f"<span class='fpt-bad'>✕ {counted(errors, 'error')}</span>"
    else:
        state = ""
    extra = f", {counted(warnings, 'warning')}" if warnings else ""
    return f"<h3>{escape(title)} {state}<span class='fpt-muted'>{extra} · {seconds(report.seconds)}</span></h3>"


def report_html(report: Report, read: Read, origin: FindOrigin) -> str:
    """Return a report: the first error, its fixes, the file beside its output, then tables.

    Args:
        report: what was found.
        read: gives the original's text as it is now.
        origin: gives both texts of a generated file.
    """
    root = report.root
    title = said("{} of {}", say(report.command.capitalize()), root.name)
    out = [_head_html(report, title)]
    first = report.first_error
    if first is not None:
        out.append(_first_html(first, report, read))
        out += [action_html(a, root, read) for a in report.actions_for(first.id)]
        out += _diff_of(first, report, origin)
        out.append(_later_html(first, report))
    out.append(_units_html(report))
    out.append(_files_html(report))
    out += [f"<p class='fpt-muted'>{told(line)}</p>" for line in report.advice]
    return page("".join(out), label=title)


def _diff_of(first: Diagnostic, report: Report, origin: FindOrigin) -> list[str]:
    if first.location is None:
        return []
    for file in report.files:
        if file.original == first.location.path and file.generated is not None:
            found = origin(file.generated)
            if found is not None:
                return [side_by_side_html(found, file.generated, report, first=first)]
    return []


def _later_html(first: Diagnostic, report: Report) -> str:
    others = [d for d in report.errors() if d is not first]
    if not others:
        return ""
    rows = []
    for found in others[:50]:
        fixes = ", ".join(a.id for a in report.actions_for(found.id)) or "–"
        where, words = text(spot(found.location, report.root)), text(known(found.message))
        rows.append((f"<code>{where}</code>", f"<code>{words}</code>", text(fixes)))
    more = said(" ({} more are not shown)", len(others) - 50) if len(others) > 50 else ""
    return table(said("Later errors{}", more), ("Place", "Message", "Fix"), rows)


def _units_html(report: Report) -> str:
    if not report.units:
        return ""
    rows = [
        (
            f"<code>{text(relative(unit.original, report.root))}</code>",
            f"<span class='{'fpt-good' if unit.status == 'ok' else 'fpt-bad'}'>{told(unit.status)}</span>",
            str(unit.errors) if unit.errors else "–",
            str(unit.warnings) if unit.warnings else "–",
            said("kept") if unit.cached else seconds(unit.seconds),
        )
        for unit in report.units
    ]
    return table("Units", ("Unit", "Result", "#Errors", "#Warnings", "#Time"), rows)


def _files_html(report: Report) -> str:
    interesting = [f for f in report.files if f.generated is not None or f.status == "refused"]
    if not interesting:
        return ""
    rows = []
    for file in interesting:
        notes = "<br>".join(
            f"<code>{text(spot(n.location, report.root))}</code> {told(n.message)}"
            for n in file.notes[:5]
        )
        hidden = len(file.notes) - 5
        more = f"<br>{said('… {} more', hidden)}" if hidden > 0 else ""
        target = "–" if file.generated is None else relative(file.generated, report.root)
        rows.append(
            (
                f"<code>{text(relative(file.original, report.root))}</code>",
                f"<code>{text(target)}</code>",
                told(file.status),
                (notes + more) or told(file.why),
            )
        )
    return table("Files", ("Original", "Generated", "Status", "Notes"), rows)
