"""Logs, names, mappings and headers made to do harm: they are shown, refused, or take no longer."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import resource
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from needs import need_torch

from fastpt_lab import Session
from fastpt_lab.cli import main
from fastpt_lab.core.errors import ConfigError
from fastpt_lab.core.scan import conditional_groups, directives
from fastpt_lab.host.project import Project
from fastpt_lab.transcode.custom import FILE_NAME, load_custom
from fastpt_lab.transcode.run import transcode
from fastpt_lab.verify.golden_file import MAGIC, parse_golden

KERNEL = "#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n"
HOSTILE = [
    b"<script>alert(1)<.cu",
    b"</pre><img src=x onerror=alert(1)>.cu".replace(b"/", b"\xe2\x88\x95"),
    b"a\"b'c.cu",
    b"-rf.cu",
    b"--out=x.cu",
    b"$(touch pwned).cu",
    b"`touch pwned`;&&|.cu",
    b"%s%n%d{0}{x.y}.cu",
    b"two\nlines\r.cu",
    b"\x1b]52;c;ZXZpbA==\x07\x1b[2J.cu",
    "路径\u202egpj.cu".encode(),
    b"not text \xff\xfe.cu",
    b"a" * 252 + b".cu",
    b" .cu",
]
LOG = (
    "<script>alert(1)</script>\n"
    "\x1b]0;title\x07\x1b]8;;http://evil\x07link\x1b]8;;\x07 \x1b]52;c;ZXZpbA==\x07\n"
    "k.cu:1:1: error: use of undeclared identifier '<img src=x onerror=alert(1)>'"
    " \x1b[31m\u202e\x9b2J\x1bc\x1b\n"
    "k.cu:2:1: note: \x1b[?1049h<b>here</b>\u2066\n"
)


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names.update(name for name, _ in attrs)


def harmless(shown: str, page: str) -> None:
    """Demand that a terminal and a browser show the words and do nothing."""
    assert not any(c < " " and c not in "\n\t" for c in shown)
    assert not set(shown) & set("\x9b\u202e\u2066\u2028\x7f")
    read = Page()
    read.feed(page)
    assert not read.tags & {"script", "img", "iframe", "link", "object", "base", "form"}
    assert not any(name.startswith("on") for name in read.names)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "p"
    root.mkdir()
    (root / "setup.py").touch()
    (root / "k.cu").write_text(KERNEL)
    return root


def test_a_hostile_log_is_shown_and_does_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from fastpt_lab.show.html import report_html

    (root / "build.log").write_text(LOG, "utf-8")
    assert main(["diagnose", str(root / "build.log"), "--root", str(root), "-v"]) == 1
    shown = capsys.readouterr().out
    assert "<img src=x onerror=alert(1)>" in shown
    session = Session(root)
    report = session.diagnose(io.BytesIO(LOG.encode()))
    harmless(shown, report_html(report, session.read, session.origin))


ENDLESS = """
import io, resource, sys
from fastpt_lab import Session
class Line(io.RawIOBase):
    left = 1024
    def read(self, size=-1):
        self.left -= 1
        return b"x" * (1 << 20) if self.left >= 0 else TAIL.pop() if TAIL else b""
