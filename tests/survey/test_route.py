"""The decision tree: each reason to take or leave a way, from generated projects."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from needs import need_gxx

from fastpt_lab.core.errors import ConfigError
from fastpt_lab.core.survey import Fit, Route, StackFacts, Survey
from fastpt_lab.host.project import Project
from fastpt_lab.survey.survey import survey

READY = StackFacts(
    dtk="25.04.2", torch="2.5.1+das.opt1.dtk25042", torch_hip="6.3.25211", fastpt="2.0.1"
)
KERNEL = (
    "#include <cuda_runtime.h>\n"
    "__global__ void add(float* x, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] += 1.f;\n}\n"
    "void run(float* x, int n) { add<<<(n + 255) / 256, 256>>>(x, n); cudaDeviceSynchronize(); }\n"
)
SETUP = (
    "from setuptools import setup\n"
    "from torch.utils.cpp_extension import BuildExtension, CUDAExtension\n"
    "setup(name='adder', ext_modules=[CUDAExtension('adder._C', ['add.cu'], "
    "extra_compile_args={{'nvcc': ['-O3', '{std}']}}, extra_link_args=['{link}'])])\n"
)


def project(folder: Path, files: dict[str, str]) -> Project:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Project(folder.resolve())


def advice(folder: Path, files: dict[str, str], facts: StackFacts = READY) -> Survey:
    return survey(project(folder, files), stack_facts=facts)


def plain(std: str = "-std=c++17", link: str = "-lm") -> dict[str, str]:
    return {"add.cu": KERNEL, "setup.py": SETUP.format(std=std, link=link)}


def test_a_plain_extension_is_built_without_transcoding(tmp_path: Path) -> None:
    route = advice(tmp_path, plain()).route
    assert route.route is Route.GPUFUSION
    assert [step.answer for step in route.steps] == ["yes", "no", "no", "yes", "no"]
    assert any("source fastpt -C" in line for line in route.todo)
    assert {option.route for option in route.options} == {Route.GPUFUSION, Route.TRANSCODE}


def test_nothing_to_do_is_said(tmp_path: Path) -> None:
    found = advice(tmp_path, {"a.cpp": "int main() { return 0; }\n", "b.py": "print(1)\n"})
    assert found.route.route is Route.NOTHING_TO_DO
    assert found.route.todo == ()
    assert "no kernel" in found.route.why


def test_a_project_without_any_source_has_nothing_to_do(tmp_path: Path) -> None:
    assert advice(tmp_path, {"readme.md": "hello\n"}).route.route is Route.NOTHING_TO_DO


def test_a_hip_project_has_nothing_to_do(tmp_path: Path) -> None:
    text = "#include <hip/hip_runtime.h>\nhipError_t f() { return hipDeviceSynchronize(); }\n"
    assert advice(tmp_path, {"a.cpp": text}).route.route is Route.NOTHING_TO_DO


RULED_OUT = {
    "cutlass": ({"gemm.cu": KERNEL + '#include "cutlass/gemm/device/gemm.h"\n'}, "hytlass"),
    "thc": ({"old.cu": KERNEL + "#include <THC/THCAtomics.cuh>\n"}, "Atomic.cuh"),
    "package-nvidia": ({"requirements.txt": "torch\nnvidia-cublas-cu12==12.1\n"}, "--no-deps"),
}


@pytest.mark.parametrize("feature", RULED_OUT)
def test_a_feature_rules_it_out(tmp_path: Path, feature: str) -> None:
    more, remedy = RULED_OUT[feature]
    found = advice(tmp_path, {**plain(), **more})
    assert found.route.route is Route.TRANSCODE
    assert [f.id for f in found.features if f.gpufusion is Fit.BLOCKED] == [feature]
    rule = next(f for f in found.features if f.id == feature)
    assert rule.reason in found.route.why
    assert remedy in rule.remedy
    assert any(rule.title in line for line in found.route.change), (
        "what would change the advice"
    )
    assert rule.places[0].path.name in more


@need_gxx
def test_a_prebuilt_nvidia_library_rules_it_out(tmp_path: Path) -> None:
    source = 'extern "C" void __cudaRegisterFatBinary(void*); void f() { __cudaRegisterFatBinary(0); }'
    subprocess.run(
        ["g++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(tmp_path / "libdense.so")],
        input=source, text=True, check=True,
    )  # fmt: skip
    found = advice(tmp_path, plain())
    assert found.route.route is Route.TRANSCODE
    assert "CUDAHooks" in found.route.why


def test_a_library_without_nvidia_code_does_not(tmp_path: Path) -> None:
    (tmp_path / "libhost.so").write_bytes(b"\x7fELF" + bytes(60) + b"plain")
    assert advice(tmp_path, plain()).route.route is Route.GPUFUSION


CHANGES = {
    "static-cudart": plain(link="-lcudart_static"),
    "old-standard": plain(std="-std=c++14"),
    "arch-hides-host": {
        **plain(),
        "hd.cuh": "#ifdef __CUDA_ARCH__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n",
    },
}


@pytest.mark.parametrize("feature", CHANGES)
def test_a_small_change_first(tmp_path: Path, feature: str) -> None:
    found = advice(tmp_path, CHANGES[feature])
    assert found.route.route is Route.GPUFUSION_AFTER_CHANGES
    (changed,) = [f for f in found.features if f.gpufusion is Fit.CHANGE]
    assert changed.id == feature
    assert changed.reason in found.route.why
    assert any(changed.remedy in line for line in found.route.todo)
    assert changed.places


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            StackFacts(dtk="25.04.2", torch="2.5.1", fastpt="1.3"),
            "FastPT 1.3 is older than 2.0",
        ),
        (StackFacts(dtk="24.04.3", torch="2.5.1", fastpt="2.0"), "DTK 24.04.3 is older"),
        (StackFacts(dtk="25.04.2", torch="2.1.0", fastpt="2.0"), "torch 2.1.0 is older"),
    ],
)
def test_an_old_stack_transcodes(tmp_path: Path, facts: StackFacts, words: str) -> None:
    found = advice(tmp_path, plain(), facts)
    assert found.route.route is Route.TRANSCODE
    assert words in found.route.why


def test_an_unknown_stack_is_said_and_not_guessed(tmp_path: Path) -> None:
    found = advice(tmp_path, plain(), StackFacts())
    assert found.route.route is Route.GPUFUSION
    assert next(s for s in found.route.steps if "FastPT" in s.question).answer == "unknown"
    assert found.route.todo[0].startswith("Find out first")
    assert any("transcode if" in line for line in found.route.change)


def test_the_users_list_comes_first(tmp_path: Path) -> None:
    (tmp_path / "fastpt-tables.toml").write_text(
        '[[adapted]]\nproject = "Adder*"\nwhere = "branch dtk of our mirror"\nnote = "by Li"\n'
    )
    found = advice(tmp_path, {**plain(), **RULED_OUT["cutlass"][0]})
    assert found.route.route is Route.ADAPTED
    assert found.route.todo == ("Use branch dtk of our mirror",)


def test_the_user_can_change_what_a_feature_means(tmp_path: Path) -> None:
    (tmp_path / "fastpt-tables.toml").write_text(
        '[[feature]]\nid = "cutlass"\ntitle = "CUTLASS"\ninclude = ["cutlass/"]\n'
        'effort = "review"\ngpufusion = "works"\nreason = "hytlass stands in its place here"\n'
    )
    found = advice(tmp_path, {**plain(), **RULED_OUT["cutlass"][0]})
    assert found.route.route is Route.GPUFUSION


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("[[feature]]\nid = 'x'\n", "needs 'title'"),
        ("[[stack]]\ndtk = '1'\ncolour = 'red'\n", "no key 'colour'"),
        ("[[wishes]]\na = 1\n", "no table"),
        ("[[adapted]\n", "fastpt-tables.toml"),
        (
            (
                "[[node]]\nid = 'cuda'\nquestion = '?'\nfact = 'luck'\nyes = '=adapted'\n"
                "no = '=adapted'\nunknown = '=adapted'\n"
            ),
            "luck",
        ),
    ],
)
def test_a_wrong_table_is_refused_with_its_place(
    tmp_path: Path, table: str, words: str
) -> None:
    (tmp_path / "fastpt-tables.toml").write_text(table)
    with pytest.raises(ConfigError, match=words):
        advice(tmp_path, plain())
