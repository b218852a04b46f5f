"""Messages in the user's language: English as they are written, or Chinese from a catalogue.

A message is an f-string at the place that has something to say. Its Chinese is looked up here, in
the views, by the template that it was made from: what is said by the JSON documents, the journal
and exceptions stays English, so that scripts and reports from different machines agree. A test
reads all templates out of the sources and asks the catalogue for each.

The catalogue is a folder of JSON files, one for each room that says something. It is read when
the first message is looked up, so that nobody pays for it in English.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.show.tongue import VARIABLE, language, later

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fastpt_lab.core.errors import FastptError

__all__ = [
    "VARIABLE",
    "catalogue",
    "chinese",
    "error_line",
    "fact_said",
    "known",
    "language",
    "later",
    "said",
    "say",
]

_FOLDER = Path(__file__).with_name("zh")
_NUMBER = re.compile(r"\{(\d)\}")
_LEAD = re.compile(r"[ ;,]+")
_WORD = re.compile(r"[A-Za-z]{2,}")
_TELLING = 3
_OWN_LETTERS = 3
_NAMED = re.compile(r"\S+: \S")
_MARKS = {"; ": "；", ": ": "：", ", ": "，"}
"""What joins clauses that are messages of their own, the loosest first."""
_JOINT = re.compile("(" + "|".join(_MARKS) + ")")
_PLAIN = re.compile(r"[a-z]+")
_COUNT = re.compile(r"\{\} [a-z ]+")
_FIGURE = re.compile(r"[\d,.]+")


def say(message: str) -> str:
    """Return a message in the user's language; one that is not in the catalogue as it is."""
    return chinese(message) if language() == "zh" else message


def said(template: str, *values: object) -> str:
    """Return a template with its values in the user's language, the values as they are."""
    shown = [str(value) for value in values]
    if language() == "zh":
        translation = _whole().get(template)
        if translation is not None:
            return _filled(translation, shown)
    return "".join(chain.from_iterable(zip(template.split("{}"), [*shown, ""], strict=True)))


def known(message: str) -> str:
    """Return the Chinese of what the catalogue has word for word; a tool's message stays."""
    return _whole().get(message, message) if language() == "zh" else message


def fact_said(value: str) -> str:
    """Return `what (why)` with the reason in the user's language."""
    what, opening, reason = value.removesuffix(")").partition(" (")
    whole = opening and value.endswith(")")
    return f"{say(what)} ({say(reason)})" if whole else say(value)


def error_line(error: FastptError) -> str:
    """Return what happened and what to do, on one line."""
    happened, todo = say(error.message), say(error.next_step)
    if not todo:
        return happened
    return f"{happened}。{todo}" if language() == "zh" else f"{happened}. {todo}"


def chinese(message: str) -> str:
    """Return the Chinese of a message, its values put where they belong there.

    A message that is not known is taken for clauses, and those that are known are translated.
    """
    return _translated(message, 0)


@lru_cache(maxsize=4096)
def _translated(message: str, letters: int) -> str:
    """Return the Chinese by a template with at least so many letters of its own."""
    whole = _whole().get(message) or _known_clauses(message)
    if whole is not None:
        return whole
    loosely: str | None = None
    for template in _candidates(message):
        values = template.values_in(message) if template.letters >= letters else None
        if values is None:
            continue
        if template.loose and " " in values[0]:
            # What has few words of its own would fit much of what tools say.
            loosely = loosely or (None if letters else template.filled(values))
            continue
        return template.filled(values)
    clauses = _clauses(message)
    return loosely if loosely is not None and clauses == message else clauses


def _clauses(message: str) -> str:
    """Return a message that is no template as a whole, clause by clause."""
    lead = _LEAD.match(message)
    if lead is not None and lead[0] != message:
        rest = message[lead.end() :]
        translated = _value(rest)
        mark = "；" if ";" in lead[0] else "，" if "," in lead[0] else lead[0]
        return mark + translated if translated != rest else message
    for sign, mark in _MARKS.items():
        parts = message.split(sign, 1) if sign == ": " else message.split(sign)
        if len(parts) > 1:
            translated_parts = [_value(part) for part in parts]
            if translated_parts != parts:
                return mark.join(translated_parts)
    return message


