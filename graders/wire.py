"""Encodes the sandbox's input and decodes its output, which is untrusted until it is checked in this module.

Outgoing: `<I` (the header's size in bytes), a JSON header, and a safetensors blob with the inputs. Incoming: see
runner/execution.py.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from graders.runner.execution import DTYPES, LEAVES_MAX
from tasks.task import Args, PerRank

HEADER_BYTES_MAX = 64 * 2**10
LAUNCHER_STATUSES = ("dead", "stuck", "mismatched", "lost")
Leaf = Any


class ProtocolError(Exception):
    """A submission broke the result protocol; the error message says how.

    The error never leaves a Reader: it is a finding about the submission (the verdict "forbidden"), not an internal
    failure.
    """


@dataclass(frozen=True)
class OmittedValue:
    """A value that was not sent. `what` describes the value; `shape` is set for a tensor that is too large to send."""

    what: str
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Record:
    """One checked record: the outputs of one run on one rank, or how it failed.

    `attached` lists the outputs through which a gradient could flow.
    """

    run: int
    status: str
    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    gradients: Mapping[str, Leaf] = field(default_factory=dict)
    complaint: str = ""
    mutated: tuple[str, ...] = ()
    attached: tuple[str, ...] = ()
    failure: Mapping[str, Any] = field(default_factory=dict)


class Inputs(NamedTuple):
    """The encoded arguments of several runs: the structure of each run, and all tensors in one blob."""

    runs: list[list[Any]]
    tensors: bytes


def encode(args: Sequence[Args], is_float64: bool = False) -> Inputs:
    """Return the encoded arguments of the runs."""
    tensors: dict[str, torch.Tensor] = {}
    runs = [_encode(given, tensors, is_float64) for given in args]
    return Inputs(runs, save(tensors))


def pack(header: Mapping[str, Any], inputs: Inputs) -> bytes:
    """Return the payload: the header, with the encoded arguments of each run under "runs", then the tensors."""
    runs = [{**run, "args": given} for run, given in zip(header["runs"], inputs.runs, strict=True)]
    head = json.dumps({**header, "runs": runs}).encode()
    return struct.pack("<I", len(head)) + head + inputs.tensors


def _encode(value: Any, tensors: dict[str, torch.Tensor], is_float64: bool) -> list[Any]:
    if isinstance(value, torch.Tensor):
        name = str(len(tensors))
        sent = value.detach().clone()  # clone preserves the strides of a non-contiguous tensor
        stride = list(sent.stride())
        tensors[name] = (sent.double() if is_float64 and sent.is_floating_point() else sent).contiguous()
        return ["tensor", [name, stride]]
    if isinstance(value, PerRank):
        return ["ranks", [_encode(item, tensors, is_float64) for item in value.values]]
    if isinstance(value, dict):
        return ["dict", [[key, _encode(item, tensors, is_float64)] for key, item in value.items()]]
    for kind, name in ((tuple, "tuple"), (list, "list"), (set | frozenset, "set")):
        if isinstance(value, kind):
            return [name, [_encode(item, tensors, is_float64) for item in value]]
    if value is None or isinstance(value, bool | int | float | str):
        return ["plain", value]
    raise TypeError(f"an argument of type {type(value).__name__} cannot be sent into a sandbox")


class Reader:
    """Reads frames as they arrive: first "ready", then one record per item of `order`, which lists the run indices.

    `bytes_max` limits the size of one tensor. Without `is_forked`, there is no launcher between the reader and the
    submission, so a record of a kind that only a launcher writes is a forgery. After `feed` returns True, no further
    data is allowed.
    """

    def __init__(self, order: Sequence[int], bytes_max: int, is_forked: bool = False) -> None:
        self.ready: Mapping[str, Any] | None = None
        self.records: list[Record] = []
        self.error: ProtocolError | None = None
        self._order = order
        self._bytes_max = bytes_max
        self._is_forked = is_forked
        self._place = 0

    @property
    def is_complete(self) -> bool:
        """Return whether every record has arrived."""
        is_refused = bool(self.records) and self.records[-1].status == "not_loaded"
        return self.ready is not None and (is_refused or len(self.records) == len(self._order))

    def feed(self, data: bytes) -> bool:
        """Process all bytes received so far.

        Return whether reading can stop, because the output is complete or invalid.
        """
        try:
            while self.error is None and not self.is_complete and (head := self._next(data)) is not None:
                self._take(*head)
            if self.is_complete and len(data) > self._place:
                raise ProtocolError(f"sent {len(data) - self._place} extra bytes after its last record")
        except ProtocolError as error:
            self.error = error
        return self.error is not None or self.is_complete

    def _next(self, data: bytes) -> tuple[dict[str, Any], bytes] | None:
        """Return the header and blob of the next frame, or None if the frame is still incomplete."""
        start = self._place + 8
        if len(data) < start:
            return None
        head_bytes, blob_bytes = struct.unpack_from("<II", data, self._place)
        if head_bytes > HEADER_BYTES_MAX or blob_bytes > self._bytes_max * 4 * LEAVES_MAX + HEADER_BYTES_MAX:
            raise ProtocolError(f"announced {head_bytes} header bytes and {blob_bytes} tensor bytes")
        if len(data) < start + head_bytes + blob_bytes:
            return None
        blob = data[start + head_bytes : start + head_bytes + blob_bytes]
        self._place = start + head_bytes + blob_bytes
        try:
            header = json.loads(data[start : start + head_bytes], object_pairs_hook=_no_key_twice)
        except (ValueError, RecursionError) as error:
            raise ProtocolError(f"sent a header that is not JSON: {str(error)[:200]}") from error
        if not isinstance(header, dict):
            raise ProtocolError("sent a header that is not an object")
        return header, blob

    def _take(self, header: dict[str, Any], blob: bytes) -> None:
        if self.ready is None:
            self.ready = _checked(header, {"run": int, "status": str, "lacks": str, "torch": str, "python": str})
            return
        record = _record(header, blob, self._bytes_max)
        if record.status in LAUNCHER_STATUSES and not self._is_forked:
            raise ProtocolError(f"sent the record {record.status!r}, which it must not write")
        expected = 0 if record.status == "not_loaded" else self._order[len(self.records)]
        if record.run != expected or (record.status == "not_loaded" and self.records):
            raise ProtocolError(f"answered run {record.run} instead of run {expected}")
        self.records.append(record)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    header = dict(pairs)
    if len(header) != len(pairs):
        raise ValueError("duplicate key")
    return header


def _checked(header: dict[str, Any], types: Mapping[str, Any]) -> dict[str, Any]:
    """Return the header if it has exactly these keys, with values of exactly these types."""
    if set(header) != set(types):
        raise ProtocolError(f"sent a record with the keys {sorted(header)[:10]}")
    for key, kinds in types.items():
        if type(header[key]) not in (kinds if isinstance(kinds, tuple) else (kinds,)):
            raise ProtocolError(f"sent a {type(header[key]).__name__} as {key}")
    return header


SHAPES: Mapping[str, Mapping[str, Any]] = {
    "ok": {
        "run": int,
        "status": str,
        "leaves": list,
        "grads": dict,
        "complaint": str,
        "mutated": list,
        "attached": list,
    },
    "raised": {
        "run": int,
        "status": str,
        "type": str,
        "message": str,
        "line": (int, type(None)),
        "is_memory": bool,
        "is_collective": bool,
        "stood": str,
        "is_waiting": bool,
    },
    "not_loaded": {"run": int, "status": str, "message": str},
    "dead": {"run": int, "status": str, "exit_code": int, "stood": str, "is_waiting": bool},
    "stuck": {"run": int, "status": str, "stood": str, "is_waiting": bool},
    "mismatched": {"run": int, "status": str, "message": str},
    "lost": {"run": int, "status": str, "message": str},
}


def _record(header: dict[str, Any], blob: bytes, bytes_max: int) -> Record:
    status = header.get("status")
    if not isinstance(status, str) or status not in SHAPES:
        raise ProtocolError("sent a record with an unknown status")
    _checked(header, SHAPES[status])
    if status != "ok":
        if blob:
            raise ProtocolError("sent tensors along with a failure")
        return Record(header["run"], status, failure=header)
    grads, mutated = header["grads"], header["mutated"]
    if not all(isinstance(name, str) for name in (*mutated, *header["attached"])):
        raise ProtocolError("sent a mutated argument or an output without a name")
    tensors = _tensors(blob)
    leaves: dict[str, Leaf] = {}
    for place, item in enumerate(header["leaves"]):
        if not isinstance(item, list) or len(item) != 3 or not isinstance(item[0], str) or item[0] in leaves:
            raise ProtocolError("sent an output without a unique path")
        leaves[item[0]] = _leaf(item[1:], tensors, str(place), bytes_max)
    gradients = {
        name: None if item is None else _leaf(item, tensors, f"grad.{name}", bytes_max) for name, item in grads.items()
    }
    if tensors or len(leaves) > LEAVES_MAX + 1:
        raise ProtocolError("sent more tensors than it announced")
    attached = tuple(header["attached"])
    return Record(header["run"], status, leaves, gradients, header["complaint"], tuple(mutated), attached)


def _tensors(blob: bytes) -> dict[str, torch.Tensor]:
    if not blob:
        return {}
    if len(blob) < 8 or struct.unpack_from("<Q", blob)[0] > HEADER_BYTES_MAX:
        raise ProtocolError("sent tensors with an oversized header")
    try:
        tensors: dict[str, torch.Tensor] = load(blob)
        return tensors
    except (SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise ProtocolError(f"sent damaged tensors: {str(error)[:200]}") from error


def _leaf(item: Any, tensors: dict[str, torch.Tensor], name: str, bytes_max: int) -> Leaf:
    if not isinstance(item, list) or len(item) != 2:
        raise ProtocolError("sent an output without a kind and a value")
    kind, value = item
    numbers: dict[str, Callable[[Any], bool]] = {
        "bool": lambda content: type(content) is bool,
        "int": lambda content: type(content) is int and abs(content) < 2**63,
        "float": lambda content: type(content) is float,
    }
    if kind == "other" and isinstance(value, str):
        return OmittedValue(value[:100])
    if kind in numbers and numbers[kind](value):
        return value
    if kind not in ("tensor", "huge") or not isinstance(value, list) or len(value) != 2 or value[0] not in DTYPES:
        raise ProtocolError("sent an output of an unknown kind")
    dtype, shape = value
    if not isinstance(shape, list) or not all(type(size) is int and 0 <= size < 2**48 for size in shape):
        raise ProtocolError("sent an invalid shape")
    if kind == "huge":
        return OmittedValue(f"a {dtype} tensor", tuple(shape))
    tensor = tensors.pop(name, None)
    if tensor is None or list(tensor.shape) != shape or str(tensor.dtype) != f"torch.{dtype}":
        raise ProtocolError("sent a tensor that does not match its announcement")
    if math.prod(shape) * tensor.element_size() > bytes_max:
        raise ProtocolError("sent a tensor larger than any expected one")
    return tensor
