"""What rocminfo, hy-smi, rocm-smi and their like print: any text is read or said to be unknown."""

from __future__ import annotations

from harness import HERE, instrumented, main

with instrumented():
    from fastpt_lab.core.check import Check
    from fastpt_lab.core.dtk import parse_dtk
    from fastpt_lab.host.process import decode_output
    from fastpt_lab.verify.parsers.collect_env import parse_collect_env
    from fastpt_lab.verify.parsers.fastpt import parse_fastpt
    from fastpt_lab.verify.parsers.hipcc import parse_hipcc, release_of
    from fastpt_lab.verify.parsers.hipconfig import parse_hipconfig
    from fastpt_lab.verify.parsers.ldd import parse_ldd
    from fastpt_lab.verify.parsers.messages import parse_message
    from fastpt_lab.verify.parsers.rocminfo import parse_rocminfo
    from fastpt_lab.verify.parsers.smi import parse_smi
    from fastpt_lab.verify.parsers.smi_processes import parse_processes
    from fastpt_lab.verify.parsers.versions import parse_wheel
    from fastpt_lab.verify.pasted import explain_output

PARSERS = (
    *(parse_rocminfo, parse_smi, parse_processes, parse_collect_env, parse_fastpt),
    *(parse_hipconfig, parse_ldd, parse_message, parse_dtk, parse_wheel),
)


def one(data: bytes) -> None:
    text = decode_output(data)
    for parser in PARSERS:
        parser(text)
    release_of(parse_hipcc(text).hip)
    for card in parse_smi(text):
        assert card.index >= 0
    for check in explain_output(text, env={}):
        assert isinstance(check, Check)


def starts() -> list[bytes]:
    samples = sorted((HERE.parent / "fixtures" / "env").rglob("*"))
    return [path.read_bytes() for path in samples if path.is_file()]


if __name__ == "__main__":
    main("smi", one, starts())