def _known_clauses(message: str) -> str | None:
    """Return a message in which each clause is in the catalogue, None if one is not.

    A clause of the catalogue may itself be joined of several, so the longest is looked for.
    """
    parts = _JOINT.split(message)
    known = _whole()
    if " " not in "".join(parts[::2]):
        return None  # Single words may be names in code.
    out: list[str] = []
    at = 0
    while at < len(parts):
        for end in range(len(parts), at, -2):
            clause = "".join(parts[at:end])
            if clause in known:
                out.append(known[clause])
                break
        else:
            if not _is_name(parts[at]) or at + 1 == len(parts):
                return None
            end = at + 1
            out.append(parts[at])
        out += [_MARKS[parts[end]]] if end < len(parts) else []
        at = end + 1
    return "".join(out)


def _is_name(clause: str) -> bool:
    """Whether a clause is a single name such as NCCL, which stays as it is."""
    return " " not in clause and not _PLAIN.fullmatch(clause)


def _filled(translation: str, values: list[str]) -> str:
    # Not str.format: a translation may hold braces of its own, and so may a value.
    return _NUMBER.sub(lambda match: values[int(match[1])], translation)


def _value(text: str) -> str:
    """Return what stands in a message: maybe another message, maybe the words of a tool.

    "… is …" alone says nothing about whose words they are.
    """
    return _translated(text, _OWN_LETTERS) if " " in text else text


def catalogue() -> dict[str, str]:
    """Return the Chinese by the English template.

    `{}` in a template is a value; `{0}`, `{1}`, … in its translation say where each one goes.
    """
    return {english: text for texts in _files().values() for english, text in texts.items()}


@lru_cache(maxsize=1)
def _files() -> dict[str, dict[str, str]]:
    return {path.stem: json.loads(path.read_text("utf-8")) for path in _FOLDER.glob("*.json")}


class _Template(NamedTuple):
    """The fixed parts of a message around its values, and the Chinese."""

    rank: int
    letters: int
    parts: tuple[str, ...]
    translation: str
    loose: bool
    """Whether it begins with a value, and has few words."""
    counts: bool
    """Whether that value is a number."""

    def values_in(self, message: str) -> list[str] | None:
        """Return the values that make `message` of this template, None if none do."""
        first, *middle, last = self.parts
        end = len(message) - len(last)
        if end < len(first) or not (message.startswith(first) and message.endswith(last)):
            return None
        values: list[str] = []
        start = len(first)
        for part in middle:
            # The first place that fits leaves the most room for what follows.
            found = message.find(part, start, end)
            if found < 0:
                return None
            values.append(message[start:found])
            start = found + len(part)
        values.append(message[start:end])
        if self.counts and not _FIGURE.fullmatch(values[0]):
            return None
        # `name: message`, where the template begins with a value, is two clauses.
        return None if not first and _NAMED.match(values[0]) else values

    def filled(self, values: list[str]) -> str:
        """Return the Chinese with values that may be messages themselves."""
        return _filled(self.translation, [_value(value) for value in values])


@lru_cache(maxsize=1)
def _whole() -> dict[str, str]:
    return catalogue()


@lru_cache(maxsize=1)
def _index() -> dict[tuple[str, str], list[_Template]]:
    """Return the templates with values by their first word, else their last, else neither."""
    found: dict[tuple[str, str], list[_Template]] = {}
    with_values = [
        (english, text, name == "views" and len(_WORD.findall(english)) < _TELLING)
        for name, texts in _files().items()
        for english, text in texts.items()
        # In a rule's manual braces are C++.
        if "{}" in english and name != "manual"
    ]
    # A template with more fixed text says more about the message that it fits.
    with_values.sort(key=lambda one: -len(one[0].replace("{}", "")))
    for rank, (english, text, counts) in enumerate(with_values):
        # Views give theirs to `said`; a short one would fit what somebody else says, a number
        # with its noun aside.
        if counts and not _COUNT.fullmatch(english):
            continue
        parts = tuple(english.split("{}"))
        word, blank, _ = parts[0].partition(" ")
        key = ("first", word) if blank else ("", "")
        if not blank and " " in parts[-1]:
            key = ("last", parts[-1].rpartition(" ")[2])
        loose = not parts[0] and len(_WORD.findall(english)) < _TELLING
        found.setdefault(key, []).append(
            _Template(rank, sum(map(str.isalpha, english)), parts, text, loose, counts)
        )
    return found


def _candidates(message: str) -> Iterable[_Template]:
    """Yield the templates that may fit a message, the most telling first."""

    def lists() -> Iterator[list[_Template]]:
        yield _index().get(("first", message.partition(" ")[0]), [])
        yield _index().get(("last", message.rpartition(" ")[2]), [])
        yield _index().get(("", ""), [])

    return sorted(chain.from_iterable(lists()))
