"""What is graded in a shell is practice too, unless it is somebody else's; a log that fails costs no verdict."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from interviewer.cli.group import run
from interviewer.log.store import PracticeLog
from tasks.load import find_task

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))
    (tmp_path / "right.py").write_text(find_task("pool_tokens").reference, encoding="utf-8")
    return ["grade", "pool_tokens", str(tmp_path / "right.py"), "--sandbox", "process", "--json"]


@pytest.mark.slow
def test_a_graded_file_is_in_the_log_with_its_source_and_seed(command: list[str], tmp_path: Path) -> None:
    assert run([*command, "--seed", "7"]) == 0
    assert run([*command, "--no-log"]) == 0
    log = PracticeLog(tmp_path / "home" / "data" / "log.db")
    (kept,) = log.attempts()
    log.close()
    assert (kept.task, kept.origin, kept.report.seed) == ("pool_tokens", "grade", 7)
    assert kept.source == (tmp_path / "right.py").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_log_that_takes_nothing_is_told_beside_the_verdict(
    command: list[str], tmp_path: Path, capsys: Captured
) -> None:
    data = tmp_path / "home" / "data"
    data.parent.mkdir(parents=True)
    data.write_text("no folder", encoding="utf-8")
    assert run(command) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["verdict"] == "passed"
    assert "Not saved to the practice log" in said.err
    assert os.path.isfile(data)
