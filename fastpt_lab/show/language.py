"""Messages in the user's language: English as they are written, or Chinese from a catalogue.

A message is an f-string at the place that has something to say. Its Chinese is looked up here, in
the views, by the template that it was made from: what is said by the JSON documents, the journal
and exceptions stays English, so that scripts and reports from different machines agree. A test
reads all templates out of the sources and asks the catalogue for each.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.core.errors import FastptError

VARIABLE = "FASTPT_LANG"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
_CATALOGUE = Path(__file__).with_name("zh.json")
_PLACE = re.compile(r"\{\}")
_NUMBER = re.compile(r"\{(\d)\}")


def language(environ: Mapping[str, str] | None = None) -> str:
    """Return `zh` or `en`: what FASTPT_LANG says, else the locale, as POSIX looks it up."""
    values = os.environ if environ is None else environ
    named = next((values[name] for name in (VARIABLE, *_LOCALE) if values.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"


def say(message: str) -> str:
    """Return a message in the user's language; one that is not in the catalogue as it is."""
    return chinese(message) if language() == "zh" else message


def error_line(error: FastptError) -> str:
    """Return what happened and what to do, on one line."""
    happened, todo = say(error.message), say(error.next_step)
    if not todo:
        return happened
    return f"{happened}。{todo}" if language() == "zh" else f"{happened}. {todo}"


@lru_cache(maxsize=1024)
def chinese(message: str) -> str:
    """Return the Chinese of a message, its values put where they belong there."""
    known = _whole().get(message)
    if known is not None:
        return known
    for pattern, translation in _templates():
        found = pattern.fullmatch(message)
        if found is not None:
            return _filled(translation, [_value(value) for value in found.groups()])
    return message


def _filled(translation: str, values: list[str]) -> str:
    # Not str.format: a translation may hold braces of its own, and so may a value.
    return _NUMBER.sub(lambda match: values[int(match[1])], translation)


def _value(text: str) -> str:
    """Return what stands in a message: maybe the message of another error."""
    return chinese(text) if " " in text else text


def catalogue() -> dict[str, str]:
    """Return the Chinese by the English template.

    `{}` in a template is a value; `{0}`, `{1}`, … in its translation say where each one goes.
    """
    found: dict[str, str] = json.loads(_CATALOGUE.read_text("utf-8"))
    return found


@lru_cache(maxsize=1)
def _whole() -> dict[str, str]:
    return {english: text for english, text in catalogue().items() if "{}" not in english}


@lru_cache(maxsize=1)
def _templates() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the templates that hold values, those with the most fixed text first."""
    found = [(english, text) for english, text in catalogue().items() if "{}" in english]
    found.sort(key=lambda pair: -len(_PLACE.sub("", pair[0])))
    return tuple(
        (re.compile("(.+?)".join(map(re.escape, english.split("{}"))), re.DOTALL), text)
        for english, text in found
    )
