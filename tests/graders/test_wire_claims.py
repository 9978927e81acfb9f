"""The promises that the wire format makes, each with the byte that would break it."""

from __future__ import annotations

import ast
import dataclasses
import json
import struct
from pathlib import Path

import pytest
import torch
from safetensors.torch import save

from graders.grade import cleaned
from graders.runner.execution import frame
from graders.verdict import Verdict
from graders.wire import HEADER_BYTES_MAX, Reader
from interviewer.session.state import Attempt
from interviewer.tui.widgets.verdict import verdict_content
from tests.session.build import report

ROOT = Path(__file__).parents[2]
READY = frame({"run": 0, "status": "ready", "lacks": "", "torch": "2", "python": "3"})
OK = {
    "run": 0,
    "status": "ok",
    "leaves": [["a", "tensor", ["float32", [2]]]],
    "grads": {},
    "mutated": [],
    "attached": [],
}
FORBIDDEN = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "multiprocessing"}


def read(data: bytes) -> Reader:
    reader = Reader((0,), bytes_max=64)
    reader.feed(READY + data)
    return reader


def padded(head_bytes: int) -> bytes:
    head = json.dumps({"run": 0, "status": "not_loaded", "message": "m"}).encode().ljust(head_bytes)
    return struct.pack("<II", len(head), 0) + head


def packed(blob: bytes) -> bytes:
    head = json.dumps({**OK, "complaint": ""}).encode()
    return struct.pack("<II", len(head), len(blob)) + head + blob


def test_a_header_holds_at_most_64_kib() -> None:
    assert HEADER_BYTES_MAX == 64 * 2**10
    assert read(padded(HEADER_BYTES_MAX)).error is None
    assert "announced 65537 header bytes" in str(read(padded(HEADER_BYTES_MAX + 1)).error)
    # Rejected when announced: none of it needs to arrive.
    assert read(struct.pack("<II", HEADER_BYTES_MAX + 1, 0)).error is not None


def test_tensors_have_exactly_the_size_that_is_due() -> None:
    right = save({"0": torch.ones(2)})
    assert read(packed(right)).error is None
    wrong = {
        "one byte more": right + b"x",
        "one byte less": right[:-1],
        "a number more": save({"0": torch.ones(3)}),
        "a tensor more": save({"0": torch.ones(2), "1": torch.ones(2)}),
        "none": b"",
        "a header of its own of 64 KiB and one": struct.pack("<Q", HEADER_BYTES_MAX + 1) + b" " * 2**17,
    }
    assert [name for name, blob in wrong.items() if read(packed(blob)).error is None] == []


def test_a_byte_after_the_last_record_breaks_the_protocol() -> None:
    whole = packed(save({"0": torch.ones(2)}))
    assert "1 extra bytes after its last record" in str(read(whole + b"\n").error)


def test_nothing_of_ours_reads_pickles_or_has_torch_read_files() -> None:
    forbidden = []
    for path in [*(ROOT / "graders").rglob("*.py"), *(ROOT / "sandbox").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            # The content gate spreads our own tasks over processes of its own; no submission comes there.
            allowed = {"multiprocessing"} if path.name == "check.py" else set()
            if (FORBIDDEN - allowed) & {part for name in names for part in name.split(".")}:
                forbidden.append(f"{path.name}:{node.lineno} imports {names}")  # type: ignore[attr-defined]
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("torch.load", "np.load", "numpy.load"):
                forbidden.append(f"{path.name}:{node.lineno} calls {ast.unparse(node.func)}")
    assert forbidden == []


HOSTILE = b"\x1b[2J\x1b]52;c;aGk=\x07[red]passed[/red] [link='x']y[/link]\r\x00\x9b31m\xe2\x80\xaeright\xff\n"


def test_what_was_printed_is_plain_text_without_control_characters() -> None:
    text = cleaned(HOSTILE)
    assert not [character for character in text if ord(character) < 32 and character != "\n"]
    assert not {"\x1b", "\x7f", "\x9b", "\u202e"} & set(text)
    assert "[red]passed[/red]" in text


@pytest.mark.parametrize("place", ["stdout", "message"])
def test_the_screen_shows_it_as_text_and_not_as_markup(place: str) -> None:
    hostile = HOSTILE.decode("utf-8", "replace")
    given = report(Verdict.WRONG_VALUE)
    if place == "stdout":
        given = dataclasses.replace(given, stdout=hostile)
    else:
        given = dataclasses.replace(given, cases=(dataclasses.replace(given.cases[1], message=hostile),))
    content = verdict_content(Attempt(0.0, "source", given), 1)
    assert "[red]passed[/red]" in content.plain
    assert not {"\x1b", "\x07", "\x00", "\x9b", "\r"} & set(content.plain)
    assert not [span for span in content.spans if "red" in str(span.style) or "link" in str(span.style)]
