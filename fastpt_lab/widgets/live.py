"""Show a review in a notebook: the live view, and the static copy that stays without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.display import display

from fastpt_lab.show.text import report_text
from fastpt_lab.widgets.review import review

if TYPE_CHECKING:
    from fastpt_lab.session.session import Session
    from fastpt_lab.widgets.review import ReviewWidget


def show_review(session: Session, static: str, *, language: str = "") -> ReviewWidget:
    """Display the static copy and, in its place where there is a kernel, the live view.

    Two outputs, because a widget's own `text/html` is shown neither by JupyterLab after the
    kernel's end nor by nbconvert (JupyterLab 4.6, nbconvert 7.17): the live view hides the
    copy beside it, so the copy is what a saved notebook shows.

    Args:
        session: whose review it is.
        static: HTML of class `fpt-static` that needs no script.
        language: of the interface, see `review`.

    Raises:
        ToolMissingError: the widget's script was not built.
    """
    widget = review(session, language=language)
    show: Any = display
    copy = {"text/html": static}
    if session.report is not None:
        copy["text/plain"] = report_text(session.report, session.read)
    show(copy, raw=True)
    show(widget)
    return widget
