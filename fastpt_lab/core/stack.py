"""What a fix rule may ask about the compiler and headers that are installed: probed, not assumed."""

from __future__ import annotations

from typing import Protocol


class Stack(Protocol):
    """Answers about the user's own HIP stack; None always means "could not be found out"."""

    @property
    def hip_version(self) -> tuple[int, int] | None:
        """Major and minor version of HIP. For messages only: ask `has` before deciding."""
        ...

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that the units are compiled with."""
        ...

    @property
    def architectures(self) -> tuple[str, ...]:
        """The `gfx…` targets compiled for."""
        ...

    def has(self, name: str) -> bool | None:
        """Whether device code that names `name` compiles: a function, type or macro."""
        ...

    def declares(self, name: str) -> bool | None:
        """Whether any installed or stand-in header mentions the identifier `name`."""
        ...

    def has_header(self, name: str) -> bool | None:
        """Whether `#include <name>` finds a file."""
        ...

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        """The parameter types of each declaration of `function` in the installed headers."""
        ...

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        """The enumerators of an enumeration that the installed headers declare."""
        ...

    def compiles(self, source: str) -> bool | None:
        """Whether a whole small HIP translation unit compiles with the user's flags."""
        ...
