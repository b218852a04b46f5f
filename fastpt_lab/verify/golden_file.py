"""One file with tensors and what is known about them; reading it runs no code.

Layout: 8 bytes `FPTGOLD` and a version; the header's length (u64, little-endian); the header,
JSON in UTF-8; the tensors' bytes, little-endian, each at a multiple of 64. The header lists for
each tensor its name, dtype, shape, offset, size and SHA-256. Nothing is taken on trust: every
number is checked against the file before a tensor is made.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import json
import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import ConfigError, UsageError
from fastpt_lab.host.files import read_bytes, write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fastpt_lab.verify.anytype import Tensor

MAGIC = b"FPTGOLD\x01"
_ALIGN = 64
_MOST_HEADER = 16 << 20
_MOST_DIMENSIONS = 32
_MOST_ELEMENTS = 1 << 48
ITEM_BYTES = {
    "bool": 1, "uint8": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "float16": 2,
    "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16,
}  # fmt: skip
"""The dtypes that may be stored, with their bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """A record: facts (JSON values only) and tensors by name, on the CPU."""

    facts: dict[str, Any]
    tensors: dict[str, Tensor]


def write_golden(path: Path, facts: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Write a record.

    Raises:
        UsageError: a dtype that cannot be stored, or a big-endian machine.
        WriteError: the file cannot be written.
    """
    if sys.byteorder != "little":
        raise UsageError(
            "golden files are little-endian", next_step="Record on another machine"
        )
    entries = []
    blocks = []
    offset = 0
    for name, tensor in tensors.items():
        dtype = str(tensor.dtype).removeprefix("torch.")
        if dtype not in ITEM_BYTES:
            raise UsageError(
                f"{name} is {dtype}", next_step="Store one of: " + ", ".join(ITEM_BYTES)
            )
        data = _bytes_of(tensor)
        entries.append(
            {
                "name": name,
                "dtype": dtype,
                "shape": list(tensor.shape),
                "offset": offset,
                "size": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        )
        padding = -len(data) % _ALIGN
        blocks.append(data + b"\0" * padding)
        offset += len(data) + padding
    header = json.dumps({"facts": dict(facts), "tensors": entries}, ensure_ascii=False).encode()
    header += b" " * (-(len(MAGIC) + 8 + len(header)) % _ALIGN)
    write_atomic(path, b"".join([MAGIC, len(header).to_bytes(8, "little"), header, *blocks]))


def _bytes_of(tensor: Tensor) -> bytes:
    plain = tensor.detach().cpu().contiguous()
    return ctypes.string_at(plain.data_ptr(), plain.numel() * plain.element_size()) \
        if plain.numel() else b""  # fmt: skip


def read_golden(path: Path) -> Golden:
    """Read a record; every size, offset and digest is checked first.

    Raises:
        PathMissingError: there is no such file.
        UnreadableFileError: it cannot be read.
        ConfigError: it is no golden file, or was cut or changed.
    """
    return parse_golden(read_bytes(path), str(path))


def parse_golden(data: bytes, name: str) -> Golden:
    """Read the bytes of a record.

    Raises:
        ConfigError: they are none.
    """
    head = len(MAGIC) + 8
    if data[: len(MAGIC)] != MAGIC:
        raise _damaged(name, "it does not begin like one")
    length = int.from_bytes(data[len(MAGIC) : head], "little")
    if len(data) < head or length > min(_MOST_HEADER, len(data) - head):
        raise _damaged(name, "its header is longer than the file")
    try:
        header = json.loads(data[head : head + length])
        facts, entries = header["facts"], header["tensors"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged(name, "its header is no JSON of this kind") from error
    if not isinstance(facts, dict) or not isinstance(entries, list):
        raise _damaged(name, "its header is no JSON of this kind")
    tensors: dict[str, Tensor] = {}
    place = 0
    body = memoryview(data)[head + length :]
    for entry in entries:
        place = _read_tensor(entry, body, place, tensors, name)
    if place != len(body):
        raise _damaged(name, f"{len(body) - place:,} bytes belong to no tensor")
    return Golden(facts=facts, tensors=tensors)


def _damaged(name: str, why: str) -> ConfigError:
    return ConfigError(f"{name} is no golden file: {why}", next_step="Record it again")


def _read_tensor(
    entry: object, body: memoryview, place: int, tensors: dict[str, Tensor], name: str
) -> int:
    """Check one entry, make its tensor, and return where the next one must begin."""
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise _damaged(name, "a tensor has no name")
    key, dtype, shape = entry["name"], entry.get("dtype"), entry.get("shape")
    if not isinstance(shape, list) or len(shape) > _MOST_DIMENSIONS:
        raise _damaged(name, f"{key} has no shape")
    whole = all(type(size) is int and 0 <= size < _MOST_ELEMENTS for size in shape)
    if key in tensors or not isinstance(dtype, str) or dtype not in ITEM_BYTES or not whole:
        raise _damaged(name, f"{key} has no dtype and shape that are known")
    size = math.prod(shape) * ITEM_BYTES[dtype]
    if entry.get("offset") != place or entry.get("size") != size or place + size > len(body):
        raise _damaged(name, f"{key} does not lie where it must")
    data = bytes(body[place : place + size])
    if hashlib.sha256(data).hexdigest() != entry.get("sha256"):
        raise _damaged(name, f"{key} was changed")
    tensors[key] = _tensor(data, dtype, shape)
    return place + size + (-size % _ALIGN)


def _tensor(data: bytes, dtype: str, shape: list[int]) -> Tensor:
    torch: Any = importlib.import_module("torch")
    kind = getattr(torch, dtype)
    if not data:
        return torch.empty(shape, dtype=kind)
    # A copy of its own: a tensor over immutable bytes may not be written to.
    return torch.frombuffer(bytearray(data), dtype=kind).reshape(shape)
