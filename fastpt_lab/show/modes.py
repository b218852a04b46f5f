"""What a mode of FastPT sets, as text and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.modes import advice_for
from fastpt_lab.show.html import page, table, text
from fastpt_lab.show.text import PLAIN, printable, seconds
from fastpt_lab.show.totals import count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.core.command import CommandResult
    from fastpt_lab.core.modes import Mode, ModeCapture, VariableChange
    from fastpt_lab.show.text import Style


def mode_text(
    captured: ModeCapture, result: CommandResult | None = None, style: Style = PLAIN
) -> str:
    """Return what a mode sets, what is wrong with it, and what the command gave back."""
    mode = captured.mode
    state = style.ok("entered") if captured.ok else style.error("not usable as it is")
    out = [f"fastpt {mode.value} ({mode.purpose}): {state}", f"  {captured.script}"]
    out += [f"  {style.error('!')} {printable(problem)}" for problem in captured.problems]
    out += [f"  | {printable(line)}" for line in captured.output.splitlines()]
    out.append(f"  It changes {count(len(captured.changes), 'variable')}")
    out += [f"    {_change(change)}" for change in captured.changes]
    if result is not None:
        words = " ".join(result.argv)
        out.append(
            f"Ran inside it: {printable(words)}: exit {result.returncode}, "
            f"{seconds(result.seconds)}"
        )
        out += [f"  → {line}" for line in advice_for(result.output)]
    return "\n".join(out)


def _change(change: VariableChange) -> str:
    if change.entries:
        return f"{change.name} += {printable(':'.join(change.entries))}"
    if change.kind == "removed":
        return f"{change.name} is removed"
    return f"{change.name} = {printable(change.after)}"


def mode_html(captured: ModeCapture, result: CommandResult | None = None) -> str:
    """Return the same as one static view."""
    mode = captured.mode
    title = f"fastpt {mode.value}"
    good = "<span class='fpt-good'>✓ entered</span>"
    state = good if captured.ok else "<span class='fpt-bad'>✕ not usable as it is</span>"
    out = [f"<h3><code>{text(title)}</code> {text(mode.purpose)} {state}</h3>"]
    out += [f"<p class='fpt-bad'>{text(problem)}</p>" for problem in captured.problems]
    if captured.output.strip():
        lines = "\n".join(text(line) for line in captured.output.splitlines())
        out.append(f"<pre>{lines}</pre>")
    rows = [
        (
            f"<code>{text(change.name)}</code>",
            change.kind,
            f"<code>{text(':'.join(change.entries) or change.after or change.before)}</code>",
        )
        for change in captured.changes
    ]
    if rows:
        caption = f"{count(len(rows), 'variable')} inside it; yours are as before"
        out.append(table(caption, ("Variable", "Change", "New"), rows))
    if result is not None:
        words = text(" ".join(result.argv))
        out.append(
            f"<p>Ran inside it: <code>{words}</code>: exit {result.returncode}, "
            f"{seconds(result.seconds)}</p>"
        )
        out += [f"<p>→ {text(line)}</p>" for line in advice_for(result.output)]
    return page("".join(out), label=title)


def active_text(active: tuple[Mode, str] | None, facts: Mapping[str, str]) -> str:
    """Return which mode this process is inside, and where FastPT was found."""
    where = facts.get("fastpt") or "no fastpt script found"
    if active is None:
        return f"No mode of FastPT is active here. FastPT: {where}"
    mode, reason = active
    return f"This process is inside fastpt {mode.value} ({mode.purpose}): {reason}. FastPT: {where}"
