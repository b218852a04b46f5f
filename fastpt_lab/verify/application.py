"""The application layer: was the extension built for this device, and does it load."""

from __future__ import annotations

import filecmp
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.check import Evidence
from fastpt_lab.verify.abi import cxx11_abi
from fastpt_lab.verify.agents import architectures
from fastpt_lab.verify.cache import OLD_LOCK_SECONDS, read_cache, stamp_of
from fastpt_lab.verify.extensions import Extension, find_extensions
from fastpt_lab.verify.fatbin import covers, read_fatbin
from fastpt_lab.verify.linkage import doubles_of, elf_of, parse_maps, roots_of
from fastpt_lab.verify.linked import linkage_verdict, runtime_verdict
from fastpt_lab.verify.parsers.messages import parse_message
from fastpt_lab.verify.question import Question, Verdict, fail, ok, skip, unknown, warn
from fastpt_lab.verify.torchinfo import ask_torch

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastpt_lab.verify.machine import Machine


def _each(answer: Callable[[Machine, Extension], Verdict]) -> Callable[[Machine], Verdict]:
    """Ask a question of the newest file of each extension; the worst answer is the answer."""

    def ask(machine: Machine) -> Verdict:
        extensions = find_extensions(machine.root)
        if not extensions:
            return skip("no built extension in the project", "There is nothing to look at",
                        "Build it first")  # fmt: skip
        order = ("fail", "unknown", "warn", "skip", "ok")
        found = [answer(machine, extension) for extension in extensions]
        worst = min(found, key=lambda verdict: order.index(verdict.status.value))
        same = [v.observed for v in found if v.status is worst.status]
        return Verdict(
            status=worst.status,
            observed="; ".join(same),
            evidence=tuple(item for verdict in found for item in verdict.evidence),
            why=worst.why,
            next_step=worst.next_step,
        )

    return ask


def _built(machine: Machine, extension: Extension) -> Verdict:
    path = extension.path
    if elf_of(path) is None:
        return fail(f"{extension.shown} is no shared library", "A cut or wrong file",
                    "Build it again")  # fmt: skip
    older = [p.name for p in extension.sources_newer]
    if older:
        return warn(
            f"{extension.shown} is older than {', '.join(older[:3])}",
            "What is tested is not what is written",
            "Build it again",
        )
    stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(path.stat().st_mtime))
    return ok(f"{extension.shown}, built {stamp}")


def _targets(machine: Machine, extension: Extension) -> Verdict:
    try:
        code = read_fatbin(extension.path)
    except OSError as error:
        return unknown(f"{extension.shown}: {error.strerror}", "Check its permissions")
    if code is None:
        return fail(f"{extension.shown} is no shared library", "A cut or wrong file",
                    "Build it again")  # fmt: skip
    held = ", ".join(code.targets) or ", ".join(code.unread) or "nothing"
    evidence = [Evidence(command=(extension.shown,), returncode=None,
                         output=f"{code.kind}: {held} in {code.units} units")]  # fmt: skip
    if code.kind == "host":
        return warn(
            f"{extension.shown} holds no device code",
            "The CPU branch was compiled, or the device sources were left out",
            "Look for CUDAExtension, and for the .cu or .hip files, in the build",
            evidence,
        )
    if code.kind == "nvidia":
        return fail(
            f"{extension.shown} holds code for NVIDIA only", "It was built by nvcc",
            "Build it with the HIP torch, or under fastpt -C", evidence,
        )  # fmt: skip
    devices = architectures(machine)
    if not devices:
        return unknown(f"{extension.shown} holds {held}; no device is listed",
                       "Run doctor on the device", evidence)  # fmt: skip
    answers = {device: covers(code, device) for device in devices}
    missing = [device for device, there in answers.items() if there is False]
    if missing:
        name = missing[0].split(":")[0]
        return fail(
            f"{extension.shown} holds {held}; the device is {', '.join(missing)}",
            "`invalid device function` or `no kernel image` at the first launch",
            f"PYTORCH_ROCM_ARCH={name}, then build again",
            evidence,
        )
    if None in answers.values():
        return unknown(f"{extension.shown} holds {held}", "Ask dccobjdump or roc-obj-ls",
                       evidence)  # fmt: skip
    return ok(f"{extension.shown} holds {held}", evidence)


def _abi(machine: Machine, extension: Extension) -> Verdict:
    elf = elf_of(extension.path)
    if elf is None:
        return fail(f"{extension.shown} is no shared library", "A cut or wrong file",
                    "Build it again")  # fmt: skip
    mine, theirs = cxx11_abi(elf), ask_torch(machine)[1].abi
    if theirs is None:
        return unknown("torch was not imported", "Settle torch-import first")
    if mine is None:
        return ok(f"{extension.shown}: no std::string in its interface; torch has {theirs}")
    if mine != theirs:
        return fail(
            f"{extension.shown} has C++ ABI {mine}, torch has {theirs}",
            "Every function with a std::string has another name: undefined symbols at import",
            f"Build it with -D_GLIBCXX_USE_CXX11_ABI={theirs}",
        )
    return ok(f"{extension.shown}: C++ ABI {mine}, as torch")


