"""Rule fixtures: originals, what the compiler said of their transcoded form, and the fix.

A case is `NAME.cu` in the rule's folder, with `NAME.cuh` if it has a header; `NAME.hip` (and
`NAME_hip.cuh`) as torch's hipify made them, `NAME.log` as hipcc printed it, and `NAME.fixed.cu`
(`NAME.fixed.cuh`) if the rule should offer something. `flags.json` of a folder may give a case
more compiler flags; `stack.json` holds what the real stack answered when it was recorded.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fastpt_lab.build.locate import locate
from fastpt_lab.build.logs import parse
from fastpt_lab.core.diagnostic import Diagnostic
from fastpt_lab.core.scan import Kind, tokens
from fastpt_lab.core.sourcemap import Origin, SourceMap
from fastpt_lab.core.text import Document
from fastpt_lab.host.files import decode_source

FIXTURES = Path(__file__).parent / "fixtures" / "rules"
STUBS = Path(__file__).parent / "fixtures" / "cases" / "_stubs"
FLAGS = (
    "--offload-arch=gfx906",
    "-std=c++17",
    "-DUSE_ROCM=1",
    "-D__HIP_PLATFORM_AMD__=1",
    "-DHIPBLAS_V2",
)
HIPIFY = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
from hipify import hipify_python
root = sys.argv[2]
hipify_python.hipify(project_directory=root, output_directory=root, includes=[root + "/*"],
                     is_pytorch_extension=True, show_detailed=False)
"""


@dataclass
class Answers:
    """A `Stack` that answers as the real one did when the fixtures were recorded."""

    recorded: dict[str, object]
    case_flags: tuple[str, ...] = ()
    architectures: tuple[str, ...] = ("gfx906",)
    hip_version: tuple[int, int] = (5, 2)

    @property
    def flags(self) -> tuple[str, ...]:
        return (*FLAGS, *self.case_flags)

    def _answer(self, *question: str) -> object:
        key = "|".join((" ".join(self.case_flags), *question))
        assert key in self.recorded, f"record the fixtures again: no answer to {key}"
        return self.recorded[key]

    def has(self, name: str) -> bool | None:
        return self._answer("has", name)

    def declares(self, name: str) -> bool | None:
        return self._answer("declares", name)

    def has_header(self, name: str) -> bool | None:
        return self._answer("has_header", name)

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(p) for p in self._answer("parameters", function))

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        return tuple(self._answer("enumerators", type_name))

    def compiles(self, source: str) -> bool | None:
        return self._answer("compiles", source)


@dataclass
class Originals:
    """A `Workspace` of files in memory."""

    documents: dict[Path, Document] = field(default_factory=dict)

    def document(self, path: Path) -> Document | None:
        return self.documents.get(path)

    def originals(self) -> tuple[Path, ...]:
        return tuple(sorted(self.documents))


def read(path: Path) -> Document:
    return decode_source(path.read_bytes(), path)[0]


def aligned(original: str, generated: str) -> SourceMap:
    """Find by tokens where two texts differ."""
    words = [
        [(text[t.start : t.end], t.start, t.end) for t in tokens(text) if t.kind > Kind.NEWLINE]
        for text in (generated, original)
    ]
    matcher = difflib.SequenceMatcher(
        None, [w[0] for w in words[0]], [w[0] for w in words[1]], autojunk=False
    )
    # Each copied token is anchored; what stands between two of them was replaced.
    replaced: list[tuple[int, int, str]] = []
    at_original = at_generated = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        same_count = tag == "replace" and i2 - i1 == j2 - j1
        if tag != "equal" and not same_count:
            continue
        for (word, gen_start, gen_end), (_, orig_start, orig_end) in zip(
            words[0][i1:i2], words[1][j1:j2], strict=True
        ):
            gap = generated[at_generated:gen_start]
            if gap != original[at_original:orig_start]:
                replaced.append((at_original, orig_start, gap))
            if word != original[orig_start:orig_end]:
                replaced.append((orig_start, orig_end, word))
            at_original, at_generated = orig_end, gen_end
    if original[at_original:] != generated[at_generated:]:
        replaced.append((at_original, len(original), generated[at_generated:]))
    return SourceMap.from_replacements(replaced)


