from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import posixpath
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import need_hipcc, need_torch

from fastpt_lab.core.errors import ConfigError, ToolMissingError
from fastpt_lab.transcode.custom import FILE_NAME, load_custom
from fastpt_lab.transcode.gaps import GAPS, OLDER_HEADERS, OLDER_WORDS
from fastpt_lab.transcode.headerindex import absent_names, load_index
from fastpt_lab.transcode.includes import Resolver, relative_path
from fastpt_lab.transcode.installed import find_hipify, find_include_root
from fastpt_lab.transcode.mapping import load_tables
from fastpt_lab.transcode.names import base_name_variant, hip_path

NAMES = [
    ("a.cu", "a.hip"),
    ("a.cuh", "a_hip.cuh"),
    ("fused_adam_cuda_kernel.cu", "fused_adam_hip_kernel.hip"),
    ("CUDA_x.cuh", "HIP_x.cuh"),
    ("src/cuda/a.cpp", "src/hip/a.cpp"),
    ("src/cuda/a_cuda.h", "src/hip/a_hip.h"),
    ("csrc/THC/THCx.h", "csrc/THH/THHx.h"),
    ("csrc/Cuda/a.h", "csrc/Cuda/a_hip.h"),
    ("csrc/a.cu.in", "csrc/a.cu_hip.in"),
    ("csrc/a.CU", "csrc/a_hip.CU"),
    ("barracuda/a.h", "barrahip/a.h"),
]


@pytest.mark.parametrize(("original", "output"), NAMES)
def test_names_of_outputs(original: str, output: str) -> None:
    assert hip_path(original) == output


def test_the_variant_of_the_field_keeps_the_base_name() -> None:
    assert base_name_variant("csrc/fused_dense_cuda.cu") == "csrc/fused_dense_cuda.hip"
    assert base_name_variant("a.h") == "a.h"


WORDS = st.lists(
    st.sampled_from(["cuda", "CUDA", "THC", "a", "_", "Cuda", "hip", "core", "caffe2"]),
    min_size=1,
    max_size=3,
).map("".join)


@need_torch
@settings(deadline=None)
@given(
    st.lists(WORDS, max_size=3), WORDS, st.sampled_from([".cu", ".cuh", ".h", ".cpp", ".in"])
)
def test_names_are_torchs_own(folders: list[str], stem: str, suffix: str) -> None:
    path = posixpath.join(*folders, stem + suffix) if folders else stem + suffix
    assert hip_path(path) == torchs_hipify().get_hip_file_path(path, True)


def torchs_hipify():  # noqa: ANN201 - a foreign module
    name = "_hipify_under_test"
    if name not in sys.modules:
        folder = find_hipify()
        spec = importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return importlib.import_module(name + ".hipify_python")


@need_torch
def test_every_identifier_of_torchs_table_is_used(tmp_path: Path) -> None:
    tables = load_tables(tmp_path)
    theirs = torchs_hipify().PYTORCH_MAP
    words = {
        name: target
        for name, target in theirs.items()
        if name.isidentifier() and "/" not in target
    }
    assert len(words) > 3000
    assert {name: tables.words[name] for name in words} == words
    assert load_tables(tmp_path) == tables, "the cached tables are the same"


V1_MAPPINGS = """
import collections
from .constants import *
CUDA_IDENTIFIER_MAP = collections.OrderedDict([
    ("cudaMalloc", ("hipMalloc", CONV_MEM, API_RUNTIME)),
    ("getCurrentCUDAStream", ("getCurrentHIPStreamMasqueradingAsCUDA", API_PYTORCH)),
    ("cusparseX", ("hipsparseX", CONV_MATH_FUNC, API_BLAS)),
    ("<nccl.h>", ("<rccl.h>", CONV_INCLUDE)),
    ('include <cuda.h', ('include <hip/hip_runtime.h', CONV_INCLUDE)),
    ("only_caffe2", ("hip/only_caffe2", API_CAFFE2)),
])
CUDA_SPECIAL_MAP = collections.OrderedDict([("cusparseX", ("rocsparseX", API_SPECIAL))])
CUDA_TO_HIP_MAPPINGS = [CUDA_IDENTIFIER_MAP, CUDA_SPECIAL_MAP]
"""
V1_CONSTANTS = "\n".join(
    f"{name} = {number}"
    for number, name in enumerate(
        ("CONV_MEM", "CONV_INCLUDE", "CONV_MATH_FUNC", "API_RUNTIME", "API_BLAS", "API_SPECIAL",
         "API_PYTORCH", "API_CAFFE2")
    )
)  # fmt: skip


