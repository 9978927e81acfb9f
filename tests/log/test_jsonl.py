"""An exported log is imported byte for byte; a second import and a broken file change nothing."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graders.verdict import Verdict
from interviewer.log.errors import NotAnExport
from interviewer.log.reports.jsonl import ImportResult, export_lines, import_recording, read_lines
from interviewer.log.store import PracticeLog
from interviewer.sanitize import MASKED, masker
from interviewer.session import events
from interviewer.session.state import Summary
from tests.log.build import attempt, logged, run_of, whole_run
from tests.session.build import heard

MASK = masker({"X_API_KEY": "correct horse"})


def full_log(folder: Path, words: str = "an answer") -> PracticeLog:
    """Return a log with a finished session, an open one, and an attempt."""
    log = logged(PracticeLog(folder / "full.db"), whole_run(words=words), run_of("s2", at=9000.0))
    log.record_attempt(attempt(verdict=Verdict.RAISED, source=words))
    return log


def lines_of(log: PracticeLog) -> list[str]:
    return export_lines(log, MASK)


def test_an_imported_log_exports_to_the_same_bytes(tmp_path: Path) -> None:
    log = full_log(tmp_path)
    copy = PracticeLog(tmp_path / "copy.db")
    done = import_recording(copy, read_lines(lines_of(log)), MASK)
    assert done == ImportResult(sessions_new=2, attempts_new=1)
    assert lines_of(copy) == lines_of(log)
    assert copy.sessions() == log.sessions()
    assert copy.attempts() == log.attempts()
    assert [copy.events(session.id) for session in copy.sessions()] == [
        log.events(session.id) for session in log.sessions()
    ]


@pytest.mark.expectation(number=57)
def test_importing_twice_or_at_home_changes_nothing(tmp_path: Path) -> None:
    log = full_log(tmp_path)
    before = lines_of(log)
    for _ in range(2):
        assert import_recording(log, read_lines(before), MASK) == ImportResult()
    assert lines_of(log) == before


def test_with_a_key_in_it_the_logs_are_equal_after_masking(tmp_path: Path) -> None:
    log = full_log(tmp_path, words="I said correct horse and hf_abcDEF123456")
    lines = lines_of(log)
    assert MASKED in "".join(lines)
    assert "horse" not in "".join(lines)
    assert "hf_abc" not in "".join(lines)
    copy = PracticeLog(tmp_path / "copy.db")
    import_recording(copy, read_lines(lines), MASK)
    assert lines_of(copy) == lines
    # The log that still contains the key recognizes the masked file as its own.
    assert import_recording(log, read_lines(lines), MASK) == ImportResult()


def test_a_longer_session_continues_the_one_that_is_there(tmp_path: Path) -> None:
    run = whole_run()
    short = PracticeLog(tmp_path / "short.db")
    short.append("s1", 0, *run.events[:4])
    whole = logged(PracticeLog(tmp_path / "whole.db"), run)
    assert import_recording(whole, read_lines(lines_of(short)), MASK) == ImportResult()
    assert import_recording(short, read_lines(lines_of(whole)), MASK) == ImportResult(sessions_longer=1)
    assert short.events("s1") == run.events
    assert short.sessions() == whole.sessions()


def test_what_followed_a_session_on_either_machine_is_kept(tmp_path: Path) -> None:
    here, there = (logged(PracticeLog(tmp_path / f"{name}.db"), whole_run()) for name in ("here", "there"))
    shared, second, own = (events.Summarized(at, Summary("correct horse")) for at in (5000.0, 6000.0, 7000.0))
    for log, found in ((here, [own, shared]), (there, [shared, second, second])):
        for event in found:
            log.append_afterwards("s1", event)
    for _ in range(2):
        import_recording(here, read_lines(lines_of(there)), MASK)
        assert [event.at for event in here.afterwards("s1")] == [7000.0, 5000.0, 6000.0, 6000.0]


def test_a_session_that_differs_is_told_and_left_alone(tmp_path: Path) -> None:
    mine = logged(PracticeLog(tmp_path / "mine.db"), whole_run(words="mine"))
    theirs = logged(PracticeLog(tmp_path / "theirs.db"), whole_run(words="theirs"))
    before = lines_of(mine)
    done = import_recording(mine, read_lines(lines_of(theirs)), MASK)
    assert done == ImportResult(sessions_that_differ=("s1",))
    assert lines_of(mine) == before


@pytest.mark.parametrize(("device_here", "device_there"), [("cuda", ""), ("", "cuda")])
def test_an_export_without_a_device_is_of_the_same_session(tmp_path: Path, device_here: str, device_there: str) -> None:
    """Earlier versions stored a challenge's device where exports did not include it."""
    run = whole_run()
    here = PracticeLog(tmp_path / "here.db")
    here.append("s1", 0, *started_on(device_here, run.events[:4]))
    there = PracticeLog(tmp_path / "there.db")
    there.append("s1", 0, *started_on(device_there, run.events))
    assert import_recording(here, read_lines(lines_of(there)), MASK) == ImportResult(sessions_longer=1)
    assert here.events("s1") == started_on(device_here, run.events)


