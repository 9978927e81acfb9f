"""A start that takes longer than a second says why; a quick one says nothing."""

from __future__ import annotations

import threading

import pytest

from interviewer.cli.launch import SLOW_START, explained_if_slow


def test_a_slow_start_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    said = ""
    with explained_if_slow(0.0):
        while not said:
            said = capsys.readouterr().err
    assert said == SLOW_START


def test_a_quick_start_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    before = threading.active_count()
    with explained_if_slow(3600.0):
        pass
    while threading.active_count() > before:
        pass
    assert capsys.readouterr().err == ""