def _import(machine: Machine, extension: Extension) -> Verdict:
    folder = str(extension.import_folder)
    answer = machine.child("child", "import", extension.module, folder,
                           timeout=machine.timeout * 6)  # fmt: skip
    evidence = [answer.evidence]
    record = next((r for r in answer.records if r.get("step") == "imported"), None)
    if record is None or record.get("error"):
        error = str(record["error"]) if record else answer.problem
        found = parse_message(error)
        return fail(
            f"import {extension.module} fails: {error or 'the process ended'}",
            found.cause if found else "The module's own start-up fails",
            found.next_step if found else "Import it by hand, torch first",
            evidence,
        )
    loaded = [os.path.realpath(path) for path in record.get("loaded") or ()]
    file = os.path.realpath(str(record.get("file") or ""))
    libraries = parse_maps("\n".join(f" {path}" for path in record.get("libraries") or ()))
    doubles, roots = doubles_of(libraries), roots_of(libraries)
    if doubles or len(roots) > 1:
        return fail(
            f"after import {extension.module}: " + ("; ".join(doubles) or " and ".join(roots)),
            "Two releases in one process, as the process itself maps them",
            "Open a new shell, source one env.sh, and build again",
            evidence,
        )
    if any(_same(extension.path, Path(path)) for path in (file, *loaded)):
        return ok(
            f"import {extension.module}: {extension.shown}, with {len(loaded)} new libraries",
            evidence,
        )
    return fail(
        f"import {extension.module} gives {file}, the newest is {extension.shown}",
        "An older copy lies in front of the file just built: what runs is not what was built",
        "Remove the other copy, or install again",
        evidence,
    )


def _same(built: Path, imported: Path) -> bool:
    """Return whether two files are one, or hold the same: an in-place build copies the file."""
    try:
        return built.samefile(imported) or filecmp.cmp(built, imported, shallow=False)
    except OSError:
        return False


def _cache(machine: Machine) -> Verdict:
    torch = ask_torch(machine)[1]
    changed = None
    if torch.folder:
        version = Path(torch.folder) / "version.py"
        changed = version.stat().st_mtime if version.is_file() else None
    entries = read_cache(
        machine.env,
        now=stamp_of(torch),
        torch_dir=torch.folder,
        changed=changed,
        root=machine.root,
    )
    stale = [f"{entry.folder.name}: {entry.stale[0]}" for entry in entries if entry.stale]
    locks = [
        f"{entry.folder}/lock is {entry.lock_age / 60:.0f} min old"
        for entry in entries
        if entry.lock_age is not None and entry.lock_age > OLD_LOCK_SECONDS
    ]
    if stale or locks:
        step = "Delete the build folder" if stale else "If no build is running, delete the lock"
        return warn(
            "; ".join((*stale, *locks)),
            "torch does not rebuild for a new torch or DTK; a lock of a killed build makes the "
            "next one wait for ever",
            step + ": " + str(next(e.folder for e in entries if e.stale or e.lock_age)),
        )
    if machine.env.get("TORCH_EXTENSIONS_DIR") and entries:
        return warn(
            f"TORCH_EXTENSIONS_DIR={machine.env['TORCH_EXTENSIONS_DIR']}",
            "torch then makes no folder for each Python and platform: environments share it",
            "Set another folder for each environment",
        )
    return ok(f"{len(entries)} cached builds, none stale")


APPLICATION: tuple[Question, ...] = (
    Question(id="extension-built", layer="application", title="the extension is newer than its "
             "sources", answer=_each(_built)),
    Question(id="extension-targets", layer="application", title="it holds code for this device",
             answer=_each(_targets)),
    Question(id="extension-runtime", layer="application", title="it uses the runtime of torch",
             answer=_each(runtime_verdict)),
    Question(id="extension-linkage", layer="application", title="all it needs is found, once",
             answer=_each(linkage_verdict)),
    Question(id="extension-abi", layer="application", title="its C++ ABI is torch's",
             answer=_each(_abi)),
    Question(id="extension-import", layer="application", title="the import gives the file just "
             "built", answer=_each(_import)),
    Question(id="extension-cache", layer="application", title="no stale build or lock is left",
             answer=_cache),
)  # fmt: skip
"""From the file to the import."""


def application_question(name: str, shown: str) -> Question:
    """Return one question about a library that is not here, only an output about it.

    Raises:
        KeyError: the question needs the file itself.
    """
    answers = {"extension-linkage": linkage_verdict, "extension-runtime": runtime_verdict}
    answer = answers[name]
    library = Extension(
        module="", path=Path(shown), import_folder=Path(), shown=shown, sources_newer=()
    )
    title = next(question.title for question in APPLICATION if question.id == name)
    return Question(
        id=name, layer="application", title=title, answer=lambda m: answer(m, library)
    )
