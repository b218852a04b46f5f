"""The three views of what commands give back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fastpt_lab.commands.outcome import Outcome
from fastpt_lab.session.options import OWN_ENGINE
from fastpt_lab.show.json import VERSION, action_json, relative, report_json
from fastpt_lab.show.language import said, say
from fastpt_lab.show.text import Style, action_text, padded, place, report_text
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.parity import EngineParity
    from fastpt_lab.core.report import Report
    from fastpt_lab.fix.journal import JournalEntry
    from fastpt_lab.session.green import GreenStep
    from fastpt_lab.session.session import Session


def report_outcome(
    session: Session,
    report: Report,
    *,
    steps: Sequence[GreenStep] = (),
    verbose: bool = False,
    live: bool = False,
) -> Outcome:
    """Return a report; `steps` are the turns of `--until-green` that led to it."""

    def render_text(style: Style) -> str:
        story = "\n".join(_step_text(session, step, style) for step in steps)
        body = report_text(report, session.read, style, verbose=verbose)
        return f"{story}\n{body}" if story else body

    def render_html() -> str:
        from fastpt_lab.show.html import report_html

        return _steps_html(session, steps) + report_html(report, session.read, session.origin)

    def render_json() -> dict[str, object]:
        return report_json(report) | ({"steps": _steps_json(session, steps)} if steps else {})

    return Outcome(
        value=report,
        exit_code=report.exit_code,
        render_text=render_text,
        render_html=render_html,
        render_json=render_json,
        session=session,
        live=live,
    )


def actions_outcome(session: Session, report: Report, *, label: str = "Build files") -> Outcome:
    """Return the actions of a report by themselves, whatever they answer."""
    from fastpt_lab.show.html import action_html, page, told

    root, actions = session.root, report.actions

    def render_text(style: Style) -> str:
        written = [
            said("Wrote {} to {}", e.id, relative(e.paths[0], root)) for e in report.applied
        ]
        shown = [action_text(action, root, session.read, style) for action in actions]
        lines = [*written, *shown, *map(say, report.advice)]
        return "\n".join(lines) or said("There is nothing to change.")

    return Outcome(
        value=report,
        exit_code=0,
        render_text=render_text,
        render_html=lambda: page(
            "".join(action_html(a, root, session.read) for a in actions)
            + "".join(f"<p>{told(words)}</p>" for words in report.advice)
            or f"<p>{said('There is nothing to change.')}</p>",
            label=label,
        ),
        render_json=partial(report_json, report),
        session=session,
    )


def _step_text(session: Session, step: GreenStep, style: Style) -> str:
    where = place(step.error.location, session.root)
    after = "" if step.engine == OWN_ENGINE else said(" after {}'s hipify", step.engine)
    out = [said("First error{}: {}: {}", after, where, step.error.message)]
    out += ["  " + _tried(action) for action in step.tried]
    if step.applied is None:
        out.append(style.error("  " + said("stopped: {}", say(step.reason))))
    else:
        names = ", ".join(relative(p, session.root) for p in step.applied.paths)
        wrote = said("wrote {} [{}] to {}", step.applied.id, step.applied.rule, names)
        out.append(style.ok(f"  {wrote}"))
    return "\n".join(out)


def _tried(action: CodeAction) -> str:
    outcome = say(action.trial.status.value)
    return said("tried {} [{}] {}: {}", action.id, action.rule, say(action.title), outcome)


def _steps_json(session: Session, steps: Sequence[GreenStep]) -> list[dict[str, object]]:
    return [
        {
            "error": f"{place(s.error.location, session.root)}: {s.error.message}",
            "tried": [action_json(a, session.root) for a in s.tried],
            "applied": None if s.applied is None else s.applied.id,
            "reason": s.reason,
            "engine": s.engine,
        }
        for s in steps
    ]


def _steps_html(session: Session, steps: Sequence[GreenStep]) -> str:
    from fastpt_lab.show.html import page, table, text, told

    if not steps:
        return ""
    rows = [
        (
            f"<code>{text(place(s.error.location, session.root))}</code>",
            f"<code>{text(s.error.message)}</code>",
            text(", ".join(f"{a.rule}: {say(a.trial.status.value)}" for a in s.tried) or "–"),
            text(f"{s.applied.id}, {s.applied.rule}") if s.applied else told(s.reason),
        )
        for s in steps
    ]
    body = table(
        "Fixed one first error after the other", ("Place", "Error", "Tried", "Written"), rows
    )
    return page(body, label="Steps")


def parity_outcome(session: Session, found: EngineParity, *, verbose: bool) -> Outcome:
    """Return where two engines' outputs differ."""
    from fastpt_lab.show.parity import parity_html, parity_json, parity_text

    return Outcome(
        value=found,
        exit_code=0,
        render_text=lambda style: parity_text(found, style, verbose=verbose),
        render_html=lambda: parity_html(found),
        render_json=lambda: {
            "version": VERSION,
            "command": "transcode",
            "root": str(session.root),
            **parity_json(found),
        },
        session=session,
    )


