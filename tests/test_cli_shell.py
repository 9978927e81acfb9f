"""What a shell asks for: help, versions, completion, folders."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.cli import run

Captured = pytest.CaptureFixture[str]


def test_help_has_examples_and_a_mistyped_option_gets_the_nearest(capsys: Captured) -> None:
    assert run(["-h"]) == 0
    assert "interviewer challenge --pick bugs" in capsys.readouterr().out
    assert run(["interview", "--qestion", "x"]) == 2
    told = capsys.readouterr()
    assert "--question" in told.err
    assert told.out == ""


def test_version_names_python_and_the_libraries(capsys: Captured) -> None:
    assert run(["--version"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("interviewer 0.")
    assert f"Python {sys.version_info.major}.{sys.version_info.minor}" in out
    assert "textual 8.2.8" in out
    assert "litellm 1." in out


def test_paths_names_the_three_folders(capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path))
    assert run(["paths"]) == 0
    names = ("config", "data", "cache")
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [[n, str(tmp_path / n)] for n in names]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_three_shells(shell: str, capsys: Captured) -> None:
    assert run(["completion", shell]) == 0
    assert "_INTERVIEWER_COMPLETE" in capsys.readouterr().out


def test_the_completion_that_is_printed_completes() -> None:
    asked = {"_INTERVIEWER_COMPLETE": "bash_complete", "COMP_WORDS": "interviewer ch", "COMP_CWORD": "1"}
    command = [sys.executable, "-c", "from interviewer.cli import main; main()"]
    done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert "plain,challenge" in done.stdout.splitlines()