@dataclass(frozen=True)
class Case:
    """One case of one rule."""

    folder: Path
    name: str

    @property
    def id(self) -> str:
        return f"{self.folder.name}-{self.name}"

    @property
    def rule(self) -> str:
        return self.folder.name.replace("_", "-")

    @property
    def flags(self) -> tuple[str, ...]:
        path = self.folder / "flags.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        return tuple(f.replace("STUBS", str(STUBS)) for f in known.get(self.name, ()))

    @property
    def recorded_flags(self) -> tuple[str, ...]:
        return tuple(f.replace(str(STUBS), "STUBS") for f in self.flags)

    @property
    def originals(self) -> tuple[Path, ...]:
        paths = (self.folder / f"{self.name}{suffix}" for suffix in (".cu", ".cuh"))
        return tuple(p for p in paths if p.exists())

    @property
    def speaks(self) -> bool:
        """Whether the rule should offer an edit."""
        return any(self.fixed(p).exists() for p in self.originals)

    def fixed(self, original: Path) -> Path:
        return original.with_name(f"{self.name}.fixed{original.suffix}")

    def generated(self, original: Path) -> Path:
        hip = {".cu": f"{self.name}.hip", ".cuh": f"{self.name}_hip.cuh"}
        return original.with_name(hip[original.suffix])

    def workspace(self) -> Originals:
        return Originals({p: read(p) for p in self.originals})

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the recorded compiler said, at places in the originals."""
        origins = {}
        for path in self.originals:
            generated = self.generated(path)
            if generated.exists():
                texts = read(path), read(generated)
                origins[generated] = Origin(path, *texts, aligned(texts[0].text, texts[1].text))
        return locate(
            parse((self.folder / f"{self.name}.log").read_bytes()),
            origin=origins.get,
            document=lambda p: read(p) if p.is_file() else None,
            root=self.folder,
            cwd=self.folder,
        )

    def stack(self) -> Answers:
        path = FIXTURES / "stack.json"
        return Answers(json.loads(path.read_text()), self.recorded_flags)


def all_cases() -> list[Case]:
    """Every case of every rule, in order."""
    return [
        Case(path.parent, path.stem)
        for path in sorted(FIXTURES.glob("*/*.cu"))
        if not path.name.endswith(".fixed.cu")
    ]


def hipify_with_torch(folder: Path) -> None:
    """Run torch's own hipify on a folder, in a process of its own: it keeps state."""
    import importlib.util

    found = importlib.util.find_spec("torch")
    assert found is not None
    assert found.origin is not None
    utils = Path(found.origin).parent / "utils"
    argv = [sys.executable, "-c", HIPIFY, str(utils), str(folder)]
    subprocess.run(argv, check=True, capture_output=True)


def hipcc(unit: Path, *flags: str, code: bool = True) -> tuple[int, str]:
    """Compile one unit for HIP in its folder; return the exit code and what was printed."""
    mode = ("-c", "-o", os.devnull) if code else ("-fsyntax-only",)
    done = subprocess.run(
        ["hipcc", *FLAGS, "-I.", *flags, *mode, unit.name],
        cwd=unit.parent,
        env={**os.environ, "HIP_PLATFORM": "amd", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stderr.decode(errors="replace")


def nvcc(unit: Path, *flags: str) -> tuple[int, str]:
    """Compile one unit for CUDA in its folder."""
    stand_in = f"-I{STUBS / 'cuda'}"
    declared = f"-I{FIXTURES / '_cuda'}"
    mode = ("--cuda", "-o", os.devnull)
    done = subprocess.run(
        [
            "nvcc",
            "-std=c++17",
            "-arch=sm_80",
            stand_in,
            declared,
            "-I.",
            *flags,
            *mode,
            unit.name,
        ],
        cwd=unit.parent,
        capture_output=True,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


@contextlib.contextmanager
def scratch(case: Case, folder: Path, *, fixed: bool) -> Iterator[Path]:
    """Give a folder with the originals of a case, fixed or not, under their own names."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in case.originals:
        source = case.fixed(path) if fixed and case.fixed(path).exists() else path
        shutil.copy(source, folder / path.name)
    yield folder