def test_the_tables_of_an_older_torch(tmp_path: Path) -> None:
    (tmp_path / "cuda_to_hip_mappings.py").write_text(V1_MAPPINGS)
    (tmp_path / "constants.py").write_text(V1_CONSTANTS)
    tables = load_tables(None, tmp_path)
    assert tables.version == ""
    assert tables.words["cudaMalloc"] == "hipMalloc"
    assert tables.words["getCurrentCUDAStream"] == "getCurrentHIPStreamMasqueradingAsCUDA"
    assert tables.words["cusparseX"] == "hipsparseX"
    assert "only_caffe2" not in tables.words
    assert tables.angle_headers["nccl.h"] == "rccl.h"
    assert tables.headers["cuda.h"] == "hip/hip_runtime.h"


def test_a_mapping_module_of_no_known_kind_is_told(tmp_path: Path) -> None:
    (tmp_path / "cuda_to_hip_mappings.py").write_text("X = 1\n")
    with pytest.raises(ConfigError):
        load_tables(None, tmp_path)


def test_no_torch_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [importlib.machinery.PathFinder])
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(ToolMissingError, match="torch is not installed"):
        find_hipify()


def test_every_gap_has_its_source_and_says_something_new() -> None:
    assert all(gap.source and gap.hip and gap.cuda != gap.hip for gap in GAPS)
    assert len({(gap.shape, gap.cuda) for gap in GAPS}) == len(GAPS)
    targets = {gap.hip for gap in GAPS}
    assert {name for name in OLDER_HEADERS if name not in targets} <= {"hip/hip_bf16.h"}
    assert all(old != new for old, new in OLDER_WORDS.items())


@need_hipcc
def test_the_index_knows_what_is_installed(tmp_path: Path) -> None:
    root = find_include_root()
    assert root is not None
    index = load_index(root, tmp_path)
    assert {"hipMalloc", "hipStream_t", "__shfl_xor"} <= index.names
    assert not index.lacks("hipMalloc")
    assert index.lacks("hipMallocOfNoVersion")
    assert not index.lacks("unrelated_name")
    assert load_index(root, tmp_path) == index
    absent = absent_names(
        index, frozenset({"hipMalloc", "hipNever"}), ("__shfl_xor", "__no_such")
    )
    assert absent == {"hipNever": "", "__no_such": ""}


def test_an_index_is_made_anew_when_the_headers_change(tmp_path: Path) -> None:
    root = tmp_path / "include"
    (root / "hip").mkdir(parents=True)
    (root / "hip" / "hip_runtime.h").write_text("int hipOne();")
    first = load_index(root, tmp_path / "cache")
    (root / "hip" / "more.h").write_text("int hipTwo();")
    os.utime(root / "hip", (1, 1))
    assert load_index(root, tmp_path / "cache").names - first.names == {"hipTwo"}


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("a/b.h", "", "a/b.h"),
        ("a/b.h", "a", "b.h"),
        ("a/hip/b.h", "a/cuda", "../hip/b.h"),
        ("b.h", "a/c", "../../b.h"),
        ("a/b.h", "a/b.h/c", "../../b.h"),
    ],
)
def test_relative_paths(path: str, folder: str, expected: str) -> None:
    assert relative_path(path, folder) == expected
    assert posixpath.normpath(posixpath.join(folder or ".", expected)) == path


def test_the_first_folder_wins_and_quotes_look_beside_first() -> None:
    files = ["a/x.h", "b/x.h", "src/x.h", "src/deep/y.h", "c/z.h"]
    resolver = Resolver(files, ["a", "b"], guess=False)
    assert resolver.find("src/k.cu", "x.h", angled=False).path == "src/x.h"  # type: ignore[union-attr]
    assert resolver.find("src/k.cu", "x.h", angled=True).path == "a/x.h"  # type: ignore[union-attr]
    assert resolver.find("src/k.cu", "deep/../x.h", angled=False).path == "src/x.h"  # type: ignore[union-attr]
    assert resolver.find("src/k.cu", "z.h", angled=False) is None
    assert Resolver(files, [], guess=True).find("src/k.cu", "z.h", angled=False) is not None


def test_nearer_mapping_files_win_and_later_ones_are_told(tmp_path: Path) -> None:
    for folder, target in (("near", "one"), ("far", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / FILE_NAME).write_text(json.dumps({"custom_map": {"x": target}}))
    custom = load_custom([tmp_path / "near", tmp_path / "far"])
    assert custom.for_file("a.cu") == {"x": "one"}
    assert any("shadowed" in remark for remark in custom.remarks)


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"custom_map": []}', '{"custom_map": {"x": 1}}', '{"custom_map": {"": "y"}}',
     '{"custom_map": {"x": {"to": 1}}}', '{"custom_map": {"x": {"to": "y", "scope": [1]}}}'],
)  # fmt: skip
def test_a_mapping_that_means_nothing_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    with pytest.raises(ConfigError):
        load_custom([tmp_path])
