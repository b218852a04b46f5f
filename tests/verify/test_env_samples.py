"""Every recorded output gives its documented finding; no damaged one gives a good report."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastpt_lab.verify.parsers.collect_env import parse_collect_env
from fastpt_lab.verify.parsers.fastpt import parse_fastpt
from fastpt_lab.verify.parsers.hipcc import parse_hipcc
from fastpt_lab.verify.parsers.hipconfig import parse_hipconfig
from fastpt_lab.verify.parsers.ldd import parse_ldd
from fastpt_lab.verify.parsers.messages import parse_message
from fastpt_lab.verify.parsers.rocminfo import parse_rocminfo
from fastpt_lab.verify.parsers.smi import parse_smi
from fastpt_lab.verify.parsers.smi_processes import parse_processes
from fastpt_lab.verify.parsers.versions import parse_wheel

SAMPLES = Path(__file__).parents[1] / "fixtures" / "env"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.txt"))
MIB = 1024 * 1024


def sample(name: str) -> str:
    """The output itself: the first line of the file says where it comes from."""
    return (SAMPLES / f"{name}.txt").read_text("utf-8").split("\n", 1)[1]


@pytest.mark.parametrize(
    ("name", "isa", "count", "kind", "memory_mib", "bus"),
    [
        ("rocminfo_ok_gfx906_dcu", "gfx906:sramecc+:xnack-", 1, "GPU", 32752, "04:00.0"),
        ("rocminfo_ok_gfx906_amd", "gfx906:sramecc+:xnack-", 1, "GPU", 16368, "2f:00.0"),
        ("rocminfo_ok_gfx936_dcu", "gfx936:sramecc+:xnack-", 2, "HCU", 65520, "09:00.0"),
    ],
)
def test_rocminfo_lists_devices(
    name: str, isa: str, count: int, kind: str, memory_mib: int, bus: str
) -> None:
    info = parse_rocminfo(sample(name))
    assert (info.module_loaded, info.complete, info.refusal) == (True, True, None)
    assert len(info.devices) == count
    first = info.devices[0]
    assert (first.isa, first.device_type, first.wavefront) == (isa, kind, 64)
    assert first.memory_bytes == memory_mib * MIB
    assert first.bus == bus


@pytest.mark.parametrize(
    ("name", "kind", "loaded"),
    [
        ("rocminfo_no_permission", "no-permission", True),
        ("rocminfo_invalid_argument", "invalid-argument", True),
        ("rocminfo_no_device_node", "no-node", True),
        ("rocminfo_no_module", "no-module", False),
        ("rocminfo_hsa_out_of_resources", "no-resources", True),
    ],
)
def test_rocminfo_says_why_not(name: str, kind: str, loaded: bool) -> None:
    info = parse_rocminfo(sample(name))
    assert info.refusal is not None
    assert (info.refusal.kind, info.module_loaded, info.devices) == (kind, loaded, ())
    assert "\x1b" not in info.refusal.message


def test_hy_smi_tables_by_column_name() -> None:
    z100 = parse_smi(sample("rocmsmi_table_z100"))
    assert [(c.busy, c.memory, c.temperature, c.performance) for c in z100] == [
        (0.0, 0.0, 44.0, "manual")
    ] * 2
    dtk24 = parse_smi(sample("hysmi_table_dtk24"))
    assert [(c.temperature, c.busy) for c in dtk24] == [(49.0, 0.0), (48.0, 0.0)]
    dtk26 = parse_smi(sample("hysmi_table_dtk26"))
    assert [(c.memory, c.busy) for c in dtk26] == [(0.0, 0.0), (0.0, 0.0), (92.0, 81.7)]


def test_not_available_is_not_zero() -> None:
    assert [card.busy for card in parse_smi(sample("hysmi_table_na"))] == [None, None]


def test_smi_json_in_mib_and_in_bytes() -> None:
    dcu = parse_smi("WARNING: something\n" + sample("hysmi_json"))
    assert [(c.total_bytes, c.used_bytes, c.busy) for c in dcu] == [
        (65520 * MIB, 2 * MIB, 0.0),
        (65520 * MIB, 60278 * MIB, 81.7),
    ]
    (amd,) = parse_smi(sample("rocmsmi_json_amd"))
    assert (amd.total_bytes, amd.used_bytes) == (17163091968, 11849728)


def test_smi_text_lines() -> None:
    (card,) = parse_smi(sample("hysmi_showmeminfo_text"))
    assert (card.series, card.total_bytes, card.used_bytes) == ("K100_AI", 65520 * MIB, 3 * MIB)


def test_smi_processes() -> None:
    found = parse_processes(sample("rocmsmi_pids"))
    assert [(p.pid, p.name, p.memory_bytes) for p in found.processes] == [
        (1001, "python3", 302239744),
        (1002, "ray::worker", None),
    ]
    idle = parse_processes("KFD process information:\nNo KFD PIDs currently running\n")
    assert idle.known
    assert idle.processes == ()
    assert not parse_processes("command not understood").known


@pytest.mark.parametrize(
    ("name", "release", "compiler", "version", "folder"),
    [
        ("hipcc_version_debian", (5, 2), "clang", "15.0.6", "/usr/bin"),
        ("hipcc_version_dtk2504", (6, 3), "clang", "15.0.0", "/opt/dtk-25.04.2/llvm/bin"),
        ("hipcc_version_dtk26", (6, 3), "clang", "17.0.0", "/opt/dtk-26.04/llvm/bin"),
        ("hipcc_version_nvidia_platform", (5, 2), "nvcc", "", ""),
    ],
)
def test_hipcc_version(
    name: str, release: tuple[int, int], compiler: str, version: str, folder: str
) -> None:
    found = parse_hipcc(sample(name))
    assert (found.release, found.compiler) == (release, compiler)
    assert (found.compiler_version, found.installed_dir) == (version, folder)
    assert found.dcc == ("25.10.0-0" if name.endswith("dtk26") else "")


def test_hipconfig() -> None:
    found = parse_hipconfig(sample("hipconfig_full_debian"))
    assert (found.version, found.platform, found.rocm_path) == ("5.2.21153-0", "amd", "/usr")
    assert "__HIP_PLATFORM_HCC__" in found.cpp_config


def test_ldd() -> None:
    missing = parse_ldd(sample("ldd_not_found"))
    assert missing.missing == ("libc10_cuda.so", "libgalaxyhip.so.5", "libtorch_cuda.so")
    assert [v.version for v in missing.wrong_versions] == ["GLIBCXX_3.4.30", "hip_6.0"]
    version = parse_ldd(sample("ldd_hip_symbol_version"))
    assert [(v.library, v.version) for v in version.wrong_versions] == [
        ("/lib/x86_64-linux-gnu/libamdhip64.so.5", "hip_9.9")
    ]
    assert parse_ldd(sample("ldd_r_undefined")).undefined == (
        "_Z6ext_fnRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    )
    assert len(parse_ldd(sample("ldd_ok_dtk")).libraries) == 10


def test_collect_env() -> None:
    dcu = parse_collect_env(sample("collect_env_hip_dcu"))
    assert (dcu.build, dcu.hip, dcu.available) == ("hip", "6.3.25211", True)
    assert parse_wheel(dict(dcu.packages)["torch"]).dtk == "25.04.1"
    cpu = parse_collect_env(sample("collect_env_cpu"))
    assert (cpu.build, cpu.cuda, cpu.runtime_cuda) == ("cpu", "", "13.0.88")


def test_fastpt() -> None:
    good = parse_fastpt(sample("fastpt_C_ok"))
    assert (good.dtk, good.matches, good.cuda_active) == ("25.04.2", True, True)
    bad = parse_fastpt(sample("fastpt_E_mismatch"))
    assert (bad.dtk, bad.required_dtk, bad.matches) == ("25.04.4", "25.04.2", False)


def test_every_import_error_has_cause_and_step() -> None:
    found = [parse_message(line) for line in sample("import_errors").splitlines()]
    assert [(f.kind, f.subject) if f else None for f in found] == [
        ("missing-library", "libgalaxyhip.so.5"),
        ("missing-library", "libc10_cuda.so"),
        ("symbol-version", "hip_4.2"),
        ("undefined-symbol", "_ZN3c105ErrorC1ENS_14SourceLocationERKSs"),
        ("undefined-symbol", "_ZNK3c1010TensorImpl27throw_data_ptr_access_errorEv"),
        ("symbol-version", "GLIBCXX_3.4.30"),
        ("no-kernel-image", ""),
        ("no-kernel-image", ""),
        ("no-kernel-image", ""),
        ("memory-fault", ""),
        ("memory-fault", ""),
        ("out-of-memory", ""),
        ("torch-without-device", ""),
    ]
    assert all(f and f.cause and f.next_step for f in found)
    assert found[3] is not None
    assert "old C++ ABI" in found[3].cause


@pytest.mark.parametrize(
    ("symbol", "word"),
    [
        ("_ZN3c105ErrorC1ENS_14SourceLocationERKSs", "old C++ ABI"),
        ("_ZN2at4_ops3add4callERKNS_6TensorES4_RKN3c106ScalarE", "version of torch"),
        ("hipLaunchKernel", "HIP runtime"),
        ("__hipRegisterFatBinary", "HIP runtime"),
        ("cudaMalloc", "CUDA"),
        ("__cudaRegisterFatBinary", "CUDA"),
        ("_Z6ext_fnRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", "new C++ ABI"),
        ("_ZN2tl5checkERKSs", "old C++ ABI"),
        ("rsmi_init", "management library"),
        ("_Z10launch_incPfi", "own"),
    ],
)
def test_symbols_are_classed(symbol: str, word: str) -> None:
    found = parse_message(f"ImportError: ./ext.so: undefined symbol: {symbol}")
    assert found is not None
    assert word in found.cause


@pytest.mark.parametrize(
    ("version", "dtk", "torch", "abi"),
    [
        ("2.5.1+das.opt1.dtk25042", "25.04.2", "", None),
        ("2.1.0+das1.0+git00661e0.abi0.dtk2404", "24.04", "", 0),
        ("1.13.1+git7d2dd01.abi0.dtk2310", "23.10", "", 0),
        ("0.0.33+das.opt1.dtk2604.torch251", "26.04", "251", None),
        ("2.9.0+das.opt1.dtk2604.2605281139.gd0fc8c", "26.04", "", None),
        ("2.13.0+cpu", "", "", None),
    ],
)
def test_wheel_versions(version: str, dtk: str, torch: str, abi: int | None) -> None:
    tag = parse_wheel(version)
    assert (tag.dtk, tag.torch, tag.abi) == (dtk, torch, abi)


def parse_all(text: str) -> list[object]:
    """Give one text to every parser, as a wrong tool on PATH would."""
    return [
        parse(text)
        for parse in (
            parse_rocminfo,
            parse_smi,
            parse_processes,
            parse_hipcc,
            parse_hipconfig,
            parse_ldd,
            parse_collect_env,
            parse_fastpt,
            parse_message,
        )
    ]


@pytest.mark.parametrize("name", NAMES)
def test_colours_and_windows_line_ends_change_nothing(name: str) -> None:
    text = sample(name)
    dressed = "".join(f"\x1b[33m{line}\x1b[0m\r\n" for line in text.splitlines())
    plain = "".join(f"{line}\n" for line in text.splitlines())
    assert parse_all(dressed) == parse_all(plain)


@given(name=st.sampled_from(NAMES), cut=st.floats(0, 1), noise=st.binary(max_size=40))
@settings(max_examples=300, deadline=None)
def test_cut_and_damaged_output_never_crashes(name: str, cut: float, noise: bytes) -> None:
    text = sample(name)
    place = int(len(text) * cut)
    parse_all(text[:place])
    parse_all(text[:place] + noise.decode("latin-1") + text[place:])


@given(text=st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_is_no_good_news(text: str) -> None:
    info = parse_rocminfo(text)
    assert not (info.devices and info.complete) or "gfx" in text
    assert parse_hipcc(text).release is None or "HIP version" in text
    assert not parse_ldd(text).recognised or "0x" in text or "ynamic" in text
    assert parse_fastpt(text).matches is not True
