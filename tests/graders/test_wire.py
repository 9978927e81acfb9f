"""Whatever bytes are received, reading them ends in checked records or a ProtocolError."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.runner.execution import frame, read_payload, rebuild
from graders.wire import Reader, encode, pack
from tasks.task import PerRank

READY = frame({"run": 0, "status": "ready", "lacks": "", "torch": "2", "python": "3"})
OK = {"run": 0, "status": "ok", "leaves": [["a", "tensor", ["float32", [2]]], ["b", "float", 0.5]]}
OK |= {"grads": {"x": None}, "complaint": "", "mutated": [], "attached": []}
GOOD = frame(OK, {"0": torch.tensor([1.0, 2.0])})


def read(data: bytes, order: tuple[int, ...] = (0,)) -> Reader:
    reader = Reader(order, bytes_max=64)
    reader.feed(data)
    return reader


def test_a_record_arrives_in_any_portions() -> None:
    whole = READY + GOOD
    reader = Reader((0,), bytes_max=64)
    assert not any(reader.feed(whole[:end]) for end in range(len(whole)))
    assert reader.feed(whole)
    assert reader.error is None
    assert reader.records[0].leaves["a"].tolist() == [1.0, 2.0]
    assert reader.records[0].leaves["b"] == 0.5


def changed(**more: object) -> bytes:
    return frame({**OK, **more}, {"0": torch.tensor([1.0, 2.0])})


BROKEN = {
    "after the last": GOOD + b"x",
    "header not JSON": struct.pack("<II", 4, 0) + b"junk",
    "header an array": struct.pack("<II", 2, 0) + b"[]",
    "header too deep": struct.pack("<II", 60000, 0) + b"[" * 60000,
    "header too long": struct.pack("<II", 2**16 + 1, 0) + b" " * (2**16 + 1),
    "blob too long": struct.pack("<II", 2, 2**31) + b"{}",
    "key twice": struct.pack("<II", 40, 0) + b'{"status": "stuck", "run": 0, "run": 0 }'.ljust(40),
    "unknown status": frame({"run": 0, "status": "passed"}),
    "unknown key": changed(verdict="passed"),
    "wrong run": changed(run=1),
    "run a bool": changed(run=False),
    "path twice": changed(leaves=[["a", "float", 1.0], ["a", "float", 2.0]]),
    "path no text": changed(leaves=[[1, "float", 1.0]]),
    "float a text": changed(leaves=[["a", "float", "1.0"]]),
    "int too large": changed(leaves=[["a", "int", 2**70]]),
    "tensor unannounced": changed(leaves=[["b", "float", 0.5]]),
    "other dtype": changed(leaves=[["a", "tensor", ["float64", [2]]]]),
    "unknown dtype": changed(leaves=[["a", "tensor", ["pickle", [2]]]]),
    "other shape": changed(leaves=[["a", "tensor", ["float32", [1, 2]]]]),
    "negative shape": changed(leaves=[["a", "tensor", ["float32", [-2]]]]),
    "negative shape of what is not there": frame({**OK, "leaves": [["a", "huge", ["float32", [-2]]]]}),
    "too large": frame({**OK, "leaves": [["a", "tensor", ["float32", [99]]]]}, {"0": torch.zeros(99)}),
    "safetensors header lies": struct.pack("<II", len(json.dumps(OK)), 16) + json.dumps(OK).encode() + b"\xff" * 16,
    "late refusal": GOOD + frame({"run": 0, "status": "not_loaded", "message": "no"}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_record_is_a_protocol_error(name: str) -> None:
    reader = read(READY + BROKEN[name])
    assert reader.error is not None


def test_records_out_of_order_are_refused() -> None:
    second = frame({**OK, "run": 1}, {"0": torch.tensor([1.0, 2.0])})
    assert read(READY + GOOD + second, (0, 1)).error is None
    assert read(READY + second + GOOD, (0, 1)).error is not None
    assert read(READY + GOOD + GOOD, (0, 1)).error is not None


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200), st.integers(0, len(READY + GOOD)), st.integers(0, 40))
def test_damage_anywhere_never_escapes(junk: bytes, place: int, cut: int) -> None:
    whole = READY + GOOD
    reader = read(whole[:place] + junk + whole[place + cut :])
    assert reader.error or not reader.is_complete or len(reader.records) == 1


def test_arguments_survive_the_journey() -> None:
    args: dict[str, Any] = {
        "matrix": torch.arange(6.0).reshape(2, 3).T,
        "half": torch.tensor([1.0], dtype=torch.bfloat16),
        "numbers": (1, 2.5, None, True, "x", [float("inf")], {"a": {3, 4}}),
        "share": PerRank((torch.tensor(1), torch.tensor(2))),
    }
    work = read_payload(pack({"runs": [{}]}, encode([args])))
    rebuilt = rebuild(work["runs"][0]["args"], work["tensors"], 1, "cpu")
    assert torch.equal(rebuilt["matrix"], args["matrix"])
    assert rebuilt["matrix"].stride() == (1, 3)
    assert rebuilt["half"].dtype is torch.bfloat16
    assert rebuilt["numbers"] == args["numbers"]
    assert rebuilt["share"] == 2
    exact = read_payload(pack({"runs": [{}]}, encode([args], is_float64=True)))
    assert rebuild(exact["runs"][0]["args"], exact["tensors"], 0, "cpu")["matrix"].dtype is torch.float64


def test_an_argument_that_cannot_travel_is_refused() -> None:
    with pytest.raises(TypeError, match="type object"):
        encode([{"x": object()}])
