"""The parts that transport bytes: limits, frames, and the decisions of the read loop."""

from __future__ import annotations

import os
import struct

import pytest

from sandbox.docker.cell import Frames
from sandbox.job import Ending, Job
from sandbox.stream import CUT_MARK, CappedLog, OutputCollector, PayloadWriter, pump


def collector(**more: object) -> OutputCollector:
    return OutputCollector(Job("pass", b"", 20.0, 2**28, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize("chunk_bytes", [1, 7, 100, 5000])
def test_a_log_keeps_its_first_and_its_last_part(chunk_bytes: int) -> None:
    text = b"".join(b"%06d " % number for number in range(1000))
    log = CappedLog(200)
    for start in range(0, len(text), chunk_bytes):
        log.take(text[start : start + chunk_bytes])
    kept = log.bytes()
    assert log.is_cut
    assert len(kept) == 200
    assert kept[:100] == text[:100]
    assert kept[100:].startswith(CUT_MARK)
    assert kept[100 + len(CUT_MARK) :] == text[-(100 - len(CUT_MARK)) :]


@pytest.mark.parametrize("bytes_max", [0, 1, 10, 200])
def test_a_log_of_just_the_cap_is_whole_and_one_byte_more_is_not(bytes_max: int) -> None:
    log = CappedLog(bytes_max)
    log.take(b"x" * bytes_max)
    assert (log.bytes(), log.is_cut) == (b"x" * bytes_max, False)
    log.take(b"y")
    assert log.is_cut
    assert len(log.bytes()) <= bytes_max


@pytest.mark.parametrize("chunk_bytes", [1, 3, 8, 9, 1000])
def test_frames_may_be_cut_anywhere(chunk_bytes: int) -> None:
    def frame(stream: int, data: bytes) -> bytes:
        return struct.pack(">BxxxL", stream, len(data)) + data

    wire = frame(1, b"result ") + frame(2, b"log ") + frame(1, b"") + frame(2, b"x" * 300) + frame(1, b"end")
    taken = collector()
    frames = Frames(taken)
    for start in range(0, len(wire), chunk_bytes):
        frames.take(wire[start : start + chunk_bytes])
    assert bytes(taken.result) == b"result end"
    assert taken.log.bytes() == b"log " + b"x" * 300


def test_nothing_is_added_to_a_whole_result() -> None:
    taken = collector(is_complete=lambda result: result == b"whole")
    taken.take_result(b"who")
    taken.check_result()
    taken.take_result(b"le")
    taken.check_result()
    taken.take_result(b" and more")
    finished = taken.finished(Ending.RESULT_COMPLETE, None, "none")
    assert (taken.ending, finished.result) == (Ending.RESULT_COMPLETE, b"whole")


def test_a_result_that_arrives_together_with_the_end_is_judged_too() -> None:
    taken = collector(is_complete=lambda result: result == b"whole")
    (result, result_writer), (end, end_writer), (payload, payload_writer) = os.pipe(), os.pipe(), os.pipe()
    os.write(result_writer, b"whole")
    for descriptor in (result_writer, end_writer):
        os.close(descriptor)
    feed = PayloadWriter(payload_writer, b"in", lambda: os.close(payload_writer))
    pump(taken, {result: taken.take_result, end: lambda _: None}, end, feed)
    assert taken.ending is Ending.RESULT_COMPLETE
    assert os.read(payload, 10) == b"in"
    for descriptor in (result, end, payload):
        os.close(descriptor)


def test_a_result_of_just_the_cap_is_fine() -> None:
    taken = collector(result_bytes_max=4)
    taken.take_result(b"four")
    assert not taken.ending
    taken.take_result(b"!")
    assert bytes(taken.result) == b"four"
    assert taken.ending is Ending.RESULT_TOO_LARGE


def test_a_result_too_large_is_not_whole() -> None:
    taken = collector(result_bytes_max=4, is_complete=lambda _: True)
    taken.take_result(b"five!")
    taken.check_result()
    assert taken.ending is Ending.RESULT_TOO_LARGE
