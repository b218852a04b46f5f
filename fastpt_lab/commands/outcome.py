"""What a command gives back: one value with three views, text, HTML and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastpt_lab.show.text import PLAIN, terminal
from fastpt_lab.show.tongue import in_english

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastpt_lab.show.text import Style


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a command, as a notebook or a terminal shows it.

    Attributes:
        value: the `Report`, `Survey`, tuple of `Check`… itself; its attributes are this one's.
        exit_code: of the contract.
        render_text: gives the text for a terminal.
        render_html: gives static HTML.
        render_json: gives the document of docs/contract.md.
        session: of the project; None where there is none.
        live: show the session's review where a notebook can.
    """

    value: Any
    exit_code: int
    render_text: Callable[[Style], str]
    render_html: Callable[[], str]
    render_json: Callable[[], Any]
    session: Any = None
    live: bool = False

    def __post_init__(self) -> None:
        render = self.render_text
        # One place for all commands: names and messages of a project cannot drive a terminal.
        object.__setattr__(self, "render_text", lambda style: terminal(render(style)))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the value has it
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.value, name)

    def to_json(self) -> Any:  # noqa: ANN401 - a JSON document
        """Return the document that the command prints with `--json`."""
        return in_english(self.render_json)

    def __repr__(self) -> str:
        return self.render_text(PLAIN)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> dict[str, str]:
        return {"text/plain": self.render_text(PLAIN), "text/html": self.render_html()}
