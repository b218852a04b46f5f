from __future__ import annotations

from fastpt_lab.build.depfile import parse_depfile


def test_continued_lines_and_escapes() -> None:
    text = "probe.o: /p/a\\ b.hip \\\n  /usr/include/x.h \\\n  /p/c\\#d.h /p/e$$f.h\n"
    assert parse_depfile(text) == ("/p/a b.hip", "/usr/include/x.h", "/p/c#d.h", "/p/e$f.h")


def test_only_the_first_rule_counts() -> None:
    assert parse_depfile("a.o: a.c b.h\nb.h:\n") == ("a.c", "b.h")


def test_path_with_a_colon() -> None:
    assert parse_depfile("a.o: /p/x:y.h\n") == ("/p/x:y.h",)


def test_crlf_and_non_ascii() -> None:
    assert parse_depfile("a.o: /p/中文.cuh \\\r\n /p/b.h\r\n") == ("/p/中文.cuh", "/p/b.h")


def test_no_rule() -> None:
    assert parse_depfile("") == ()
    assert parse_depfile("nothing here") == ()
