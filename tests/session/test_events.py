"""An event's line in the log keeps the event's kind, even if grading failed, and older such lines can still be read."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from graders.errors import RunnerBroken
from interviewer.interview.sessions import load_session
from interviewer.log.store import PracticeLog
from interviewer.session.codec import CodecError
from interviewer.session.engine import fold
from interviewer.session.events import Event, GradingFailed, dump_event, load_event
from tests.fakes import FakeGrader, RecordingFrontend, make_interview
from tests.session.build import report

FAILED = GradingFailed(5.0, "RunnerBroken", "no engine answers.", "Start Docker.")


@pytest.mark.parametrize("kind", Event.__args__, ids=lambda kind: kind.__name__)
def test_no_field_of_an_event_has_the_name_of_what_a_line_says_about_it(kind: type) -> None:
    assert not {"format", "kind"} & {field.name for field in fields(kind)}


def test_a_failure_to_grade_is_read_as_what_it_was() -> None:
    assert load_event(dump_event(FAILED)) == FAILED


def test_the_line_of_an_earlier_version_is_read_too() -> None:
    line = {"format": 1, "kind": "RunnerBroken", "at": 5.0, "message": FAILED.message, "fix": FAILED.fix}
    assert load_event(json.dumps(line)) == FAILED
    with pytest.raises(CodecError, match="unknown kind of event"):
        load_event(json.dumps({**line, "new": 1}))


def test_a_session_in_which_grading_failed_can_be_read_and_resumed(tmp_path: Path) -> None:
    grader = FakeGrader(RunnerBroken("the sandbox was not ready.", "Run interviewer doctor."), report())
    interview = make_interview(tmp_path, ("task", "ppo_clip_loss"), grader=grader)
    interview.run_until_input(RecordingFrontend())
    interview.submit("def f(): ...")
    interview.run_until_input(RecordingFrontend())
    log = PracticeLog(tmp_path / "log.db")
    session = load_session(log, interview.session.id)
    assert session == interview.session == fold(log.events(session.id))
    assert session.works[0].attempts[0].failure == "the sandbox was not ready."
