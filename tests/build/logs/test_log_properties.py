"""Whatever is done to a log on its way: no crash, and the first error stays right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastpt_lab.build.locate import first_error, locate
from fastpt_lab.build.logs import LogParser, parse
from fastpt_lab.core.diagnostic import Diagnostic

FIXTURES = Path(__file__).parents[2] / "fixtures"
ESCAPE = re.compile(rb"\x1b\[[0-9;]*m")
LOGS = {
    path.parent.name if path.name == "stderr.txt" else path.stem: ESCAPE.sub(
        b"", path.read_bytes()
    )
    for path in sorted(
        (
            *FIXTURES.glob("cases/*/stderr.txt"),
            *FIXTURES.glob("logs/*.txt"),
            *FIXTURES.glob("cases/_logshapes/*.txt"),
        )
    )
    if path.stat().st_size
}
ROOT = Path("/src/ext")
any_log = st.sampled_from(sorted(LOGS))


def first(data: bytes) -> Diagnostic | None:
    return first_error(
        locate(parse(data), origin=lambda _: None, document=lambda _: None, root=ROOT, cwd=ROOT)
    )


def line_of(data: bytes) -> bytes:
    found = first(data)
    assert found is not None
    return found.raw.split("\n")[0].strip().encode()


FIRST_LINES = {name: line_of(data) for name, data in LOGS.items()}
FIRST_ENDS = {
    name: next(end for end in _ends if FIRST_LINES[name] in LOGS[name][:end])
    for name, _ends in (
        (name, [m.end() for m in re.finditer(rb"\n|\Z", data)]) for name, data in LOGS.items()
    )
}


def shown(data: bytes) -> bytes | None:
    found = first(data)
    return None if found is None else found.raw.split("\n")[0].strip().encode()


@given(any_log, st.data())
def test_cut_anywhere_keeps_the_first_error_if_its_line_is_whole(
    name: str, data: st.DataObject
) -> None:
    log = LOGS[name]
    cut = data.draw(st.integers(0, len(log)))
    found = shown(log[:cut])
    if cut >= FIRST_ENDS[name]:
        assert found == FIRST_LINES[name]


@given(any_log, st.data())
def test_beginning_cut_off_keeps_the_first_error_if_its_line_is_whole(
    name: str, data: st.DataObject
) -> None:
    log = LOGS[name]
    start = log[: FIRST_ENDS[name]].rfind(FIRST_LINES[name])
    start = log.rfind(b"\n", 0, start) + 1
    cut = data.draw(st.integers(0, start))
    # A torn line may look like an error of its own only where it was one.
    lines = log[cut:].split(b"\n", 1)
    rest = lines[1] if cut and len(lines) > 1 and cut != start else log[cut:]
    assert shown(rest) == FIRST_LINES[name]


@given(any_log, st.lists(st.integers(1, 400), max_size=30))
def test_pieces_of_any_size_give_the_same(name: str, sizes: list[int]) -> None:
    log = LOGS[name]
    parser = LogParser()
    found: list[Diagnostic] = []
    position = 0
    for size in (*sizes, len(log)):
        found += parser.feed(log[position : position + size])
        position += size
    found += parser.close()
    whole = LogParser()
    assert found == [*whole.feed(log), *whole.close()]


@given(any_log, any_log, st.data())
def test_interleaved_blocks_show_the_error_that_was_printed_first(
    one: str, other: str, data: st.DataObject
) -> None:
    """Blocks of whole lines, as Ninja and parallel make print them."""
    left = LOGS[one].splitlines(keepends=True)
    right = LOGS[other].splitlines(keepends=True)
    mixed: list[bytes] = []
    while left or right:
        take = data.draw(st.integers(1, 12))
        source = left if left and (not right or data.draw(st.booleans())) else right
        block = source[:take]
        if block and not block[-1].endswith(b"\n"):
            block[-1] += b"\n"
        mixed += block
        del source[:take]
    text = b"".join(mixed)
    causes = {FIRST_LINES[one], FIRST_LINES[other]}
    found = shown(text)
    assert found in causes or found in {line.strip() for line in mixed}
    real = [FIRST_LINES[n] for n in (one, other) if n not in ONLY_WRAPPERS]
    if real:
        # Behind a prefix the line is a whole word's end.
        ends = [b" " + line.strip() for line in mixed]
        firsts = sorted(
            real,
            key=lambda line: next(i for i, e in enumerate(ends) if e.endswith(b" " + line)),
        )
        assert found == firsts[0]


@given(any_log, any_log, st.lists(st.integers(1, 600), min_size=1, max_size=20))
def test_interleaved_bytes_show_the_error_whose_line_is_whole(
    one: str, other: str, sizes: list[int]
) -> None:
    """Two writers on one pipe tear lines; what is whole is still found."""
    rests = [LOGS[one], LOGS[other]]
    mixed = b""
    for turn, size in enumerate([*sizes, 1 << 30, 1 << 30]):
        mixed += rests[turn % 2][:size]
        rests[turn % 2] = rests[turn % 2][size:]
    lines = [line.strip() for line in mixed.split(b"\n")]
    wanted = [FIRST_LINES[one], FIRST_LINES[other]]
    if (
        wanted[0] != wanted[1]
        and all(line in lines for line in wanted)
        and not ONLY_WRAPPERS & {one, other}
    ):
        assert shown(mixed) == min(wanted, key=lines.index)


ONLY_WRAPPERS = {"make-killed"}


STYLES = {
    "clang": (b"\x1b[1m", b"\x1b[0m\x1b[0;1;31m", b"\x1b[0m\x1b[1m", b"\x1b[0m"),
    "gcc": (b"\x1b[01m\x1b[K", b"\x1b[m\x1b[K\x1b[01;31m\x1b[K", b"\x1b[m\x1b[K", b""),
    "web page": (b"[1m", b"[0m[0;1;31m", b"[0m[1m", b"[0m"),
}


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_colours_change_nothing(style: tuple[bytes, bytes, bytes, bytes]) -> None:
    begin, word, after, end = style
    for name, log in LOGS.items():
        coloured = re.sub(
            rb"(?:fatal )?error:|warning:|note:|FAILED:", lambda m: word + m[0] + after, log
        )
        coloured = re.sub(rb"(?m)^(.+)$", lambda m: begin + m[1] + end, coloured)
        assert shown(coloured) == FIRST_LINES[name], name


PREFIXES = {
    "jenkins": b"[2024-10-17T00:05:34.680Z] ",
    "github": b"2024-10-17T00:05:34.6801234Z ",
    "gh run view": b"build\tCompile\t2024-10-17T00:05:34.6801234Z ",
    "gitlab": b"2024-10-17T00:05:34.680123Z 01O ",
    "clock": b"00:05:34 ",
    "buildkit": b"#12 3.456 ",
    "buildkit tail": b"3.456 ",
    "compose": b"builder-1  | ",
    "rank": b"[rank0]: ",
    "mpi": b"[1,0]<stderr>:",
    "pip": b"      ",
    "box": "  │ ".encode(),
    "unknown": b"",
}


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_prefixes_and_newlines_change_nothing(prefix: bytes, newline: bytes) -> None:
    for name, log in LOGS.items():
        if (
            b"#38 33" in log
            or b"[2024" in log
            or (prefix.isspace() and name.startswith("make-sep"))
        ):
            continue
        lines = (prefix + line for line in log.split(b"\n"))
        assert shown(newline.join(lines)) == FIRST_LINES[name], name


@given(st.binary(max_size=2000))
def test_any_bytes_are_read(data: bytes) -> None:
    parse(data)


FRAGMENTS = [
    b"error: ",
    b"a.hip:3:4: ",
    b"\x1b[1m",
    b"\r",
    b"\n",
    b"  ^~~",
    b"   3 | x",
    b"Traceback (most recent call last):\n",
    b"In file included from a.h:1:\n",
    b"CMake Error at x:1 (y):\n",
    b"  words\n",
    b"FAILED: ",
    "错误：".encode(),
    b"\xff\xfe",
    b"note: ",
    b"ninja: Entering directory `x'\n",
    b"ld: ",
    b"what():  ",
    b"\x00",
    b"[1/2] ",
    b"x.cu(3): error ",
]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40))
def test_any_mix_of_fragments_is_read(parts: list[bytes]) -> None:
    first(b"".join(parts))


@settings(max_examples=20)
@given(st.integers(0, 3_000_000))
def test_a_line_without_end_is_read_in_bounded_memory(size: int) -> None:
    parser = LogParser()
    for _ in range(4):
        parser.feed(b"x" * size)
        assert parser.held <= 70_000
    parser.feed(b"\nk.hip:1:2: error: use of undeclared identifier 'q'\n")
    assert [one.message for one in parser.close()] == ["use of undeclared identifier 'q'"]


def test_a_progress_bar_is_lines() -> None:
    bar = b"\r".join(b"[%3d%%] compiling" % n for n in range(90_000))
    log = bar + b"\rk.hip:1:2: error: use of undeclared identifier 'q'\r[100%] done\n"
    found = first(log)
    assert found is not None
    assert found.message == "use of undeclared identifier 'q'"
