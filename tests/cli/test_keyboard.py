"""What the doctor says about the keys, on a pseudo-terminal that replies like a real one; no reply becomes input."""

from __future__ import annotations

import os
import pty
import select
import termios
import threading
from collections.abc import Iterator
from io import StringIO
from typing import IO

import pytest

from interviewer.cli import doctor
from interviewer.cli.doctor import QUESTION, keyboard

Ends = tuple[int, IO[bytes]]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Return both ends of a pseudo-terminal: the terminal's, and the program's."""
    terminal, program = pty.openpty()
    with os.fdopen(program, "rb+", buffering=0) as stream:
        yield terminal, stream
    os.close(terminal)


@pytest.mark.expectation(number=71)
@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (b"\x1b[?1u\x1b[?62;4c", "reported in full (Kitty protocol)"),
        (b"\x1b[?0u\x1b[?6c", "reported in full (Kitty protocol)"),
        (b"\x1b[?62;22c", "in the legacy encoding"),
        (b"", "did not answer the query"),
        (b"\x1b[?", "did not answer the query"),
    ],
)
def test_the_terminal_is_asked_and_left_as_it_was(ends: Ends, reply: bytes, says: str) -> None:
    terminal, program = ends
    asked: list[bytes] = []

    def answer() -> None:
        asked.append(os.read(terminal, 256))
        os.write(terminal, reply)

    before = termios.tcgetattr(program)
    answering = threading.Thread(target=answer, daemon=True)
    answering.start()
    check = keyboard(program, program)
    answering.join()
    assert asked == [QUESTION]
    assert check.is_ok
    assert says in check.detail
    assert termios.tcgetattr(program) == before
    # No part of a reply is left for the shell to read as typed text.
    assert not select.select([program], [], [], 0.05)[0]


def test_an_answer_in_pieces_is_waited_for_and_a_key_is_no_answer(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PATIENCE_SECONDS", 60.0)
    terminal, program = ends

    def answer() -> None:
        heard = b""  # first, the echo of the typed key
        while not heard.endswith(QUESTION):
            heard += os.read(terminal, 256)
        for piece in (b"c", b"\x1b[?", b"1u\x1b[?6", b"2c"):
            os.write(terminal, piece)
            threading.Event().wait(0.05)

    os.write(terminal, b"c")
    answering = threading.Thread(target=answer, daemon=True)
    answering.start()
    check = keyboard(program, program)
    answering.join()
    assert "reported in full" in check.detail


def test_no_terminal_is_not_asked() -> None:
    out = StringIO()
    assert keyboard(StringIO(), out).detail == "not checked: not running in a terminal"
    assert out.getvalue() == ""
