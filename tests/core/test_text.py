from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastpt_lab.core.errors import OverlappingEditsError
from fastpt_lab.core.text import Document, Position, Range, TextEdit

TEXTS = st.text(alphabet="ab 中é\U0001f600\t\r\n\f\u2028", max_size=80)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\r\nb\rc\nd", ["a\r\n", "b\r", "c\n", "d"]),
        ("form\ffeed and\u2028separator", ["form\ffeed and\u2028separator"]),
        ("last\n", ["last\n", ""]),
        ("", [""]),
    ],
    ids=["all three newlines", "not a line break for a compiler", "empty last line", "empty"],
)
def test_lines_are_split_as_compilers_do(text: str, lines: list[str]) -> None:
    document = Document(text)
    assert [document.line(n) for n in range(document.line_count)] == lines


@given(TEXTS)
def test_offset_and_position_are_inverse(text: str) -> None:
    document = Document(text)
    for offset in range(len(text) + 1):
        assert document.offset(document.position(offset)) == offset


@given(TEXTS)
def test_byte_and_utf16_columns_round_trip(text: str) -> None:
    document = Document(text)
    for offset in range(len(text)):
        if text[offset] in "\r\n":
            continue
        place = document.position(offset)
        assert document.position_from_bytes(*document.bytes_from_position(place)) == place
        assert document.position_from_utf16(*document.utf16_from_position(place)) == place


def test_columns_count_bytes_of_the_files_own_encoding() -> None:
    line = "/* 中文 */ f();"
    # hipcc 5.2.3 prints column 22 for character 18 of such a line: three bytes a character.
    assert Document(line).position_from_bytes(1, 14) == Position(0, 9)
    assert Document(line, "gb18030").position_from_bytes(1, 12) == Position(0, 9)


def test_a_column_inside_a_character_or_past_the_end_is_moved_before_it() -> None:
    document = Document("中x\n")
    assert document.position_from_bytes(1, 2) == Position(0, 0)
    assert document.position_from_bytes(1, 99) == Position(0, 2)
    assert document.position_from_bytes(9, 1) == Position(8, 0)


def test_newline_style_is_the_one_most_lines_have() -> None:
    assert Document("a\r\nb\r\nc\n").newline == "\r\n"
    assert Document("a\nb").newline == "\n"
    assert Document("a").newline == "\n"


def edit(start: tuple[int, int], end: tuple[int, int], new: str) -> TextEdit:
    return TextEdit(range=Range(Position(*start), Position(*end)), new_text=new)


def test_edits_are_made_together_whatever_their_order() -> None:
    document = Document("one\ntwo\nthree\n")
    edits = [
        edit((2, 0), (2, 5), "3"),
        edit((0, 0), (0, 0), "zero\n"),
        edit((1, 0), (2, 0), ""),
    ]
    assert document.apply(edits).text == "zero\none\n3\n"


@pytest.mark.parametrize(
    "edits",
    [
        [edit((0, 0), (0, 2), "x"), edit((0, 1), (0, 3), "y")],
        [edit((0, 1), (0, 1), "x"), edit((0, 1), (0, 1), "y")],
        [edit((0, 2), (0, 1), "x")],
    ],
    ids=["overlap", "two insertions at one place", "end before start"],
)
def test_edits_that_touch_are_refused(edits: list[TextEdit]) -> None:
    with pytest.raises(OverlappingEditsError):
        Document("abc").apply(edits)
