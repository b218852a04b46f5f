"""The two READMEs say the same: sections, code, tables, pictures and links agree, in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGLISH, CHINESE = (
    (ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh-CN.md")
)
_FENCE = re.compile(r"^```.*?^```$\n?", re.MULTILINE | re.DOTALL)
_SWITCH = ("README.md", "README.zh-CN.md")


def sections(page: str) -> list[tuple[str, int]]:
    """Return the anchor and the level of every heading; one without an anchor has none."""
    text = _FENCE.sub("", page)
    found = re.findall(r'(?:<a id="([\w-]+)"></a>\n\n)?^(#+) \S', text, re.MULTILINE)
    return [(anchor, len(marks)) for anchor, marks in found]


def code_blocks(page: str) -> list[str]:
    """Return every fenced block without its comments, which are in the page's language."""
    return [re.sub(r"\s+# .*$", "", b, flags=re.MULTILINE) for b in _FENCE.findall(page)]


def tables(page: str) -> list[list[int]]:
    """Return the number of cells of each row of each table."""
    found = re.findall(r"(?:^\|.*\|\n)+", _FENCE.sub("", page), re.MULTILINE)
    return [[row.count("|") - 1 for row in table.splitlines()] for table in found]


def links(page: str) -> list[str]:
    text = _FENCE.sub("", page)
    found = re.findall(r'\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"', text)
    return [one or other for one, other in found if (one or other) not in _SWITCH]


def spelled(page: str) -> list[str]:
    """Return what is written as code in running text, in the order of the alphabet."""
    return sorted(re.findall(r"`([^`\n]+)`", _FENCE.sub("", page)))


@pytest.mark.parametrize("part", [sections, code_blocks, tables, links, spelled])
def test_both_have_the_same(part: object) -> None:
    assert callable(part)
    assert part(ENGLISH) == part(CHINESE)
    assert part(ENGLISH)


def test_each_leads_to_the_other() -> None:
    assert "(README.zh-CN.md)" in ENGLISH
    assert "(README.md)" in CHINESE


def test_every_section_but_the_title_has_an_anchor_that_both_share() -> None:
    anchors = [anchor for anchor, level in sections(ENGLISH) if level > 1]
    assert all(anchors)
    assert len(set(anchors)) == len(anchors)


def test_the_chinese_page_is_in_chinese() -> None:
    """A paragraph that was left in English, or lost, would show here."""
    text = re.sub(r"`[^`\n]+`|\]\([^)]+\)|<[^>]+>", "", _FENCE.sub("", CHINESE))
    for paragraph in re.split(r"\n\n", text):
        words = re.sub(r"^\|.*$", "", paragraph, flags=re.MULTILINE).strip()
        if len(words) > 60:
            chinese = len(re.findall(r"[\u4e00-\u9fff]", words))
            assert chinese > len(words) / 4, paragraph
