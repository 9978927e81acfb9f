"""Real submissions through the real worker: the same verdicts as `grade`, and ctrl+c keeps the rows so far."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tasks.load import find_task
from tests.cli.test_grade_all import Captured, folder_of, rows_of, said
from tests.subjects import starts

pytestmark = [
    pytest.mark.recorded(subject_of=starts("interviewer.cli.grade_all", tasks=("gae",))),
    pytest.mark.slow,
]


def _real(folder: Path) -> Path:
    task = find_task("gae")
    folder_of(folder, anna=task.reference, ben=next(m.source for m in task.mistakes if m.id == "monte_carlo_targets"))
    return folder_of(folder, carl="raise ValueError('\\x1b[31mred')", dora=task.reference)


@pytest.mark.parametrize("sandbox", ["process", pytest.param("docker", marks=pytest.mark.docker)])
def test_real_submissions_get_the_verdicts_that_grade_gives(capsys: Captured, tmp_path: Path, sandbox: str) -> None:
    folder = _real(tmp_path / "in")
    code, out, _ = said(capsys, "grade-all", "gae", str(folder), "--sandbox", sandbox, "--seed", "5", "--json")
    shown = json.loads(out)["submissions"]
    assert code == 1
    assert [submission["verdict"] for submission in shown] == ["passed", "wrong_value", "not_loaded", "passed"]
    assert [submission["mistakes"] for submission in shown] == [[], ["monte_carlo_targets"], [], []]
    assert "red" in shown[2]["failing_cases"][0]["message"]
    shared = [submission["isolation"].startswith("shared container, separate users") for submission in shown]
    assert shared == [sandbox == "docker"] * 4
    assert not (tmp_path / "home").exists()


def test_a_real_ctrl_c_ends_it_within_seconds(tmp_path: Path) -> None:
    task = find_task("gae")
    folder = folder_of(tmp_path / "in", a=task.reference, b="import time\ntime.sleep(600)\n", c=task.reference)
    path = tmp_path / "out.csv"
    script = "from interviewer.cli.main import main; main()"
    arguments = ["grade-all", "gae", str(folder), "--sandbox", "process", "--csv", str(path)]
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as app:
        assert app.stdout
        assert "seed" in app.stdout.readline()
        assert app.stdout.readline().split()[:2] == ["a.py", "passed"]
        app.send_signal(signal.SIGINT)
        out, err = app.communicate(timeout=15)
    assert (app.returncode, err) == (130, "")
    assert "Stopped after 1 of 3." in out
    assert [row["name"] for row in rows_of(path)] == ["a.py"]
