"""A recorded test is skipped only while its files and its code are the same, and only passed tests are recorded."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from graders.gate import record
from tests import recorded
from tests.recorded import PROPERTY, UNCHANGED, Recorder, Subject, why_skipped


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Yield the file of an empty record, which this test's process uses; nothing is run again at random."""
    monkeypatch.setattr(recorded, "RECORD", tmp_path / "recorded.json")
    monkeypatch.setattr(recorded, "MODE", "")
    monkeypatch.setattr(recorded, "SHARE_AGAIN", 0.0)
    for function in (recorded.read_record, recorded._is_drawn_again, record.code_digest):
        function.cache_clear()
    forget_digests()
    yield tmp_path / "recorded.json"
    request.node.user_properties.clear()


def forget_digests() -> None:
    """Force the next subject's digest to be computed again."""
    recorded._digest.cache_clear()
    recorded._path_digest.cache_clear()


def make_item(request: pytest.FixtureRequest, file: Path) -> pytest.Item:
    """Return this test, marked with this file as its subject."""
    item: pytest.Item = request.node
    item.user_properties.clear()
    item.add_marker(pytest.mark.recorded(subject_of=lambda _: Subject("it", (file,))))
    return item


def record_outcome(item: pytest.Item, **outcome: Any) -> None:
    """Write a record of one report of this item."""
    plain = {"when": "call", "passed": False, "failed": False, "longreprtext": ""}
    report = Mock(user_properties=item.user_properties, **(plain | outcome))
    recorder = Recorder()
    recorder.pytest_runtest_logreport(report)
    recorder.pytest_sessionfinish()
    recorded.read_record.cache_clear()


def test_what_passed_is_skipped_until_its_file_or_its_code_changes(
    kept: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = record.ROOT / "README.md"
    item = make_item(request, file)
    assert why_skipped(item) == ""
    record_outcome(item, passed=True)
    assert why_skipped(item) == UNCHANGED

    monkeypatch.setattr(recorded, "files_digest", lambda *_: b"another file")
    forget_digests()
    assert why_skipped(item) == ""
    monkeypatch.undo()

    monkeypatch.setattr(recorded, "RECORD", kept)
    monkeypatch.setattr(recorded, "SHARE_AGAIN", 0.0)
    forget_digests()
    recorded.read_record.cache_clear()
    assert why_skipped(item) == UNCHANGED
    monkeypatch.setattr(recorded, "code_digest", lambda *_: b"other code")
    forget_digests()
    assert why_skipped(item) == ""


def test_a_draw_or_a_wish_runs_it_anyway(
    kept: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = make_item(request, record.ROOT / "README.md")
    why_skipped(item)
    record_outcome(item, passed=True)
    monkeypatch.setattr(recorded, "SHARE_AGAIN", 1.0)
    assert why_skipped(item) == ""
    recorded._is_drawn_again.cache_clear()
    monkeypatch.setattr(recorded, "SHARE_AGAIN", 0.0)
    assert why_skipped(item) == UNCHANGED
    monkeypatch.setattr(recorded, "MODE", "all")
    assert why_skipped(item) == ""


@pytest.mark.parametrize(
    ("outcome", "is_kept"),
    [
        ({"passed": True}, True),
        ({"failed": True}, False),
        ({"longreprtext": "Skipped: no Docker"}, False),
        ({"when": "setup", "passed": True}, False),
        ({"when": "setup", "longreprtext": f"Skipped: {UNCHANGED}"}, True),
    ],
)
def test_only_what_passed_or_is_unchanged_is_recorded(
    kept: Path, request: pytest.FixtureRequest, outcome: dict[str, Any], is_kept: bool
) -> None:
    item = make_item(request, record.ROOT / "README.md")
    why_skipped(item)
    entry: Any = dict(item.user_properties)[PROPERTY]
    key, digest = entry
    record_outcome(item, **outcome)
    assert json.loads(kept.read_text())["digests"] == ({key: digest} if is_kept else {})


def test_a_test_of_real_workers_depends_on_what_they_run_and_on_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = recorded.grader(None)
    assert {"graders.worker", "graders.runner.entrypoint", "sandbox.docker.forkserver", "sandbox"} <= {*subject.modules}
    release = platform.release()
    monkeypatch.setattr("platform.release", lambda: f"{release}-another-build")
    assert recorded.grader(None).machine == subject.machine
    monkeypatch.setattr("platform.release", lambda: "1.0.3")
    assert recorded.grader(None).machine != subject.machine
