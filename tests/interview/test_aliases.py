"""A renamed task: practice logged under its former id resumes and counts, and every command accepts that id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from graders.client import GraderClient
from graders.verdict import Report, Verdict
from interviewer.authoring.check import check_questions
from interviewer.cli.group import run
from interviewer.cli.plain.challenge import ChallengeLines
from interviewer.config import Settings, find_folders
from interviewer.interview.challenge import Challenge, result_lines
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import SandboxGrader, new_challenge, new_interview, resume_interview
from interviewer.log.attempts import new_attempt
from interviewer.log.progress import NO_PROGRESS
from interviewer.log.reports.classroom import read_person
from interviewer.log.reports.jsonl import export_lines
from interviewer.session.plan import PlanRequest
from tasks.load import find_task
from tasks.new import scaffold
from tests.fakes import RecordingFrontend
from tests.log.build import unmasked
from tests.session.build import question, report

OLD, NEW = "returns_not_cut", "gae"


class Client:
    """Grade every submission as right, and record the name that was requested."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def grade(self, task: str, source: str, *, device: str, sandbox: str, image: str) -> Report:
        self.names.append(task)
        return replace(report(), task=NEW)

    def prepare(self, task: str, device: str) -> None: ...

    def cancel(self) -> None: ...

    def close(self, stays: bool = False) -> None: ...


def context_with(name: str, *aliases: str) -> AppContext:
    """Return a context over this test's log, whose only task has this id and these aliases."""
    context = AppContext(Settings(), find_folders(), environ={})
    context.questions = (question(),)
    context.full_tasks = (replace(find_task(NEW), id=name, aliases=aliases),)
    context.grader_client = cast(GraderClient, Client())
    context.calibrations = ()
    return context


@pytest.fixture
def open_session() -> str:
    """Return a challenge with the task under its former id, left open with a draft and a failed attempt."""
    with context_with(OLD) as context:
        challenge = new_challenge(context, [OLD], 20.0)
        challenge.run_until_input(RecordingFrontend())
        challenge.save_draft(f"code:{OLD}", "my half-written code")
        failed = replace(report(Verdict.WRONG_VALUE), task=OLD)
        context.log.record_attempt(new_attempt(failed, "wrong", "grade", at=1000.0))
        return challenge.session.id


@pytest.fixture
def context() -> Iterator[AppContext]:
    with context_with(NEW, OLD) as made:
        yield made


def test_an_old_session_resumes_with_its_draft_and_counts_for_the_renamed_task(
    context: AppContext, open_session: str
) -> None:
    challenge = resume_interview(context, open_session)
    assert isinstance(challenge, Challenge)
    assert challenge.draft(f"code:{OLD}") == "my half-written code"
    challenge.submit("right")
    challenge.run_until_input(RecordingFrontend())
    assert challenge.session.is_over

    practice = context.progress()
    assert practice.tasks[NEW].attempts == 2
    assert practice.tasks[NEW].has_passed
    assert practice.tasks[OLD] == practice.tasks[NEW]
    assert "your best time" in result_lines(challenge, practice)[0]
    assert [attempt.report.verdict for attempt in context.history().attempts(NEW)] == [
        Verdict.WRONG_VALUE,
        Verdict.PASSED,
    ]
    assert context.history().attempts(OLD) == []


def test_the_plain_solution_is_found_by_title_id_or_alias(context: AppContext, open_session: str) -> None:
    challenge = resume_interview(context, open_session)
    assert isinstance(challenge, Challenge)
    lines = ChallengeLines(challenge, context, NO_PROGRESS)
    title = context.task(NEW).title
    assert "unlocks once you pass" in lines.solution(NEW)
    challenge.skip()
    challenge.run_until_input(RecordingFrontend())
    for name in ("", NEW, OLD, title, title.upper()):
        assert lines.solution(name).startswith("## Reference")
    assert "unlocks once you pass" in lines.solution("another")


def test_attempts_under_the_old_id_schedule_the_renamed_task(context: AppContext, open_session: str) -> None:
    (due,) = context.progress().due
    assert (due.id, due.start_command) == (NEW, f"interviewer challenge {NEW}")


def test_new_sessions_have_the_current_id(context: AppContext) -> None:
    assert new_challenge(context, [OLD], 20.0).session.plan.parts[0].id == NEW
    assert new_interview(context, PlanRequest(20, tasks=(OLD,)), seed=1).session.tasks[0].id == NEW
    assert context.task(OLD).id == NEW


def test_an_export_with_the_old_id_counts_in_a_class(context: AppContext, open_session: str) -> None:
    data = "".join(f"{line}\n" for line in export_lines(context.log, unmasked)).encode()
    assert OLD.encode() in data

    person = read_person("anna.jsonl", data, context.task_names)

    assert {item.id for item in person.met} == {NEW}
    assert person.tried[NEW].submissions == 1


def test_questions_may_name_a_task_by_its_alias(monkeypatch: pytest.MonkeyPatch, context: AppContext) -> None:
    monkeypatch.setattr("interviewer.authoring.check.task_names", lambda: context.task_names)
    asked = replace(question(), tasks=(NEW, OLD, "not_there"))
    complaints = [line for line in check_questions([asked]) if ": tasks: " in line]
    assert len(complaints) == 1
    assert "'not_there' does not exist" in complaints[0]


def test_commands_take_an_alias_of_a_users_task(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folders = find_folders()
    scaffold(folders.tasks / "mine" / "my_mean")
    toml = folders.tasks / "mine" / "my_mean" / "task.toml"
    toml.write_text(toml.read_text().replace("level = 1", f'aliases = ["{OLD}"]\nlevel = 1', 1))
    with AppContext(Settings(), folders, environ={}) as context:
        context.log.record_attempt(new_attempt(replace(report(), task=OLD), "x", "grade", at=1000.0))
        grader = new_challenge(context, [OLD], 5.0)._grader
        assert isinstance(grader, SandboxGrader)
        assert grader.own[OLD] == grader.own["my_mean"] == str(toml.parent)

    assert run(["tasks", OLD, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tasks"][0]["id"] == "my_mean"
    for name in (OLD, "my_mean"):
        assert run(["log", "--task", name, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["task"], len(found["attempts"])) == ("my_mean", 1)
    assert run(["start", OLD, str(tmp_path / "desk")]) == 0
    assert (tmp_path / "desk" / "my_mean.py").exists()
