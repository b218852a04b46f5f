"""What `rules` and `explain` give back: the rules' manuals, and one action or error whole."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fastpt_lab.commands.outcome import Outcome
from fastpt_lab.show.json import VERSION, action_json
from fastpt_lab.show.language import said, say
from fastpt_lab.show.text import Style, action_text, diagnostic_text

if TYPE_CHECKING:
    from fastpt_lab.rules import Rule
    from fastpt_lab.session.session import Session


def rules_outcome(name: str | None) -> Outcome:
    """Return the manual of one rule, or the list of all."""
    from fastpt_lab import rules
    from fastpt_lab.show.html import page, table, text, told

    chosen = [rules.rule(name)] if name else list(rules.RULES.values())

    def render_text(style: Style) -> str:
        if name:
            return "\n".join(_manual(chosen[0], style))
        width = max(len(rule.name) for rule in chosen)
        return "\n".join(f"{rule.name:<{width}}  {say(rule.summary)}" for rule in chosen)

    def render_html() -> str:
        if name:
            return page(
                "".join(f"<p>{text(x)}</p>" for x in _manual(chosen[0], Style(colour=False))),
                label=name,
            )
        rows = [(f"<code>{text(r.name)}</code>", told(r.summary)) for r in chosen]
        return page(table("Fix rules", ("Rule", "What it offers"), rows), label="Rules")

    return Outcome(
        value=tuple(chosen),
        exit_code=0,
        render_text=render_text,
        render_html=render_html,
        render_json=lambda: {
            "version": VERSION,
            "command": "rules",
            "rules": [
                {
                    "name": r.name,
                    "summary": r.summary,
                    "why": r.why,
                    "safety": r.safety,
                    "never_offered": r.never_offered,
                    "source": r.source,
                }
                for r in chosen
            ],
        },
    )


def _manual(rule: Rule, style: Style) -> list[str]:
    return [
        f"{style.strong(rule.name)}: {say(rule.summary)}",
        f"{style.strong(said('Why'))}  {say(rule.why)}",
        f"{style.strong(said('Safety'))}  {say(rule.safety)}",
        f"{style.strong(said('Never offered'))}  {say(rule.never_offered)}",
        f"{style.strong(said('Source'))}  {rule.source}",
    ]


def explain_outcome(session: Session, name: str) -> Outcome:
    """Return an action with its reasons and its rule's manual, or a diagnostic with its notes."""
    from fastpt_lab import rules
    from fastpt_lab.show.html import action_html, page, text

    root = session.root
    if name.startswith("d"):
        found = session.diagnostic(name)
        words = partial(diagnostic_text, found, root, session.read)
        return Outcome(
            value=found,
            exit_code=0,
            render_text=words,
            render_html=lambda: page(f"<pre>{text(words())}</pre>", label=name),
            render_json=lambda: {
                "version": VERSION,
                "command": "explain",
                "id": name,
                "code": found.code,
                "message": found.message,
                "raw": found.raw,
            },
        )
    action = session.action(name)
    # What build files need is no rule of a compiler's message and has no manual.
    rule = rules.RULES.get(action.rule)

    def render_text(style: Style) -> str:
        manual = ["", *_manual(rule, style)] if rule else []
        return "\n".join([action_text(action, root, session.read, style), *manual])

    def render_html() -> str:
        lines = _manual(rule, Style(colour=False)) if rule else []
        manual = "".join(f"<p>{text(line)}</p>" for line in lines)
        return page(action_html(action, root, session.read) + manual, label=name)

    return Outcome(
        value=action,
        exit_code=0,
        render_text=render_text,
        render_html=render_html,
        render_json=lambda: {
            "version": VERSION,
            "command": "explain",
            "action": action_json(action, root),
            "why": rule.why if rule else action.advice,
            "safety": rule.safety if rule else "",
        },
    )
