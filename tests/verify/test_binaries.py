"""Real binaries: made here by hipcc and g++, read without running them."""

from __future__ import annotations

import os
import struct
import subprocess
import time
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import need_gxx, need_hipcc
from verify.bench import Bench, sample

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.verify.abi import cxx11_abi
from fastpt_lab.verify.cache import STAMP, Stamp, read_cache, read_stamp, stamp_builds
from fastpt_lab.verify.elf import read_elf
from fastpt_lab.verify.extensions import find_extensions
from fastpt_lab.verify.fatbin import covers, fatbin_of, matches, read_fatbin
from fastpt_lab.verify.linkage import (
    doubles_of,
    elf_of,
    grouped,
    parse_maps,
    read_linkage,
    roots_of,
    runtime_of,
)
from fastpt_lab.verify.machine import Machine
from fastpt_lab.verify.parsers.ldd import Library, parse_ldd

KERNEL = "#include <hip/hip_runtime.h>\n__global__ void NAME(int* p) { p[threadIdx.x] += 1; }\n"
OK, WARN, FAIL, SKIP, UNKNOWN = CheckStatus


def tool(*argv: str, cwd: Path) -> None:
    """Run a compiler to its good end."""
    env = {**os.environ, "HIP_PLATFORM": "amd", "LC_ALL": "C"}
    done = subprocess.run(argv, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One extension of two units for two targets, whole, stripped, and as an rdc object."""
    folder = tmp_path_factory.mktemp("hip")
    for name in ("one", "two"):
        (folder / f"{name}.hip").write_text(KERNEL.replace("NAME", name), "utf-8")
    (folder / "init.cpp").write_text('extern "C" void* PyInit_ext() { return 0; }\n', "utf-8")
    arch = ("--offload-arch=gfx906", "--offload-arch=gfx908", "-fPIC")
    tool(
        "hipcc", *arch, "-shared", "one.hip", "two.hip", "init.cpp", "-o", "ext.so", cwd=folder
    )
    tool("strip", "ext.so", "-o", "stripped.so", cwd=folder)
    tool("hipcc", *arch, "-fgpu-rdc", "-c", "one.hip", "-o", "rdc.o", cwd=folder)
    tool("hipcc", *arch, "--genco", "one.hip", "-o", "one.co", cwd=folder)
    return folder


@need_hipcc
@pytest.mark.parametrize("name", ["ext.so", "stripped.so"])
def test_targets_of_an_extension(built: Path, name: str) -> None:
    code = read_fatbin(built / name)
    assert code is not None
    assert (code.kind, code.targets, code.units) == ("hip", ("gfx906", "gfx908"), 2)
    assert not code.relocatable
    assert covers(code, "gfx906:sramecc+:xnack-") is True
    assert covers(code, "gfx936") is False


@need_hipcc
def test_targets_of_an_object_and_a_bundle(built: Path) -> None:
    rdc = read_fatbin(built / "rdc.o")
    assert rdc is not None
    assert (rdc.relocatable, rdc.targets) == (True, ("gfx906", "gfx908"))
    bundle = read_fatbin(built / "one.co")
    assert bundle is not None
    assert bundle.targets == ("gfx906", "gfx908")


@need_hipcc
@pytest.mark.parametrize("version", [1, 2, 3])
def test_compressed_bundles(built: Path, version: int) -> None:
    """Compressed as newer compilers do; one compressed by a method that is not read here."""
    plain = (built / "one.co").read_bytes()
    body = zlib.compress(plain)
    head = {1: 20, 2: 24, 3: 32}[version]

    def packed(method: int) -> bytes:
        sizes = {
            1: struct.pack("<I", len(plain)),
            2: struct.pack("<II", head + len(body), len(plain)),
            3: struct.pack("<QQ", head + len(body), len(plain)),
        }[version]
        return b"CCOB" + struct.pack("<HH", version, method) + sizes + bytes(8) + body

    code = fatbin_of(packed(0))
    assert code is not None
    assert (code.targets, code.unread) == (("gfx906", "gfx908"), ())
    hidden = fatbin_of(packed(1))
    assert hidden is not None
    assert covers(hidden, "gfx906") is None, "not read is not missing, and not there"
    two = fatbin_of(packed(0) + bytes(64) + packed(0))
    assert two is not None
    assert two.units == 2
    cut = fatbin_of(packed(0)[: head + 5])
    assert cut is not None
    assert cut.targets == ()


@need_hipcc
@given(place=st.floats(0, 1), noise=st.binary(min_size=1, max_size=16), cut=st.floats(0, 1))
@settings(max_examples=150, deadline=None)
def test_damaged_files_never_crash(built: Path, place: float, noise: bytes, cut: float) -> None:
    data = bytearray((built / "ext.so").read_bytes())
    start = int(place * (len(data) - len(noise)))
    data[start : start + len(noise)] = noise
    for damaged in (bytes(data), bytes(data[: int(cut * len(data))])):
        code = fatbin_of(damaged)
        assert code is None or set(code.targets) <= {t for t in code.targets if t[:3] == "gfx"}
        read_elf(damaged)


@pytest.mark.parametrize(
    ("image", "device", "fits"),
    [
        ("gfx906", "gfx906:sramecc+:xnack-", True),
        ("gfx906:xnack-", "gfx906:sramecc+:xnack-", True),
        ("gfx906:xnack+", "gfx906:sramecc+:xnack-", False),
        ("gfx906:sramecc-", "gfx906:sramecc+:xnack-", False),
        ("gfx906:xnack+", "gfx906:sramecc+", False),
        ("gfx906:xnack+", "gfx906", True),
        ("gfx90a", "gfx906", False),
        ("gfx9", "gfx906", False),
    ],
)
def test_match_of_targets(image: str, device: str, fits: bool) -> None:
    assert matches(image, device) is fits


@need_gxx
@pytest.mark.parametrize("abi", [0, 1])
def test_two_cxx_abis(tmp_path: Path, abi: int) -> None:
    (tmp_path / "a.cpp").write_text(
        "#include <string>\nnamespace tl { void check(const std::string&); }\n"
        'void run() { tl::check("x"); }\n',
        "utf-8",
    )
    tool("g++", "-shared", "-fPIC", f"-D_GLIBCXX_USE_CXX11_ABI={abi}", "a.cpp", "-o", "a.so",
         cwd=tmp_path)  # fmt: skip
    elf = elf_of(tmp_path / "a.so")
    assert elf is not None
    assert cxx11_abi(elf) == abi
    (tmp_path / "b.c").write_text("int x(void) { return 1; }\n", "utf-8")
    tool("gcc", "-shared", "-fPIC", "b.c", "-o", "b.so", cwd=tmp_path)
    plain = elf_of(tmp_path / "b.so")
    assert plain is not None
    assert cxx11_abi(plain) is None


@pytest.fixture
def two_roots(tmp_path: Path) -> tuple[Bench, Path]:
    """A project linked to the libraries of two trees."""
    bench = Bench(tmp_path)
    bench.env["PATH"] = f"{bench.tools}:/usr/bin:/bin"
    (bench.project / "lib.c").write_text("int NAME(void) { return 1; }\n", "utf-8")
    for tree, name in (("dtk-25.04.2", "galaxyhip"), ("dtk-24.04", "hipblas")):
        where = bench.system / "opt" / tree / "lib"
        where.mkdir(parents=True)
        tool("gcc", "-shared", "-fPIC", f"-DNAME={name}_call", f"-Wl,-soname,lib{name}.so.5",
             "lib.c", "-o", str(where / f"lib{name}.so.5"), cwd=bench.project)  # fmt: skip
        (where / f"lib{name}.so").symlink_to(f"lib{name}.so.5")
    (bench.project / "ext.c").write_text(
        "int galaxyhip_call(void); int hipblas_call(void);\n"
        "int use(void) { return galaxyhip_call() + hipblas_call(); }\n"
        "void* PyInit_ext(void) { return 0; }\n",
        "utf-8",
    )
    opt = bench.system / "opt"
    flags = [f for t in ("dtk-25.04.2", "dtk-24.04") for f in (f"-L{opt / t / 'lib'}",)]
    tool("gcc", "-shared", "-fPIC", "ext.c", *flags, "-lgalaxyhip", "-lhipblas", "-o", "ext.so",
         cwd=bench.project)  # fmt: skip
    bench.env["LD_LIBRARY_PATH"] = ":".join(
        str(opt / t / "lib") for t in ("dtk-25.04.2", "dtk-24.04")
    )
    return bench, bench.project / "ext.so"


@need_gxx
def test_two_trees_in_one_extension(two_roots: tuple[Bench, Path]) -> None:
    bench, _ = two_roots
    check = bench.doctor(only="extension-linkage")["extension-linkage"]
    assert check.status is FAIL
    assert "/opt/dtk-24.04 and /opt/dtk-25.04.2" in check.observed
    assert "env.sh" in check.next_step


@need_gxx
def test_a_library_that_is_not_found(two_roots: tuple[Bench, Path]) -> None:
    bench, path = two_roots
    bench.env["LD_LIBRARY_PATH"] = str(bench.system / "opt" / "dtk-24.04" / "lib")
    check = bench.doctor(only="extension-linkage")["extension-linkage"]
    assert check.status is FAIL
    assert "not found: libgalaxyhip.so.5" in check.observed
    machine = Machine(env=bench.env, root=bench.project)
    _, linkage = read_linkage(machine, path)
    assert linkage.listing.missing == ("libgalaxyhip.so.5",)
    elf = elf_of(path)
    assert elf is not None
    assert set(elf.needed) >= {"libgalaxyhip.so.5", "libhipblas.so.5"}


@need_gxx
def test_an_undefined_symbol_is_demangled_and_classed(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.env["PATH"] = "/usr/bin:/bin"
    (bench.project / "ext.cpp").write_text(
        "void launch_inc(float*, int);\nvoid run() { launch_inc(nullptr, 1); }\n"
        'extern "C" void* PyInit_ext() { return nullptr; }\n',
        "utf-8",
    )
    tool("g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", cwd=bench.project)
    check = bench.doctor(only="extension-linkage")["extension-linkage"]
    assert check.status is FAIL
    assert "undefined: launch_inc(float*, int)" in check.observed
    assert "own" in check.why


@pytest.mark.parametrize(
    ("name", "runtime", "roots", "doubles"),
    [
        ("ldd_ok_dtk", "dtk", ("/opt/dtk-25.04.2",), 0),
        ("ldd_mixed_dtk", "dtk", ("/opt/dtk-24.04", "/opt/dtk-25.04.2", "/opt/rocm-5.7.1"), 1),
        ("ldd_gpufusion", "gpufusion", ("/opt/dtk",), 0),
    ],
)
def test_recorded_listings(
    name: str, runtime: str, roots: tuple[str, ...], doubles: int
) -> None:
    libraries = parse_ldd(sample(name)).libraries
    assert runtime_of(libraries) == runtime
    assert roots_of(libraries) == roots
    assert len(doubles_of(libraries)) == doubles
    assert {group for group, _ in grouped(libraries)} >= set(roots)


def test_cudart_is_told_by_its_path() -> None:
    nvidia = Library(name="libcudart.so.12", path="/usr/local/cuda/lib64/libcudart.so.12")
    shim = Library(name="libcudart.so.12", path="/opt/dtk/cuda/cuda-12/lib64/libcudart.so.12")
    assert (runtime_of([nvidia]), runtime_of([shim])) == ("nvidia", "gpufusion")
    assert runtime_of([]) == ""


def test_maps_of_a_process() -> None:
    found = parse_maps(Path("/proc/self/maps").read_text("utf-8"))
    assert any(library.name.startswith("libc.so") for library in found)
    text = "7f00-7f01 r-xp 00000000 08:01 1 /x/a b/lib.so.1 (deleted)\n"
    assert parse_maps(text * 2) == (Library(name="lib.so.1", path="/x/a b/lib.so.1"),)


@need_hipcc
def test_application_layer_on_a_real_extension(built: Path, tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.device(rocminfo="rocminfo_ok_gfx906_dcu")
    bench.env["PATH"] += ":/usr/bin:/bin"
    (bench.project / "ext.so").write_bytes((built / "ext.so").read_bytes())
    check = bench.doctor(only="extension-targets")["extension-targets"]
    assert (check.status, "gfx906, gfx908" in check.observed) == (OK, True)
    bench.tool("rocminfo", sample("rocminfo_ok_gfx936_dcu"))
    check = bench.doctor(only="extension-targets")["extension-targets"]
    assert check.status is FAIL
    assert "PYTORCH_ROCM_ARCH=gfx936" in check.next_step
    assert bench.doctor(only="extension-built")["extension-built"].status is OK
    time.sleep(0.01)
    (bench.project / "ext.cu").write_text("// newer\n", "utf-8")
    check = bench.doctor(only="extension-built")["extension-built"]
    assert (check.status, "older than ext.cu" in check.observed) == (WARN, True)
    (bench.project / "ext.so").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    for only in ("extension-built", "extension-targets", "extension-abi"):
        assert bench.doctor(only=only)[only].status is FAIL


@need_hipcc
@need_gxx
@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ('puts("devices 1\\nright: 130 elements");', OK, "130 elements right"),
        ('puts("wrong: element 64 is 1000, not 1064"); return 4;', FAIL, "element 64"),
        ('puts("hipMalloc: HIP error: no ROCm-capable device is detected (100)"); return 3;',
         FAIL, "no ROCm-capable device"),
        ("abort();", FAIL, "signal 6"),
        ("", FAIL, "no output"),
    ],
)  # fmt: skip
def test_the_probe_on_a_device(
    built: Path, tmp_path: Path, body: str, status: CheckStatus, word: str
) -> None:
    """hipcc hands out a program with real gfx906 code in it; what it prints is made up."""
    bench = Bench(tmp_path)
    bench.device(rocminfo="rocminfo_ok_gfx906_dcu")
    main = f"#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ {body} return 0; }}\n"
    (tmp_path / "p.c").write_text(main, "utf-8")
    tool("gcc", "p.c", "-o", "p", cwd=tmp_path)
    section = f".hip_fatbin={built / 'one.co'}"
    tool("objcopy", "--add-section", section, "p", "program", cwd=tmp_path)
    bench.script("hipcc", f'cp {tmp_path}/program "$4"\n')
    check = bench.doctor(only="hip-probe")["hip-probe"]
    assert (check.status, word in check.observed) == (status, True), check
    bench.script("hipcc", f'cp {tmp_path}/p "$4"\n')
    check = bench.doctor(only="hip-probe")["hip-probe"]
    assert (check.status, "holds host code" in check.observed) == (FAIL, True)


@need_gxx
def test_the_file_just_built_is_the_one_imported(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.env["PATH"] = "/usr/bin:/bin"
    package = bench.project / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("", "utf-8")
    bench.torch('\x1e{"step": "imported", "file": "' + str(package / "_C.so") + '"}\n')
    (bench.project / "c.c").write_text("void* PyInit__C(void) { return 0; }\n", "utf-8")
    tool("gcc", "-shared", "-fPIC", "c.c", "-o", str(package / "_C.so"), cwd=bench.project)
    (extension,) = find_extensions(bench.project)
    assert (extension.module, extension.import_folder) == ("pkg._C", bench.project)
    assert bench.doctor(only="extension-import")["extension-import"].status is OK
    newer = bench.project / "build" / "lib.linux-x86_64-cpython-311" / "pkg"
    newer.mkdir(parents=True)
    time.sleep(0.01)
    data = (package / "_C.so").read_bytes()
    copy = newer / "_C.cpython-311-x86_64-linux-gnu.so"
    copy.write_bytes(data)
    (extension,) = find_extensions(bench.project)
    assert (extension.module, extension.import_folder) == ("pkg._C", newer.parent)
    # An in-place build copies the file: the same bytes are the same build.
    assert bench.doctor(only="extension-import")["extension-import"].status is OK
    copy.write_bytes(data + b"another build")
    check = bench.doctor(only="extension-import")["extension-import"]
    assert (check.status, "older copy" in check.why) == (FAIL, True)


def test_stale_caches_and_old_locks(tmp_path: Path) -> None:
    env = {"TORCH_EXTENSIONS_DIR": str(tmp_path)}
    folder = tmp_path / "op"
    folder.mkdir()
    (folder / "build.ninja").write_text(
        "nvcc = /opt/none/bin/hipcc\ncflags = -isystem /old/torch/include -O3\n"
        "cuda_cflags = --offload-arch=gfx906 --offload-arch=gfx936\n",
        "utf-8",
    )
    (folder / "op.so").write_bytes(b"")
    (entry,) = read_cache(env, now=None, torch_dir="/new/torch", changed=time.time() + 10)
    assert entry.architectures == ("gfx906", "gfx936")
    assert len(entry.stale) == 3
    assert entry.lock_age is None
    lock = folder / "lock"
    lock.write_text("", "utf-8")
    os.utime(lock, (time.time() - 7200, time.time() - 7200))
    (tmp_path / "bench").mkdir()
    bench = Bench(tmp_path / "bench")
    bench.env["TORCH_EXTENSIONS_DIR"] = str(tmp_path)
    check = bench.doctor(only="extension-cache")["extension-cache"]
    assert check.status is WARN
    assert "lock is 120 min old" in check.observed
    assert lock.exists()


def test_stamp_round_trip(tmp_path: Path) -> None:
    stamp = Stamp(torch="2.5.1", hip="6.3", abi="1")
    (tmp_path / STAMP).write_text(stamp.to_json(), "utf-8")
    assert read_stamp(tmp_path) == stamp
    assert stamp.differences(Stamp(torch="2.5.1", hip="6.4", abi="1")) == (
        "hip: built with 6.3, now 6.4",
    )
    (tmp_path / STAMP).write_text("[]", "utf-8")
    assert read_stamp(tmp_path) is None


def test_a_build_is_stamped_and_another_stack_is_told(tmp_path: Path) -> None:
    env = {"TORCH_EXTENSIONS_DIR": str(tmp_path / "cache")}
    fresh, old = tmp_path / "build" / "temp.linux", tmp_path / "cache" / "op"
    for folder in (fresh, old):
        folder.mkdir(parents=True)
        (folder / "build.ninja").write_text("", "utf-8")
    os.utime(old / "build.ninja", (1, 1))
    stamp = Stamp(torch="2.5.1", python="3.11")
    written = stamp_builds(stamp, since=time.time() - 60, env=env, root=tmp_path)
    assert written == (fresh / STAMP,)
    now = Stamp(torch="2.9.0", python="3.11")
    entries = read_cache(env, now=now, torch_dir="", root=tmp_path)
    stale = {entry.folder: entry.stale for entry in entries}
    assert stale == {old: (), fresh: ("torch: built with 2.5.1, now 2.9.0",)}