def history_outcome(
    session: Session, entries: Sequence[JournalEntry], *, command: str, each: str, none: str
) -> Outcome:
    """Return journal entries that were just undone or redone.

    `each` says so of one, with its id, rule and files; `none` is what there is to say without.
    """
    from fastpt_lab.show.html import page, text

    def lines() -> list[str]:
        return [
            said(each, e.id, e.rule, ", ".join(relative(p, session.root) for p in e.paths))
            for e in entries
        ] or [say(none)]

    return Outcome(
        value=tuple(entries),
        exit_code=0,
        render_text=lambda _: "\n".join(lines()),
        render_html=lambda: page("".join(f"<p>{text(x)}</p>" for x in lines()), label=command),
        render_json=lambda: {
            "version": VERSION,
            "command": command,
            "root": str(session.root),
            "entries": [_entry_json(session, entry) for entry in entries],
        },
    )


def _entry_json(session: Session, entry: JournalEntry) -> dict[str, object]:
    return {
        "id": entry.id,
        "time": entry.time,
        "rule": entry.rule,
        "title": entry.title,
        "state": entry.state.value,
        "files": [
            {"path": relative(f.path, session.root), "before": f.before, "after": f.after}
            for f in entry.files
        ],
    }


def status_outcome(session: Session) -> Outcome:
    """Return what was generated, what is out of date, and what was written."""
    from fastpt_lab.show.html import page, table, text, told

    status = session.status()
    root = session.root

    def render_text(_: Style) -> str:
        out = [say(line) for line in session.recovered]
        out.append(said("Generated: {}", counted(len(status.files), "file")))
        out += [
            f"  {relative(f.original, root)} -> {relative(f.generated, root)}: {say(f.why)}"
            for f in status.stale
        ]
        out += ["  " + said("orphan {}", relative(path, root)) for path in status.orphans]
        out.append(said("Journal: {}", counted(len(status.entries), "entry")))
        out += [
            f"  {e.id}  {e.time}  {padded(say(e.state.value), 8)}  [{e.rule}] {say(e.title)}"
            for e in status.entries
        ]
        return "\n".join(out)

    def render_html() -> str:
        rows = [
            (text(e.id), text(e.time), told(e.state.value), text(e.rule), told(e.title))
            for e in status.entries
        ]
        stale = [
            (f"<code>{text(relative(f.original, root))}</code>", told(f.why))
            for f in status.stale
        ]
        return page(
            table("Journal", ("Entry", "Time", "State", "Rule", "Change"), rows)
            + table("Out of date", ("Original", "Why"), stale),
            label="Status",
        )

    return Outcome(
        value=status,
        exit_code=0,
        render_text=render_text,
        render_html=render_html,
        render_json=lambda: {
            "version": VERSION,
            "command": "status",
            "root": str(root),
            "recovered": list(session.recovered),
            "generated": len(status.files),
            "stale": [
                {"original": relative(f.original, root), "why": f.why} for f in status.stale
            ],
            "orphans": [relative(path, root) for path in status.orphans],
            "journal": [_entry_json(session, entry) for entry in status.entries],
        },
    )
