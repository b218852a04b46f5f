"""The readers of logs: any bytes, in any pieces, give the same messages, and none is lost."""

from __future__ import annotations

from harness import HERE, instrumented, main

with instrumented():
    from fastpt_lab.build.logs import (
        clang,
        cmake,
        device,
        gcc,
        linker,
        loader,
        make,
        ninja,
        nvcc,
        packaging,
        parse,
        python,
        read,
        shell,
    )
    from fastpt_lab.build.logs.lines import MAX_LINE, clean
    from fastpt_lab.core.diagnostic import CODES

DIALECTS = (
    *(d.recognise for d in (clang, cmake, device, gcc, linker, loader, make, ninja, nvcc)),
    *(packaging.recognise, python.recognise, shell.recognise, shell.generic),
)


def one(data: bytes) -> None:
    size, log = (data[0] + 1 if data else 1), data[1:]
    whole = parse(log)
    pieces = read(log[at : at + size] for at in range(0, len(log), size))
    assert pieces == whole
    for diagnostic in whole:
        assert diagnostic.code in CODES or not diagnostic.code, diagnostic.code
        assert "\x1b" not in diagnostic.message
        if diagnostic.location is not None:
            assert min(diagnostic.location.range.start) >= 0
    for line in log.splitlines()[:40]:
        text = clean(line[:MAX_LINE])
        for recognise in DIALECTS:
            recognise(text)


def starts() -> list[bytes]:
    fixtures = sorted((HERE.parent / "fixtures").rglob("*.log"))
    logs = [path.read_bytes() for path in fixtures[:200]]
    lines = {line for log in logs for line in log.splitlines(keepends=True)[:6]}
    return [b"\xff" + log[:4000] for log in logs] + [b"\x07" + line for line in sorted(lines)]


if __name__ == "__main__":
    main("logs", one, starts())
