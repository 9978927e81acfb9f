"""The lab command shows measurements next to estimates, stores the latest result, and rejects bad input clearly."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from graders.client import GraderClient
from graders.lab.meter import COUNTED
from graders.lab.result import Figure, LabResult, Setup
from interviewer.cli.group import run
from interviewer.log.attempts import new_attempt
from interviewer.log.reports.html import html_report
from interviewer.log.reports.lab import KeptLab, lab_text, load_labs, save_lab
from interviewer.log.store import PracticeLog
from tasks.load import find_task
from tests.log.build import attempt, history_of
from tests.log.test_page import HOSTILE, Reader
from tests.subjects import starts

Captured = pytest.CaptureFixture[str]
HALF = find_task("kv_bytes").reference.replace("2 * d_h", "d_h")


def result(**changes: Any) -> LabResult:
    figures = (
        Figure("cache after the last token", 4_000, 4_000.0, 1_000.0),
        Figure("peak while decoding", 9_000),
    )
    given = {
        "task": "kv_bytes",
        "device": "cpu",
        "method": COUNTED,
        "unit": "bytes",
        "torch": "2.13.0",
        "setups": (Setup("8 heads", "L=3", figures, "A note."),),
        "has_submission": True,
    }
    return LabResult(**{**given, **changes})


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def asked(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Return the requests that reach the grader, which returns a small result."""
    requests: list[tuple[Any, ...]] = []

    def lab(_: GraderClient, *given: Any, **settings: Any) -> LabResult:
        requests.append(given)
        return result(has_submission=bool(given[1]))

    monkeypatch.setattr(GraderClient, "lab", lab)
    return requests


def test_the_table_has_a_bar_and_a_difference_for_each_number() -> None:
    lines = lab_text(result(), "KV cache", "half.py", bar="#").splitlines()
    assert lines[:3] == ["KV cache", f"Measured on the CPU with torch 2.13.0. {COUNTED}", "Yours: half.py."]
    table = [line.split("  ") for line in lines if "#" in line]
    assert [[cell.strip() for cell in row if cell.strip()] for row in table] == [
        ["cache after the last token", "measured", "4,000", "#" * 11],
        ["reference", "4,000", "#" * 11, "matches"],
        ["yours", "1,000", "###", "-75.0%"],
        ["peak while decoding", "measured", "9,000", "#" * 24],
    ]
    assert lines[-1] == (
        "Your estimates match the reference for 0 of 1 figures. "
        "Furthest off: 8 heads, cache after the last token: -75.0% from the measurement."
    )
    assert "  Note: A note." in lines


def test_without_an_estimate_the_text_says_how_to_give_one() -> None:
    bare = Setup("8 heads", "L=3", (Figure("cache", 4_000, 4_000.0),))
    text = lab_text(result(setups=(bare,), has_submission=False), "KV cache", "")
    assert "No estimate from you yet: pass --file FILE" in text
    assert "Your estimates" not in text
    assert "  yours" not in text


def test_a_right_estimate_agrees_even_where_a_real_model_takes_more() -> None:
    figures = (Figure("kept", 4_100, 4_000.0, 4_000.0), Figure("recomputed", 5_000, 5_000.0, 5_000.0))
    text = lab_text(result(setups=(Setup("fused", "L=3", figures),)), "Activations", "right.py")
    assert "-2.4%" in text
    assert text.endswith("Your estimates match the reference for all 2 figures.")


def test_an_estimate_that_raised_shows_its_error_in_place_of_a_number() -> None:
    broken = Figure("cache", 4_000, 4_000.0, None, "ValueError: no idea")
    text = lab_text(result(setups=(Setup("8 heads", "L=3", (broken,)),)), "KV cache", "half.py")
    assert "ValueError: no idea" in text
    assert text.endswith("Furthest off: 8 heads, cache: ValueError: no idea.")


def test_the_last_submission_in_the_log_is_used_or_the_file(asked: list[Any], home: Path, capsys: Captured) -> None:
    assert run(["lab", "kv_bytes"]) == 0
    log = PracticeLog(home / "data" / "log.db")
    for source, at in (("first", 1000.0), ("second", 2000.0)):
        log.record_attempt(new_attempt(attempt(task="kv_bytes", at=at).report, source, "grade", at=at))
    log.close()
    assert run(["lab", "kv_bytes"]) == 0
    file = home / "mine.py"
    file.write_text("third", encoding="utf-8")
    assert run(["lab", "kv_bytes", "--file", str(file), "--device", "cpu"]) == 0
    assert [request[1:] for request in asked] == [("", "auto"), ("second", "auto"), ("third", "cpu")]
    out = capsys.readouterr().out
    assert "Yours: your last submission, from 1970-01-01" in out
    assert f"Yours: {file}." in out


def test_the_latest_result_of_a_task_is_in_the_report_until_forgotten(
    asked: list[Any], home: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert run(["lab", "kv_bytes", "--html", str(tmp_path / "lab.html")]) == 0
    assert run(["lab", "kv_bytes"]) == 0
    assert len(load_labs(home / "data")) == 1
    page = tmp_path / "report.html"
    assert run(["report", "--html", str(page)]) == 0
    for text in ((tmp_path / "lab.html").read_text(encoding="utf-8"), page.read_text(encoding="utf-8")):
        words = Reader(text).words
        assert "Memory lab" in words
        assert "cache after the last token" in words
        assert 'role="img"' in text
        assert "8 heads, in bytes" in text
    (home / "data" / "lab" / "broken.json").write_text("{", encoding="utf-8")
    assert len(load_labs(home / "data")) == 1, "a file that cannot be read costs no report"
    assert run(["forget", "--all", "--yes"]) == 0
    assert load_labs(home / "data") == []
    assert list((home / "data" / "lab").iterdir()) == []


def test_what_a_result_quotes_never_becomes_markup(tmp_path: Path) -> None:
    setup = Setup(HOSTILE, HOSTILE, (Figure(HOSTILE, 1, 1.0, None, HOSTILE),), HOSTILE)
    hostile = KeptLab(0.0, HOSTILE, result(setups=(setup,), torch=HOSTILE, method=HOSTILE))
    save_lab(tmp_path, KeptLab(time.time(), "me", result()))
    page = html_report(history_of(tmp_path), [], [], "Report", 0.0, [hostile, *load_labs(tmp_path)])
    read = Reader(page)
    assert not {"script", "img", "a"} & read.tags
    assert not [name for name, _ in read.attributes if name.startswith("on")]
    assert not {"\x1b", "\x00", "\x08", "\u202e"} & set(page)


def test_a_task_without_a_lab_is_bad_input(home: Path, capsys: Captured) -> None:
    assert run(["lab", "collective_time"]) == 2
    told = capsys.readouterr()
    assert "there is no memory lab for collective_time" in told.err
    assert "kv_bytes" in told.err
    assert told.out == ""


@pytest.mark.recorded(subject_of=starts("interviewer.cli.lab", tasks=("kv_bytes",)))
@pytest.mark.slow
def test_a_wrong_estimate_runs_in_the_sandbox_and_shows_its_difference(
    home: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    file = tmp_path / "half.py"
    file.write_text(HALF, encoding="utf-8")
    command = ["lab", "kv_bytes", "--sandbox", "process", "--file", str(file)]
    assert run([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["method"] == COUNTED
    first = told["setups"][0]["figures"][0]
    assert (first["measured"], first["reference"], first["yours"]) == (983_040, 983_040, 491_520)
    assert told["isolation"] != ""
    assert run([*command, "--device", "cuda"]) == 3
    assert "torch sees no CUDA device" in capsys.readouterr().err