TAIL = [b"\\nk.cu:1:1: error: use of undeclared identifier 'q'\\n"]
session = Session(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = session.diagnose(Line())
assert report.first_error.message == "use of undeclared identifier 'q'", report
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_line_of_a_gigabyte_takes_little_memory(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDLESS, str(root)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 64 * 1024, "KiB more than before"


@pytest.mark.torch
@need_torch
def test_hostile_names_are_files_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "p $(touch pwned) <b>'\"%s"
    root.mkdir()
    monkeypatch.chdir(root)
    names = [os.fsdecode(name) for name in HOSTILE]
    for name in names:
        (root / name).write_text(KERNEL)
    assert main(["transcode", "--root", str(root), "--json"]) in (0, 1)
    files = json.loads(capsys.readouterr().out)["files"]
    status = {file["original"]: file["status"] for file in files}
    # Beyond 255 bytes there is no name for the output; all others are written.
    assert list(status.values()).count("written") >= len(names) - 1, status
    assert main(["survey", "--root", str(root), "-v"]) in (0, 1)
    harmless(capsys.readouterr().out, "")
    assert main(["transcode", "--root", str(root), "-v"]) in (0, 1)
    shown = capsys.readouterr().out
    harmless(shown, "")
    assert "two\\nlines\\x0d.cu" in shown
    assert not list(tmp_path.rglob("pwned"))
    assert all((root / name).read_text() == KERNEL for name in names)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 200_000,
        b'{"custom_map":' * 100_000,
        b'{"custom_map": {"a": "' + b"\xff\xfe" + b'"}}',
        b'{"custom_map": "x"}',
        b"\xef\xbb\xbf\xff",
        b'{"custom_map": {"a": ' + b"9" * 10_000 + b"}}",
        b"",
        b"null",
        b"NaN",
    ],
    ids=["deep", "nested", "not-utf8", "no-table", "bom", "number", "empty", "null", "nan"],
)
def test_a_mapping_that_means_nothing_says_so(tmp_path: Path, data: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(data)
    with pytest.raises(ConfigError, match=FILE_NAME):
        load_custom([tmp_path])


@pytest.mark.torch
@need_torch
@pytest.mark.parametrize(
    "table",
    [
        {"(a+)+$": "x", "[": "y", "\\": "z", "^.*": "w", "a|b": "v", "(?P<n>": "u"},
        {"a" * 200_000: "b", "c": "d" * 200_000},
        {"cudaFree": "cudaFree cudaFree"},
        {"cudaFree": "x", "x": "cudaFree"},
        {f"name_{n}": f"hip_{n}" for n in range(20_000)},
    ],
    ids=["patterns", "long", "grows", "cycle", "many"],
)
def test_a_hostile_mapping_takes_no_longer(root: Path, table: dict[str, str]) -> None:
    (root / FILE_NAME).write_text(json.dumps({"custom_map": table}))
    started = time.process_time()
    result = transcode(Project(root))
    assert [file.status for file in result.files] == ["written"]
    assert time.process_time() - started < 60
    text = (root / "k.hip").read_text()
    assert text.count("cudaFree cudaFree") <= 1


@pytest.mark.torch
@need_torch
def test_headers_made_to_explode(root: Path) -> None:
    depth = 3000
    (root / "k.cu").write_text('#include "a.h"\n#include "d0.h"\n' + KERNEL)
    (root / "a.h").write_text('#include "b.h"\n#include <cuda_runtime.h>\n')
    (root / "b.h").write_text('#include "a.h"\n')
    for n in range(depth):
        (root / f"d{n}.h").write_text(f'#include "d{n + 1}.h"\n')
    (root / f"d{depth}.h").write_text("#include <cuda_runtime.h>\n")
    bomb = "".join(f"#define X{n} X{n - 1} X{n - 1} X{n - 1}\n" for n in range(1, 1000))
    (root / "bomb.cuh").write_text("#define X0 cudaFree(0);\n" + bomb + "void g() { X999 }\n")
    (root / "line.cuh").write_text("int a[] = {" + "cudaSuccess," * 300_000 + "0};")
    result = transcode(Project(root))
    assert not result.refused
    assert {file.original.name for file in result.files} >= {"a.h", "b.h", "d0.h", "line.cuh"}


@pytest.mark.parametrize(
    "text",
    [
        "#if A\n" * 100_000,
        "#if A\n" * 20_000 + "#endif\n" * 20_000,
        "#if A\n#elif B\n" + "#elif C\n" * 50_000,
        "#define A \\\n" * 100_000,
        "/*" * 200_000,
        '"' * 200_000,
        'R"(' * 50_000,
        "(" * 200_000,
        "<" * 100_000,
        "a" * 1_000_000,
        "\\\n" * 200_000,
    ],
    ids=["open", "nested", "elif", "continued", "comments", "quotes", "raw", "parens",
         "angles", "word", "splices"],
)  # fmt: skip
def test_text_made_to_be_slow_is_read_in_time(text: str) -> None:
    started = time.process_time()
    directives(text)
    conditional_groups(text)
    # The processor's time, not the clock's: other work on the machine does not count.
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "shape", [[0, 2**70], [2**62, 2**62], [1] * 33, [-1], [0.5], "4", [2**40], None]
)
def test_a_golden_shape_that_cannot_be_is_refused(shape: object) -> None:
    digest = hashlib.sha256(b"").hexdigest()
    entry = {"name": "x", "dtype": "float32", "shape": shape, "offset": 0, "size": 0,
             "sha256": digest}  # fmt: skip
    header = json.dumps({"facts": {}, "tensors": [entry]}).encode()
    with pytest.raises(ConfigError, match="no golden file"):
        parse_golden(MAGIC + len(header).to_bytes(8, "little") + header, "x.golden")


@pytest.mark.parametrize(
    "value", [pickle.dumps({"x": 1}), b"PK\x03\x04archive/data.pkl", b"\x93NUMPY", b""]
)
def test_what_is_no_golden_file_is_never_loaded(value: bytes) -> None:
    with pytest.raises(ConfigError, match="does not begin like one"):
        parse_golden(value, "x.golden")


def test_a_source_too_large_to_be_one_is_refused(root: Path) -> None:
    with (root / "huge.cuh").open("wb") as stream:
        stream.truncate(100 << 20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert main(["survey", "--root", str(root)]) in (0, 1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024
