"""The stack where there is no compiler to ask: every answer is "not found out"."""

from __future__ import annotations


class BlindStack:
    """`core.stack.Stack` without a compiler; rules then offer only what needs no probe."""

    hip_version: tuple[int, int] | None = None
    flags: tuple[str, ...] = ()
    architectures: tuple[str, ...] = ()

    def has(self, name: str) -> bool | None:
        """Not found out."""
        return None

    def declares(self, name: str) -> bool | None:
        """Not found out."""
        return None

    def has_header(self, name: str) -> bool | None:
        """Not found out."""
        return None

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        """No declaration is known."""
        return ()

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        """No enumerator is known."""
        return ()

    def compiles(self, source: str) -> bool | None:
        """Not found out."""
        return None
