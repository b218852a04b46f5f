"""FastPT Lab: port a CUDA PyTorch extension to HIP from one notebook."""

from __future__ import annotations

from fastpt_lab.core.version import __version__

# Not from typing, which takes longer to load than a command that has nothing to do.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fastpt_lab.session.session import Session

__all__ = ["Session", "__version__", "load_ipython_extension"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - PEP 562
    # `import fastpt_lab` stays light: the session is loaded when it is asked for.
    if name == "Session":
        from fastpt_lab.session.session import Session

        return Session
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401 - IPython's shell
    """Register the magics; called by `%load_ext fastpt_lab`."""
    from fastpt_lab.magics import load

    load(shell)
