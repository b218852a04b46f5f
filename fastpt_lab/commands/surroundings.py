"""Carry out the commands around the loop: survey, build, environment, report."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.commands.outcome import Outcome
from fastpt_lab.commands.views import report_outcome

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.session.session import Session
    from fastpt_lab.verify.snapshot import Change, Snapshot


def _head(session: Session, command: str) -> dict[str, Any]:
    from fastpt_lab.show.json import VERSION

    return {"version": VERSION, "command": command, "root": str(session.root)}


def _survey(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.show.survey import survey_html, survey_text
    from fastpt_lab.show.survey_json import survey_json

    found = session.survey(words.paths)
    return Outcome(
        value=found,
        exit_code=0,
        render_text=lambda style: survey_text(found, style, verbose=words.verbose),
        render_html=lambda: survey_html(found),
        render_json=lambda: survey_json(found),
        session=session,
    )


def _build(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.show.html import page, text
    from fastpt_lab.show.language import said, say
    from fastpt_lab.show.text import place

    lab = words.engine == "lab"
    plan = session.plan_build(words.after, lab_engine=lab)
    command = " ".join(plan.argv)
    if words.dry_run:

        def line() -> str:
            return said("{}  (in {}, found by {})", command, plan.cwd, say(plan.reason))

        return Outcome(
            value=plan,
            exit_code=0,
            render_text=lambda _: line(),
            render_html=lambda: page(f"<p><code>{text(line())}</code></p>", label="Build"),
            render_json=lambda: {
                **_head(session, "build"),
                "argv": list(plan.argv),
                "cwd": str(plan.cwd),
                "reason": plan.reason,
            },
        )
    if not words.quiet:
        sys.stderr.write(f"{command}  ({say(plan.reason)})\n")

    def tell(first: Diagnostic) -> None:
        where = place(first.location or first.generated, session.root)
        sys.stderr.write(said("First error: {}: {}", where, first.message) + "\n")

    report = session.build(
        words.after,
        timeout=words.timeout,
        stop_at_first=words.stop,
        lab_engine=lab,
        on_first=None if words.quiet else tell,
    )
    return report_outcome(session, report, verbose=words.verbose)


def _doctor(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.core.check import CheckStatus
    from fastpt_lab.show.checks import checks_html, checks_text
    from fastpt_lab.show.values import value_json

    if words.source is None:
        checks = session.doctor(layer=words.layer, only=words.only, timeout=words.timeout)
    else:
        checks = session.explain_output(_pasted(words.source))
    failed = any(check.status is CheckStatus.FAIL for check in checks)
    return Outcome(
        value=checks,
        exit_code=1 if failed else 0,
        render_text=lambda style: checks_text(checks, style, verbose=words.verbose),
        render_html=lambda: checks_html(checks),
        render_json=lambda: {
            **_head(session, "doctor"),
            "checks": [value_json(check) for check in checks],
        },
        session=session,
    )


def _pasted(name: str) -> str:
    from fastpt_lab.host.files import MAX_SOURCE_BYTES, read_bytes
    from fastpt_lab.host.process import decode_output

    if name == "-":
        return decode_output(sys.stdin.buffer.read())
    return decode_output(read_bytes(Path(name).expanduser(), limit=MAX_SOURCE_BYTES))


def _snapshot(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.show.html import page, table, text
    from fastpt_lab.show.language import said
    from fastpt_lab.show.values import value_json
    from fastpt_lab.verify.snapshot import diff_snapshots

    taken = session.snapshot(words.output)
    changes: tuple[Change, ...] = ()
    if words.against is not None:
        changes = diff_snapshots(_saved(words.against), taken)
    markdown = taken.to_markdown()
    lines = [f"{c.name}: {c.before} -> {c.after}" for c in changes]
    if words.against is not None and not changes:
        lines = [said("nothing differs")]

    def render_html() -> str:
        rows = [(text(name), f"<code>{text(value)}</code>") for name, value in taken.facts()]
        difference = "".join(f"<p><code>{text(line)}</code></p>" for line in lines)
        return page(
            table("Environment", ("Item", "Value"), rows) + difference, label="Snapshot"
        )

    return Outcome(
        value=taken,
        exit_code=0,
        render_text=lambda _: "\n".join([markdown, *lines]),
        render_html=render_html,
        render_json=lambda: {
            **_head(session, "snapshot"),
            "snapshot": value_json(taken),
            "changes": [value_json(change) for change in changes],
        },
        session=session,
    )


def _saved(name: str) -> Snapshot:
    from fastpt_lab.host.files import read_source
    from fastpt_lab.verify.snapshot import parse_snapshot

    return parse_snapshot(read_source(Path(name).expanduser()).document.text)


def _verify(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.core.check import CheckStatus
    from fastpt_lab.core.errors import PathMissingError
    from fastpt_lab.core.verification import GoldenReport
    from fastpt_lab.host.files import read_source
    from fastpt_lab.show.values import value_json
    from fastpt_lab.show.verification import golden_html, golden_text, ladder_html, ladder_text

    definition = getattr(words, "cell", "")
    if words.definition is not None:
        path = Path(words.definition).expanduser()
        if not path.is_file():
            raise PathMissingError(f"there is no file {path}", next_step="Check the path")
        definition = read_source(path).document.text
    result = session.verify(
        definition,
        device=words.device,
        extension=words.extension,
        resume=words.resume,
        record=words.record,
        compare=words.compare,
        timeout=words.timeout,
    )
    golden = isinstance(result, GoldenReport)
    status = result.status
    return Outcome(
        value=result,
        exit_code=1 if status in (CheckStatus.FAIL, CheckStatus.UNKNOWN) else 0,
        render_text=lambda style: (
            golden_text(result, style)
            if isinstance(result, GoldenReport)
            else ladder_text(result, style)
        ),
        render_html=lambda: (
            golden_html(result) if isinstance(result, GoldenReport) else ladder_html(result)
        ),
        render_json=lambda: {
            **_head(session, "verify"),
            "status": status.value,
            "golden" if golden else "ladder": value_json(result),
        },
        session=session,
    )


def _env(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.core.errors import UsageError
    from fastpt_lab.core.modes import Mode, active_mode
    from fastpt_lab.host.modes import capture, run_inside
    from fastpt_lab.show.html import page, text
    from fastpt_lab.show.modes import active_text, mode_html, mode_text
    from fastpt_lab.show.survey_json import mode_json

    if words.mode is None:
        if words.after:
            raise UsageError(
                "a command needs a mode to run inside", next_step="Give -C, -E or -T before --"
            )
        active = active_mode(os.environ)
        shown = active_text(active, os.environ)
        return Outcome(
            value=active,
            exit_code=0,
            render_text=lambda _: shown,
            render_html=lambda: page(f"<pre>{text(shown)}</pre>", label="FastPT"),
            render_json=lambda: {
                **_head(session, "env"),
                "mode": None if active is None else active[0].value,
                "reason": None if active is None else active[1],
            },
        )
    mode = Mode(f"-{words.mode}")
    result = None
    if words.after:
        captured, result = run_inside(mode, words.after, cwd=session.root)
    else:
        captured = capture(mode)
    failed = not captured.ok or (result is not None and not result.ok)
    return Outcome(
        value=captured,
        exit_code=1 if failed else 0,
        render_text=lambda style: mode_text(captured, result, style),
        render_html=lambda: mode_html(captured, result),
        render_json=lambda: {**_head(session, "env"), **mode_json(captured, result)},
    )


def _report(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.core.errors import UsageError
    from fastpt_lab.host.files import write_atomic
    from fastpt_lab.show.language import said
    from fastpt_lab.show.report import port_fragment, port_html, port_style, summary
    from fastpt_lab.show.report_markdown import port_markdown

    record = session.port_record()
    written = []
    for name in [words.output] if words.output else []:
        path = Path(name).expanduser().absolute()
        if path.suffix not in (".html", ".md"):
            raise UsageError(f"{name} is neither .html nor .md", next_step="Name it so")
        body = port_html(record) if path.suffix == ".html" else port_markdown(record)
        write_atomic(path, body.encode())
        written.append(str(name))
    lines = [summary(record), *(said("written: {}", name) for name in written)]
    return Outcome(
        value=record,
        exit_code=0,
        render_text=lambda _: "\n".join(lines) if written else port_markdown(record),
        render_html=lambda: f"<style>{port_style()}</style>{port_fragment(record)}",
        render_json=lambda: {
            **_head(session, "report"),
            "summary": summary(record),
            "written": written,
            "markdown": port_markdown(record),
        },
        session=session,
    )


SURROUNDINGS: dict[str, Callable[[Session, Any], Outcome]] = {
    "survey": _survey,
    "build": _build,
    "doctor": _doctor,
    "snapshot": _snapshot,
    "verify": _verify,
    "env": _env,
    "report": _report,
}
