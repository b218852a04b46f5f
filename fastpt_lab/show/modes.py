"""What a mode of FastPT sets, as text and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.modes import advice_for
from fastpt_lab.show.html import page, table, text, told
from fastpt_lab.show.language import said, say
from fastpt_lab.show.text import PLAIN, printable, seconds
from fastpt_lab.show.totals import counted

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
    state = (
        style.ok(said("entered")) if captured.ok else style.error(said("not usable as it is"))
    )
    purpose = said("({})", say(mode.purpose))
    out = [f"fastpt {mode.value} {purpose}: {state}", f"  {captured.script}"]
    out += [f"  {style.error('!')} {printable(say(problem))}" for problem in captured.problems]
    out += [f"  | {printable(line)}" for line in captured.output.splitlines()]
    out.append("  " + said("It changes {}", counted(len(captured.changes), "variable")))
    out += [f"    {_change(change)}" for change in captured.changes]
    if result is not None:
        words = " ".join(result.argv)
        out.append(
            said(
                "Ran inside it: {}: exit {}, {}",
                printable(words),
                result.returncode,
                seconds(result.seconds),
            )
        )
        out += [f"  → {say(line)}" for line in advice_for(result.output)]
    return "\n".join(out)


def _change(change: VariableChange) -> str:
    if change.entries:
        return f"{change.name} += {printable(':'.join(change.entries))}"
    if change.kind == "removed":
        return said("{} is removed", change.name)
    return f"{change.name} = {printable(change.after)}"


def mode_html(captured: ModeCapture, result: CommandResult | None = None) -> str:
    """Return the same as one static view."""
    mode = captured.mode
    title = f"fastpt {mode.value}"
    good = f"<span class='fpt-good'>✓ {said('entered')}</span>"
    bad = f"<span class='fpt-bad'>✕ {said('not usable as it is')}</span>"
    state = good if captured.ok else bad
    out = [f"<h3><code>{text(title)}</code> {told(mode.purpose)} {state}</h3>"]
    out += [f"<p class='fpt-bad'>{told(problem)}</p>" for problem in captured.problems]
    if captured.output.strip():
        lines = "\n".join(text(line) for line in captured.output.splitlines())
        out.append(f"<pre>{lines}</pre>")
    rows = [
        (
            f"<code>{text(change.name)}</code>",
            told(change.kind),
            f"<code>{text(':'.join(change.entries) or change.after or change.before)}</code>",
        )
        for change in captured.changes
    ]
    if rows:
        caption = said("{} inside it; yours are as before", counted(len(rows), "variable"))
        out.append(table(caption, ("Variable", "Change", "New"), rows))
    if result is not None:
        ran = said(
            "Ran inside it: {}: exit {}, {}",
            f"<code>{text(' '.join(result.argv))}</code>",
            result.returncode,
            seconds(result.seconds),
        )
        out.append(f"<p>{ran}</p>")
        out += [f"<p>→ {told(line)}</p>" for line in advice_for(result.output)]
    return page("".join(out), label=title)


def active_text(active: tuple[Mode, str] | None, facts: Mapping[str, str]) -> str:
    """Return which mode this process is inside, and where FastPT was found."""
    where = facts.get("fastpt") or said("no fastpt script found")
    if active is None:
        return said("No mode of FastPT is active here. FastPT: {}", where)
    mode, reason = active
    return said(
        "This process is inside fastpt {} ({}): {}. FastPT: {}",
        mode.value,
        say(mode.purpose),
        say(reason),
        where,
    )
