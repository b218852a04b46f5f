"""What the review shows of an action, in the user's language; the contract's JSON stays English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.show.json import action_json
from fastpt_lab.show.language import say

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.widgets.model import Json


def action_said(action: CodeAction, root: Path) -> Json:
    """Return an action as the contract spells it, with the words that a person reads said."""
    return action_json(action, root) | {
        "title": say(action.title),
        "advice": None if action.advice is None else say(action.advice),
        "evidence": [say(fact) for fact in action.evidence],
    }
