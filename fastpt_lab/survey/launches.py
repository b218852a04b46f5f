"""Read the block that each visible `<<<…>>>` gives its kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.survey.condition import Macros, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.survey.unit import Unit, Word

Block = tuple[int, int, int]


class Launch(NamedTuple):
    """A launch of `kernel`; `block` is None where it is not written as constants."""

    kernel: str
    block: Block | None


def launches(unit: Unit, constants: Mapping[str, int]) -> dict[str, list[Launch]]:
    """Return the launches of one file by kernel."""
    found: dict[str, list[Launch]] = {}
    words = unit.words
    macros = Macros({name: str(value) for name, value in constants.items()})
    for index, word in enumerate(words):
        if word.text != "<<<":
            continue
        name = _kernel(words, index)
        end = next((i for i in range(index, len(words)) if words[i].text == ">>>"), index)
        arguments = _split(words[index + 1 : end])
        block = _block(words, index, arguments[1], macros) if len(arguments) > 1 else None
        found.setdefault(name, []).append(Launch(name, block))
    return found


def _kernel(words: tuple[Word, ...], index: int) -> str:
    """Return the name before `<<<`, its template arguments skipped."""
    at = index - 1
    depth = 0
    while at > 0:
        text = words[at].text
        depth += text.count(">") if set(text) == {">"} else 0
        depth -= text.count("<") if set(text) == {"<"} else 0
        if depth <= 0 and text.isidentifier():
            return text
        at -= 1
    return ""


def _split(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    depth, start = 0, 0
    found: list[tuple[Word, ...]] = []
    for index, word in enumerate(words):
        depth += (word.text in {"(", "{", "["}) - (word.text in {")", "}", "]"})
        if word.text == "," and depth == 0:
            found.append(words[start:index])
            start = index + 1
    found.append(words[start:])
    return found


def _block(
    words: tuple[Word, ...], before: int, argument: tuple[Word, ...], macros: Macros
) -> Block | None:
    texts = [word.text for word in argument]
    if len(texts) == 1 and texts[0].isidentifier() and macros.defined(texts[0]) is None:
        return _declared(words, before, texts[0], macros)
    if texts[:1] == ["dim3"]:
        return _extents(argument[2:-1], macros)
    return _extents(argument, macros)


def _extents(words: tuple[Word, ...], macros: Macros) -> Block | None:
    values = [evaluate(" ".join(w.text for w in part), macros) for part in _split(words)]
    sizes = [value for value in values if value]
    if len(sizes) != len(values) or not 1 <= len(sizes) <= 3:
        return None
    x, y, z = [*sizes, 1, 1][:3]
    return x, y, z


def _declared(words: tuple[Word, ...], before: int, name: str, macros: Macros) -> Block | None:
    """Return the value that `dim3 name(…)` or `int name = …;` gives before the launch."""
    for index in range(before - 1, 0, -1):
        if words[index].text != name or index + 1 >= len(words):
            continue
        following = words[index + 1].text
        if following not in {"(", "{", "="}:
            continue
        end = next((i for i in range(index, before) if words[i].text == ";"), before)
        value = words[index + 2 : end] if following == "=" else words[index + 2 : end - 1]
        if value and value[0].text == "dim3":
            value = value[2:-1]
        return _extents(value, macros)
    return None


def bounds(words: tuple[Word, ...], constants: Mapping[str, int]) -> Block | None:
    """Return the block that `__launch_bounds__(N)` in a function's head allows at most."""
    for index, word in enumerate(words):
        if word.text == "__launch_bounds__" and index + 2 < len(words):
            end = next((i for i in range(index, len(words)) if words[i].text in ",)"), index)
            macros = Macros({name: str(value) for name, value in constants.items()})
            return _extents(words[index + 2 : end], macros)
    return None
