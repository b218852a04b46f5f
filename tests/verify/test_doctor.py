"""The doctor, layer by layer, on made-up machines: every pass and every fail, end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from needs import need_hipcc, need_nvcc, need_torch
from verify.bench import Bench, sample

from fastpt_lab.core.check import Check, CheckStatus
from fastpt_lab.core.errors import UnknownNameError
from fastpt_lab.verify.layers import LAYERS, QUESTIONS, doctor, failed

OK, WARN, FAIL, SKIP, UNKNOWN = CheckStatus


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def torch_record(**changes: object) -> str:
    """What the child says of a HIP torch for DTK 25.04.2 and gfx936."""
    packages = {"torch": "2.5.1+das.opt1.dtk25042", "numpy": "1.26.4"}
    facts: dict[str, object] = {
        "step": "imported",
        "seconds": 2.0,
        "version": "2.5.1",
        "hip": "6.3.25211",
        "cuda": None,
        "git": "00661e0",
        "abi": 1,
        "architectures": ["gfx928", "gfx936"],
        "folder": "/usr/lib/python3/torch",
        "python": "3.10.12",
        "libraries": ["/usr/lib/torch/lib/libc10_hip.so", "/opt/dtk/hip/lib/libgalaxyhip.so.5"],
    }
    packages.update(changes.pop("packages", {}))  # type: ignore[call-overload]
    facts.update(changes)
    found = {"step": "found", "origin": "/usr/lib/python3/torch/__init__.py"}
    records = [
        {**found, "packages": packages},
        facts,
        {"step": "count", "devices": 2, "available": True},
        {"step": "device", "name": "BW", "arch": "gfx936"},
        {"step": "allocated", "value": 1.0},
        {"step": "computed", "right": True},
    ]
    return "".join(f"\x1e{json.dumps(record)}\n" for record in records)


def statuses(checks: dict[str, Check]) -> dict[str, CheckStatus]:
    return {name: check.status for name, check in checks.items()}


def test_good_device_layer(bench: Bench) -> None:
    bench.device()
    checks = bench.doctor(layer="device")
    assert set(statuses(checks).values()) == {OK}
    assert "2 found: gfx936:sramecc+:xnack-, HCU BW" in checks["device-agents"].observed
    assert "65,518 of 65,520 MiB free" in checks["device-memory"].observed
    assert "BW100" in checks["device-arch"].observed


@pytest.mark.parametrize(
    ("name", "word", "step"),
    [
        ("rocminfo_no_permission", "Permission denied", "id -G"),
        ("rocminfo_invalid_argument", "Invalid argument", "--device=/dev/kfd"),
        ("rocminfo_no_device_node", "No such file", "--device=/dev/kfd"),
        ("rocminfo_no_module", "NOT loaded", "modprobe"),
        ("rocminfo_hsa_out_of_resources", "Cannot allocate memory", "dmesg"),
    ],
)
def test_rocminfo_refused(bench: Bench, name: str, word: str, step: str) -> None:
    bench.device()
    bench.tool("rocminfo", sample(name), 1)
    check = bench.doctor(only="device-agents")["device-agents"]
    assert check.status is FAIL
    assert word in check.observed
    assert step in check.next_step
    assert check.why
    assert check.evidence[0].returncode == 1


def test_cut_listing_is_not_ok(bench: Bench) -> None:
    bench.device()
    whole = sample("rocminfo_ok_gfx936_dcu")
    for cut in range(0, len(whole) - 20, 997):
        bench.tool("rocminfo", whole[:cut])
        assert bench.doctor(only="device-agents")["device-agents"].status is not OK, cut


def test_cpu_only_listing_is_no_device(bench: Bench) -> None:
    bench.device()
    text = sample("rocminfo_ok_gfx906_dcu")
    bench.tool(
        "rocminfo", text[: text.index("*******", text.index("Agent 1") + 40)] + "*** Done ***"
    )
    check = bench.doctor(only="device-agents")["device-agents"]
    assert (check.status, "CPUs only" in check.observed) == (FAIL, True)


def test_hanging_tool_is_unknown(bench: Bench) -> None:
    bench.device()
    bench.script("rocminfo", "sleep 60\n")
    checks = doctor(
        only="device-agents",
        env=bench.env,
        root=bench.project,
        timeout=0.5,
        system=bench.system,
    )
    assert checks[0].status is UNKNOWN
    assert "did not end within 0.5 s" in checks[0].observed


def test_closed_node(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.device()
    # Root may open anything, so the answer of the system is stood in for.
    monkeypatch.setattr("os.access", lambda path, mode: not str(path).endswith("kfd"))
    check = bench.doctor(only="device-access")["device-access"]
    assert check.status is FAIL
    assert "/dev/kfd belongs to group" in check.observed


def test_container_without_devices(bench: Bench) -> None:
    bench.write("/.dockerenv")
    checks = bench.doctor(layer="device")
    assert checks["container"].status is FAIL
    assert checks["device-nodes"].status is FAIL
    assert "--device=/dev/mkfd" in checks["device-nodes"].next_step
    bench.device()
    bench.dtk()
    assert bench.doctor(only="container")["container"].status is WARN
    bench.write("/opt/hyhal/bin/hy-smi")
    assert bench.doctor(only="container")["container"].status is OK


@pytest.mark.parametrize(
    ("variables", "status"),
    [
        ({"HIP_VISIBLE_DEVICES": "0,1"}, OK),
        ({"HIP_VISIBLE_DEVICES": ""}, FAIL),
        ({"CUDA_VISIBLE_DEVICES": "-1"}, FAIL),
        ({"ROCR_VISIBLE_DEVICES": "5"}, FAIL),
        ({"HIP_VISIBLE_DEVICES": "0,7"}, WARN),
        ({"ROCR_VISIBLE_DEVICES": "1", "HIP_VISIBLE_DEVICES": "0"}, WARN),
        ({"ROCR_VISIBLE_DEVICES": "1", "HIP_VISIBLE_DEVICES": "1"}, FAIL),
    ],
)
def test_variables_that_hide(
    bench: Bench, variables: dict[str, str], status: CheckStatus
) -> None:
    bench.device()
    bench.env.update(variables)
    check = bench.doctor(only="visible-devices")["visible-devices"]
    assert check.status is status, check.observed


def test_override_of_the_architecture(bench: Bench) -> None:
    bench.device()
    bench.env["HSA_OVERRIDE_GFX_VERSION"] = "9.0.6"
    assert bench.doctor(only="device-arch")["device-arch"].status is WARN


def test_unknown_architecture_of_a_dcu(bench: Bench) -> None:
    bench.device()
    bench.tool("rocminfo", sample("rocminfo_ok_gfx936_dcu").replace("gfx936", "gfx999"))
    assert bench.doctor(only="device-arch")["device-arch"].status is UNKNOWN


def test_amd_card_of_the_same_name(bench: Bench) -> None:
    bench.device(rocminfo="rocminfo_ok_gfx906_amd")
    check = bench.doctor(only="device-arch")["device-arch"]
    assert (check.status, "DCU" in check.observed) == (OK, False)


@pytest.mark.parametrize(
    ("name", "status", "word"),
    [
        ("hysmi_json", WARN, "81.7 % busy"),
        ("hysmi_table_dtk26", WARN, "92 % of the memory used"),
        ("hysmi_table_dtk24", OK, "card 1"),
        ("rocmsmi_table_z100", OK, "card 0"),
        ("hysmi_table_na", UNKNOWN, "N/A is no zero"),
        ("rocmsmi_json_amd", OK, "MiB free"),
    ],
)
def test_idle_baseline(bench: Bench, name: str, status: CheckStatus, word: str) -> None:
    bench.tool("hy-smi", sample(name))
    check = bench.doctor(only="device-memory")["device-memory"]
    assert (check.status, word in check.observed) == (status, True), check.observed


def test_other_processes_are_named(bench: Bench) -> None:
    bench.device()
    pids = bench.folder / "pids.txt"
    pids.write_text(sample("rocmsmi_pids"), "utf-8")
    bench.script(
        "hy-smi",
        f'case "$*" in *showpids*) cat {pids};; *) cat {bench.folder}/idle.json;; esac\n',
    )
    check = bench.doctor(only="device-memory")["device-memory"]
    assert check.status is WARN
    assert "python3 (1001)" in check.observed


def test_failed_layer_blocks_those_above(bench: Bench) -> None:
    checks = bench.doctor()
    above = [check for check in checks.values() if check.layer != "device"]
    assert {check.status for check in above} == {SKIP}
    assert all("blocked by" in check.observed for check in above)
    assert "device-nodes" in checks["hipcc"].observed
    assert failed(checks.values())
    assert {check.layer for check in checks.values()} == set(LAYERS)


def test_unknown_gate_blocks(bench: Bench) -> None:
    bench.device()
    bench.tool("rocminfo", "something else entirely\n")
    checks = bench.doctor()
    assert checks["device-agents"].status is UNKNOWN
    assert checks["hipcc"].status is SKIP
    assert not failed([checks["device-agents"]])


def test_no_such_name(bench: Bench) -> None:
    with pytest.raises(UnknownNameError, match="Layers"):
        bench.doctor(layer="roof")
    with pytest.raises(UnknownNameError, match="Checks"):
        bench.doctor(only="roof")


def test_good_runtime_layer_but_for_the_probe(bench: Bench) -> None:
    bench.runtime()
    checks = bench.doctor(layer="runtime")
    probe = checks.pop("hip-probe")
    assert set(statuses(checks).values()) == {OK}, statuses(checks)
    assert "HIP 6.3.25211-0, clang 15.0.0" in checks["hipcc"].observed
    assert "DTK 25.04.2" in checks["dtk-roots"].observed
    assert probe.status is FAIL
    assert "error: no" in probe.observed


@pytest.mark.parametrize("hipcc", ["hipcc_version_dtk26", "hipcc_version_debian"])
def test_other_hipccs(bench: Bench, hipcc: str) -> None:
    bench.runtime(hipcc=hipcc)
    check = bench.doctor(only="hipcc")["hipcc"]
    assert check.status is OK
    assert ("dcc 25.10.0-0" in check.observed) == hipcc.endswith("dtk26")


def test_hipcc_of_another_kind(bench: Bench) -> None:
    assert bench.doctor(only="hipcc")["hipcc"].status is FAIL
    bench.tool("hipcc", "usage: hipcc\n")
    assert bench.doctor(only="hipcc")["hipcc"].status is UNKNOWN


def test_hipcc_chose_nvidia(bench: Bench) -> None:
    bench.runtime(hipcc="hipcc_version_nvidia_platform", platform="nvidia")
    bench.tool("nvcc", "nvcc: NVIDIA (R) Cuda compiler driver\n")
    checks = bench.doctor(layer="runtime")
    assert checks["hip-platform"].status is FAIL
    assert str(bench.tools / "nvcc") in checks["hip-platform"].observed
    assert bench.doctor(only="nvidia-tools")["nvidia-tools"].status is WARN


def test_platform_unknown_is_not_ok(bench: Bench) -> None:
    bench.runtime(platform="")
    bench.tool("hipcc", "HIP version: 7.0.1\n")
    assert bench.doctor(only="hip-platform")["hip-platform"].status is UNKNOWN


def test_two_roots(bench: Bench) -> None:
    bench.runtime()
    bench.dtk("24.04")
    bench.env["HIP_PATH"] = "/opt/dtk-24.04/hip"
    checks = bench.doctor(layer="runtime")
    assert checks["dtk-roots"].status is FAIL
    assert "HIP_PATH leads to /opt/dtk-24.04" in checks["dtk-roots"].observed
    assert "source /opt/dtk" in checks["dtk-roots"].next_step
    bench.env["LD_LIBRARY_PATH"] += ":/opt/dtk-24.04/lib"
    assert bench.doctor(only="library-path")["library-path"].status is FAIL


def test_variable_to_nowhere(bench: Bench) -> None:
    bench.runtime()
    bench.env["ROCM_PATH"] = "/opt/dtk-9"
    assert bench.doctor(only="dtk-roots")["dtk-roots"].status is FAIL


def test_env_script_not_sourced(bench: Bench) -> None:
    bench.dtk()
    check = bench.doctor(only="env-script")["env-script"]
    assert check.status is FAIL
    assert "source /opt/dtk/env.sh" in check.next_step
    bench.runtime()
    bench.env["LD_LIBRARY_PATH"] = "/opt/dtk/lib"
    check = bench.doctor(only="env-script")["env-script"]
    assert (check.status, "hip/lib" in check.observed) == (FAIL, True)


@pytest.mark.parametrize(
    ("entries", "word"),
    [(":/opt/dtk/lib", "current folder"), ("/opt/dtk/lib:/nowhere", "no folder /nowhere")],
)
def test_library_path_entries(bench: Bench, entries: str, word: str) -> None:
    bench.dtk()
    bench.env["LD_LIBRARY_PATH"] = entries
    check = bench.doctor(only="library-path")["library-path"]
    assert (check.status, word in check.observed) == (WARN, True)


def test_gpufusion_on_half_on_and_off(bench: Bench) -> None:
    root = bench.dtk()
    assert bench.doctor(only="gpufusion")["gpufusion"].observed == "not active"
    nvcc = bench.tool("nvcc", "", folder=root / "cuda" / "cuda" / "bin")
    bench.env["CUDA_HOME"] = "/usr/local/cuda"
    bench.env["PATH"] += f":{nvcc.parent}"
    check = bench.doctor(only="gpufusion")["gpufusion"]
    assert (check.status, "half active" in check.observed) == (FAIL, True)
    bench.env["CUDA_HOME"] = "/opt/dtk/cuda/cuda"
    check = bench.doctor(only="gpufusion")["gpufusion"]
    assert (check.status, "fastpt -C" in check.observed) == (OK, True)
    assert bench.doctor(only="nvidia-tools")["nvidia-tools"].status is OK


def test_steering_variables(bench: Bench) -> None:
    bench.env["LD_PRELOAD"] = "/x/libasan.so"
    check = bench.doctor(only="variables")["variables"]
    assert (check.status, "LD_PRELOAD" in check.observed) == (WARN, True)


def test_good_framework_layer(bench: Bench) -> None:
    bench.device()
    bench.runtime()
    bench.torch(torch_record())
    checks = bench.doctor(layer="framework")
    assert set(statuses(checks).values()) == {OK}, [
        (c.id, c.observed) for c in checks.values() if c.status is not OK
    ]
    assert "pip: 2.5.1+das.opt1.dtk25042" in checks["torch-import"].observed


@pytest.mark.parametrize(
    ("changes", "check_id", "status", "word"),
    [
        ({"hip": None}, "torch-hip", FAIL, "CPU build"),
        ({"hip": None, "cuda": "13.0"}, "torch-hip", FAIL, "a CUDA build for NVIDIA"),
        ({"hip": "5.7.24311"}, "version-match", FAIL, "hipcc is HIP 6.3"),
        ({"architectures": ["gfx906"]}, "torch-arch", FAIL, "the device is gfx936"),
        ({"architectures": []}, "torch-arch", UNKNOWN, "does not tell"),
        ({"packages": {"torch": "2.5.1+das.abi0.dtk25042"}}, "torch-abi", FAIL, "abi0"),
        ({"packages": {"torch": "2.5.1+das.dtk25041"}}, "version-match", FAIL, "DTK 25.04.1"),
        ({"packages": {"apex": "1.4+das.dtk25042.torch241"}}, "version-match", FAIL, "torch 241"),
        ({"packages": {"torch": "2.5.1"}}, "version-match", UNKNOWN, "does not name its DTK"),
        (
            {"libraries": ["/opt/dtk-25.04.2/lib/libhipblas.so", "/opt/rocm-5.7/lib/librocblas.so"]},
            "torch-libraries",
            FAIL,
            "/opt/rocm-5.7",
        ),
        ({"version": None, "error": "ImportError: libgalaxyhip.so.5: cannot open shared object "
          "file: No such file or directory"}, "torch-import", FAIL, "libgalaxyhip"),
    ],
)  # fmt: skip
def test_framework_faults(
    bench: Bench, changes: dict[str, object], check_id: str, status: CheckStatus, word: str
) -> None:
    bench.device()
    bench.runtime()
    bench.torch(torch_record(**changes))
    check = bench.doctor(only=check_id)[check_id]
    assert check.status is status, check
    assert word in check.observed
    assert check.next_step


def test_torch_that_ends_its_process(bench: Bench) -> None:
    first = torch_record().split("\n", 1)[0] + "\n"
    bench.torch(first, 0)
    check = bench.doctor(only="torch-import")["torch-import"]
    assert (check.status, "ended the process" in check.observed) == (FAIL, True)
    (bench.tools / "fake-python").unlink()
    assert bench.doctor(only="torch-import")["torch-import"].status is UNKNOWN


def test_tensor_that_faults(bench: Bench) -> None:
    records = [f"{line}\n" for line in torch_record().split("\n")]
    fault = "Memory access fault by GPU node-1 (Agent handle: 0x55d0c0) on address 0x7f00.\n"
    bench.torch("".join(records[:4]) + fault, 134)
    check = bench.doctor(only="torch-tensor")["torch-tensor"]
    assert check.status is FAIL
    assert "stopped after device" in check.observed
    assert "outside its buffers" in check.why
    bench.torch(
        "".join(records[:2]) + '\x1e{"step": "count", "devices": 0, "available": false}\n'
    )
    check = bench.doctor(only="torch-tensor")["torch-tensor"]
    assert (check.status, "device_count() is 0" in check.observed) == (FAIL, True)
    bench.torch("".join(records[:5]) + '\x1e{"step": "computed", "right": false}\n')
    assert bench.doctor(only="torch-tensor")["torch-tensor"].status is FAIL


def test_application_without_a_build(bench: Bench) -> None:
    bench.torch(torch_record())
    checks = bench.doctor(layer="application")
    cache = checks.pop("extension-cache")
    assert cache.status is OK
    assert set(statuses(checks).values()) == {SKIP}


def test_every_check_has_an_own_id_and_runs_alone(bench: Bench) -> None:
    ids = [question.id for question in QUESTIONS]
    assert len(ids) == len(set(ids))
    bench.torch(torch_record())
    for name in ids:
        (check,) = bench.doctor(only=name).values()
        assert check.id == name
        assert check.observed
        assert (check.status is OK) or check.status is SKIP or check.next_step, name


def test_nothing_is_changed(bench: Bench) -> None:
    bench.device()
    bench.runtime()
    bench.torch(torch_record())
    before = {p: p.lstat().st_mtime_ns for p in bench.folder.rglob("*")}
    bench.doctor()
    assert {p: p.lstat().st_mtime_ns for p in bench.folder.rglob("*")} == before


@need_hipcc
@need_nvcc
@need_torch
def test_a_machine_without_a_device(tmp_path: Path) -> None:
    if Path("/dev/kfd").exists():
        pytest.skip("there is a device")
    checks = {check.id: check for check in doctor(root=tmp_path, timeout=60)}
    assert failed(checks.values())
    assert checks["device-agents"].observed.startswith("no device")
    assert checks["nvidia-tools"].status is WARN
    assert "nvcc on PATH" in checks["nvidia-tools"].observed
    assert "A trap" in checks["nvidia-tools"].why
    assert {c.status for c in checks.values() if c.layer != "device"} == {SKIP}


@need_hipcc
def test_the_probe_compiles_off_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if Path("/dev/kfd").exists():
        pytest.skip("there is a device")
    monkeypatch.setenv("HIP_PLATFORM", "amd")
    (check,) = doctor(only="hip-probe", root=tmp_path, timeout=60)
    assert check.status is UNKNOWN, check
    assert "compiles for gfx906; not run" in check.observed
    monkeypatch.setenv("HIPCC_COMPILE_FLAGS_APPEND", "--no-such-flag")
    (check,) = doctor(only="hip-probe", root=tmp_path, timeout=60)
    assert check.status is FAIL
