"""Whatever is in a file, a survey reads it: no text makes it fail, and no word outside code counts."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from survey_reading import snippets, unit_of

from fastpt_lab.core.survey import StackFacts
from fastpt_lab.core.text import Document
from fastpt_lab.survey.arch_guard import hidden_from_host
from fastpt_lab.survey.branches import conditions, passes_of
from fastpt_lab.survey.entry_points import bindings, cpp_lints, entry_points
from fastpt_lab.survey.inventory import Finder, own_names, uses_of
from fastpt_lab.survey.libraries import build_facts
from fastpt_lab.survey.python_source import python_lints, python_tree
from fastpt_lab.survey.tables import load_tables
from fastpt_lab.survey.wavefront import prover, wavefront_lints

FINDER = Finder.of(load_tables(Path("/nowhere")))
PIECES = st.sampled_from(
    [
        "__global__ void k(", "__device__ ", "template <typename T, int N>", "float* x", ") {", "}",
        "int n = ", "__ballot_sync(0xffffffff, ", "__shfl_down_sync(m, v, ", "__popc(", ")", ";",
        "threadIdx.x", " % 32", " & 31", " >> 5", "warpSize", "[32]", "[", "]", "for (int o = 16; ",
        "o > 0; ", "o >>= 1)", "\n#if CUDA_VERSION >= 9000\n", "\n#else\n", "\n#endif\n",
        "\n#define WARP 32\n", "\n#define F(a) __any(a) \\\n + 1\n", "<<<1, ", ">>>", "(", "{", ",",
        "/* 中文 */", "// end\n", '"text"', "R\"(raw)\"", "'c'", "asm(\"\")", "x[0]", "1u << ",
        "__shared__ float s", "return ", "if (", "while (", "namespace a {", "\r\n", "\\\n", "=",
        "#include <cub/cub.cuh>\n", "m.def(\"f\", &f);", "torch::Tensor f(torch::Tensor x) {",
        "__CUDA_ARCH__", "defined(", "?", ":", "::", "1e9f", "0x", "\x00"[:0], "<", ">",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(PIECES, max_size=60).map("".join),
    st.text(max_size=200),
    st.builds(
        lambda pair, cut, more: pair[1][:cut] + more + pair[1][cut:],
        st.sampled_from(snippets("wave_wrong.cu") + snippets("wave_harmless.cu")),
        st.integers(0, 400),
        PIECES,
    ),
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS)
def test_every_question_has_an_answer_for_any_text(text: str) -> None:
    unit = unit_of(text)
    uses_of(unit, FINDER, own_names(unit))
    found = wavefront_lints(unit, {}, emulate=prover(unit, {}))
    for lint in found:
        place = lint.diagnostic.location
        assert place is not None
        assert unit.document.slice(place.range)
    passes = passes_of(StackFacts())
    list(conditions(unit.path, unit.document, unit.live, passes))
    list(hidden_from_host(text))
    list(cpp_lints(entry_points([unit], bindings([unit]))))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_build_files_and_python_take_any_text(text: str) -> None:
    document = Document(text)
    for name in (
        "setup.py",
        "CMakeLists.txt",
        "pyproject.toml",
        "setup.cfg",
        "requirements.txt",
    ):
        build_facts(Path("/p") / name, document)
    tree = python_tree(document)
    if tree is not None:
        python_lints(Path("/p/a.py"), document, tree)