def test_two_devices_make_two_different_sessions(tmp_path: Path) -> None:
    here, there = PracticeLog(tmp_path / "here.db"), PracticeLog(tmp_path / "there.db")
    here.append("s1", 0, *started_on("cpu", whole_run().events))
    there.append("s1", 0, *started_on("cuda", whole_run().events))
    done = import_recording(here, read_lines(lines_of(there)), MASK)
    assert done == ImportResult(sessions_that_differ=("s1",))


def test_no_draft_no_clock_and_no_payment_leaves_the_log(tmp_path: Path) -> None:
    log = full_log(tmp_path)
    before = lines_of(log)
    log.save_draft("s2", "answer", "typed")
    log.save_clock("s2", 9000.0, 42.0)
    log.save_payment("s2", '{"months": {"2026-11": 0.5}}')
    assert lines_of(log) == before
    # A cost imported from an export would count twice toward the month.
    import_recording(log, read_lines(before), MASK)
    assert [payment.session for payment in log.payments(since=0.0)] == ["s2"]
    copy = PracticeLog(tmp_path / "copy.db")
    import_recording(copy, read_lines(before), MASK)
    assert copy.payments(since=0.0) == []


def started_on(device: str, history: list[events.Event]) -> list[events.Event]:
    """Return these events as those of a challenge on this device; "" means an interview."""
    start, *rest = history
    assert isinstance(start, events.SessionStarted)
    return [replace(start, device=device), *rest]


def _changed(kind: str, change: Callable[[dict[str, Any]], object]) -> Callable[[list[str]], None]:
    def apply(lines: list[str]) -> None:
        at = next(place for place, line in enumerate(lines) if json.loads(line)["kind"] == kind)
        data = json.loads(lines[at])
        change(data)
        lines[at] = json.dumps(data)

    return apply


def _swapped(lines: list[str]) -> None:
    lines[1], lines[2] = lines[2], lines[1]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda lines: lines.insert(1, "{"), "line 2: not JSON"),
        (lambda lines: lines.insert(1, "[1]"), "expected a JSON object"),
        (lambda lines: lines.insert(1, "{}"), "missing key 'kind'"),
        (lambda lines: lines.insert(1, "[" * 100_000), "line 2"),
        (lambda lines: lines.clear(), "no sessions and no attempts"),
        (_swapped, "expected event 0 of s1, got 1"),
        (lambda lines: lines.pop(4), "expected event 3 of s1, got 4"),
        (_changed("practice_log", lambda data: data.update(format=99)), "expected format 1, got 99"),
        (_changed("event", lambda data: data.update(session="../../x")), "expected an id with only letters"),
        (_changed("event", lambda data: data.update(session="s9")), "s9"),
        (_changed("event", lambda data: data["event"]["plan"]["parts"][0].update(id="x; ls")), "'x; ls'"),
        (_changed("event", lambda data: data["event"]["plan"].update(minutes=float("nan"))), "minutes"),
        (_changed("event", lambda data: data["event"]["plan"]["parts"][0].update(minutes=float("inf"))), "minutes"),
        (_changed("attempt", lambda data: data["attempt"].update(task="<b>")), "'<b>'"),
        (_changed("event", lambda data: data["event"].update(at=1e300)), "seconds since 1970"),
        (_changed("event", lambda data: data["event"].update(at=float("nan"))), "seconds since 1970"),
        (_changed("event", lambda data: data["event"].update(kind="Telepathy")), "unknown kind of event"),
        (_changed("attempt", lambda data: data["attempt"].update(source="\ud800")), "line"),
        (_changed("attempt", lambda data: data["attempt"].update(origin="dream")), "origin"),
        (_changed("attempt", lambda data: data["attempt"].update(wall_seconds=float("inf"))), "wall_seconds"),
        (_changed("attempt", lambda data: data["attempt"]["report"].update(cases=[])), "at least one case"),
        (_changed("attempt", lambda data: data["attempt"]["report"].update(seconds=[])), "seconds: expected an object"),
        (_changed("attempt", lambda data: data["attempt"]["report"]["cases"][0].update(verdict="ok")), "ok"),
    ],
)
def test_a_broken_file_is_named_by_its_line(tmp_path: Path, spoil: Callable[[list[str]], None], said: str) -> None:
    lines = lines_of(full_log(tmp_path))
    spoil(lines)
    with pytest.raises(NotAnExport) as caught:
        read_lines(lines)
    assert said in caught.value.message
    assert "Nothing was imported" in caught.value.fix


def test_a_session_that_todays_rules_refuse_comes_along_whole(tmp_path: Path) -> None:
    log = PracticeLog(tmp_path / "log.db")
    log.append("s1", 0, run_of("s1").events[0], events.Assessed(1001.0, heard()))
    copy = PracticeLog(tmp_path / "copy.db")
    assert import_recording(copy, read_lines(lines_of(log)), MASK).sessions_new == 1
    assert lines_of(copy) == lines_of(log)


def test_a_session_starts_once_and_first(tmp_path: Path) -> None:
    lines = lines_of(full_log(tmp_path))
    start = json.loads(lines[1])
    lines.insert(2, json.dumps({**start, "number": 1}))
    for place in range(3, 5):
        lines[place] = json.dumps({**json.loads(lines[place]), "number": place - 1})
    with pytest.raises(NotAnExport, match="session s1: expected exactly one start"):
        read_lines(lines[:5])


def test_a_bare_recording_can_be_read_too() -> None:
    path = Path(__file__).parent.parent / "replays" / "offline.jsonl"
    recorded = read_lines(path.read_text(encoding="utf-8").splitlines())
    assert [len(events) for events in recorded.sessions.values()] == [len(path.read_text().splitlines())]


TEXT = st.text(max_size=60)
SOURCE = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(answers=st.lists(TEXT, min_size=1, max_size=3), source=SOURCE, seconds=st.none() | st.floats(0, 1e6))
def test_any_text_survives_the_way_out_and_in(answers: list[str], source: str, seconds: float | None) -> None:
    run = run_of("s1")
    for text in answers:
        if not run.session.drill.is_over:
            run.answer(heard(), text=text)
    with tempfile.TemporaryDirectory() as folder:
        log = logged(PracticeLog(Path(folder) / "one.db"), run)
        log.record_attempt(replace(attempt(source=source), wall_seconds=seconds))
        lines = export_lines(log, MASK)
        copy = PracticeLog(Path(folder) / "two.db")
        import_recording(copy, read_lines("\n".join(lines).split("\n")), MASK)
        assert export_lines(copy, MASK) == lines
        log.close()
        copy.close()
