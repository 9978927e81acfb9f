"""The challenge without a screen: its clock, its choice of tasks, plain mode, and the command lines."""

from __future__ import annotations

import io
import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from graders.client import GraderClient
from graders.verdict import Report, Verdict
from interviewer.cli.challenge import PICKS
from interviewer.cli.group import run
from interviewer.cli.plain.challenge import ChallengeLines
from interviewer.cli.plain.interview import run_plain_interview
from interviewer.cli.watch import SETTLE_SECONDS, FileState, watch_file
from interviewer.config import DEVICES as OFFERED_DEVICES
from interviewer.config import ConfigError, Settings, find_folders, save_setting
from interviewer.errors import BadInput
from interviewer.interview.challenge import TASK_SETS, Challenge, pick_set_tasks, weakest_first
from interviewer.interview.context import AppContext, make_task_brief
from interviewer.interview.runner import SessionClock
from interviewer.interview.sessions import new_challenge, new_interview, resume_interview
from interviewer.log.progress import NO_PROGRESS, Progress, TaskProgress
from interviewer.log.reports.jsonl import export_lines, import_recording, read_lines
from interviewer.log.trends import best_seconds
from interviewer.session.plan import PlanRequest
from tasks.load import DEVICES, find_task, load_tasks
from tests.fakes import RecordingFrontend
from tests.log.build import unmasked
from tests.session.build import question, report


class Client:
    """Replaces the grader's client: returns prepared reports in order."""

    def __init__(self, *reports: Report) -> None:
        self.reports = list(reports)
        self.devices: list[str] = []

    def grade(self, task: str, source: str, *, device: str, sandbox: str, image: str) -> Report:
        self.devices.append(device)
        return self.reports.pop(0)

    def prepare(self, task: str, device: str) -> None: ...

    def cancel(self) -> None: ...

    def close(self, stays: bool = False) -> None: ...


@pytest.fixture
def context() -> Iterator[AppContext]:
    context = AppContext(Settings(), find_folders(), environ={})
    tasks = (find_task("ppo_clip_loss"), find_task("gae"))
    client = Client(report(Verdict.WRONG_VALUE), report())
    context.questions = (question(),)
    context.full_tasks = tasks
    context.grader_client = cast(GraderClient, client)
    context.calibrations = ()
    yield context
    context.close()


def challenge_of(context: AppContext, *tasks: str, minutes: float = 20.0, device: str = "cpu") -> Challenge:
    challenge = new_challenge(context, tasks or ("ppo_clip_loss",), minutes, device)
    assert isinstance(challenge, Challenge)
    return challenge


@pytest.mark.expectation(number=45)
def test_the_clock_leaves_out_pauses_and_changed_dates() -> None:
    seconds, date = [100.0], [5_000.0]
    clock = SessionClock(wall=lambda: date[0], monotonic=lambda: seconds[0])
    seconds[0] += 10
    date[0] -= 3_600
    assert clock() == 5_010
    clock.pause()
    seconds[0] += 500
    assert clock() == 5_010
    clock.resume()
    seconds[0] += 5
    assert clock() == 5_015


def test_a_note_of_an_earlier_event_counts_nothing(context: AppContext) -> None:
    context.log.save_clock("s1", 17.123456789, 42.0)
    assert context.log.seconds_since("s1", 17.123456789) == 42.0
    assert context.log.seconds_since("s1", 18.0) == 0.0
    assert context.log.seconds_since("s2", 17.123456789) == 0.0


@pytest.mark.expectation(number=46)
def test_seconds_since_the_last_event_are_used_up_also_after_a_kill(context: AppContext) -> None:
    began = time.monotonic()
    challenge = challenge_of(context)
    challenge.run_until_input(RecordingFrontend())
    session = challenge.session
    context.log.save_clock(session.id, session.last_at, 300.0)
    again = resume_interview(context, session.id)
    assert isinstance(again, Challenge)
    left = again.seconds_left
    assert 60 * 20 - 301 - (time.monotonic() - began) < left < 60 * 20 - 299


def test_a_second_kill_right_after_a_resume_gives_no_time_back(context: AppContext) -> None:
    challenge = challenge_of(context)
    challenge.run_until_input(RecordingFrontend())
    session = challenge.session
    context.log.save_clock(session.id, session.last_at, 300.0)
    resume_interview(context, session.id)
    assert resume_interview(context, session.id).seconds_left < 60 * 20 - 299


def test_time_up_never_ends_the_work(context: AppContext) -> None:
    challenge = challenge_of(context)
    challenge.run_until_input(RecordingFrontend())
    challenge._session_clock._zero -= 5_000
    assert challenge.is_time_up
    challenge.submit("late")
    challenge.run_until_input(RecordingFrontend())
    assert not challenge.session.is_over
    assert challenge.attempt_seconds(0) == [None]
    challenge.submit("right")
    challenge.run_until_input(RecordingFrontend())
    assert challenge.session.is_over
    assert context.progress().tasks["ppo_clip_loss"].best_seconds is None
    assert Challenge.attempt_seconds(challenge, 0) == [None, None]


def test_a_wait_for_the_grader_takes_no_time_and_does_not_move_the_limit(context: AppContext) -> None:
    challenge, client = challenge_of(context), cast(Any, context.grader_client)
    clock, grade, now = challenge._session_clock, client.grade, [challenge._session_clock._monotonic()]
    clock._monotonic = lambda: now[0]

    def grade_for_a_minute(*given: Any, **named: Any) -> Report:
        now[0] += 60
        return cast(Report, grade(*given, **named))

    client.grade = grade_for_a_minute
    challenge.run_until_input(RecordingFrontend())
    left = challenge.seconds_left
    challenge.submit("wrong")
    challenge.run_until_input(RecordingFrontend())
    assert challenge.seconds_left == pytest.approx(left)
    now[0] += 90 * 60
    assert challenge.is_time_up
    challenge.submit("right")
    challenge.run_until_input(RecordingFrontend())
    assert challenge.session.is_over
    assert challenge.attempt_seconds(0)[1] is None
    assert context.progress().tasks["ppo_clip_loss"].best_seconds is None


def test_a_quick_pass_is_the_best_time_and_the_device_survives_a_resume(context: AppContext) -> None:
    client: Any = context.grader_client
    challenge = challenge_of(context, device="cuda")
    challenge.run_until_input(RecordingFrontend())
    challenge.submit("wrong")
    challenge.run_until_input(RecordingFrontend())
    again = resume_interview(context, challenge.session.id)
    assert isinstance(again, Challenge)
    again._session_clock._zero -= 90
    again.submit("right")
    again.run_until_input(RecordingFrontend())
    assert client.devices == ["cuda", "cuda"]
    past = context.progress().tasks["ppo_clip_loss"]
    assert past.has_passed
    assert 90 <= (past.best_seconds or 0) < 100
    # The log and its reports show the same time as the challenge.
    assert best_seconds(context.history().attempts("ppo_clip_loss")) == past.best_seconds


def test_an_open_challenge_that_is_imported_elsewhere_resumes_as_one_on_its_device(
    context: AppContext, tmp_path: Path
) -> None:
    challenge = challenge_of(context, device="cuda")
    challenge.run_until_input(RecordingFrontend())
    lines = export_lines(context.log, unmasked)
    with AppContext(Settings(), find_folders({"INTERVIEWER_HOME": str(tmp_path / "elsewhere")}), environ={}) as other:
        client = Client(report())
        other.questions = ()
        other.full_tasks = context.full_tasks
        other.grader_client = cast(GraderClient, client)
        other.calibrations = ()
        import_recording(other.log, read_lines(lines), unmasked)
        again = resume_interview(other, challenge.session.id)
        assert isinstance(again, Challenge)
        again.submit("right")
        again.run_until_input(RecordingFrontend())
        assert client.devices == ["cuda"]


def test_an_interview_is_no_challenge_after_a_resume_either(context: AppContext) -> None:
    interview = new_interview(context, PlanRequest(20, tasks=("gae",)), seed=1)
    assert not isinstance(interview, Challenge)
    assert not isinstance(resume_interview(context, interview.session.id), Challenge)


def test_a_device_that_a_task_does_not_run_on_is_refused(context: AppContext) -> None:
    context.full_tasks = (replace(find_task("gae"), devices=("cpu",)),)
    with pytest.raises(BadInput, match="gae runs on cpu, not cuda"):
        new_challenge(context, ["gae"], 20, "cuda")


def test_weakness_is_not_passed_then_never_tried_then_longest_ago() -> None:
    tasks = [replace(make_task_brief(find_task("gae")), id=name) for name in ("new", "old", "failed", "fresh")]
    past = {
        "old": TaskProgress(1, 10.0, True, None),
        "fresh": TaskProgress(1, 20.0, True, None),
        "failed": TaskProgress(3, 30.0, False, None),
    }
    ordered = weakest_first(tasks, Progress({}, past), random.Random(1))
    assert [task.id for task in ordered] == ["failed", "new", "old", "fresh"]


@pytest.mark.parametrize("chosen", TASK_SETS, ids=lambda candidate_set: candidate_set.id)
def test_each_set_finds_several_shipped_tasks_that_fit_its_time(chosen: object) -> None:
    task_set = next(candidate_set for candidate_set in TASK_SETS if candidate_set is chosen)
    tasks = [make_task_brief(task) for task in load_tasks()]
    found = pick_set_tasks(task_set, tasks, NO_PROGRESS, random.Random(2))
    assert len(found) >= 3
    assert sum(task.minutes for task in found) <= task_set.minutes
    others = [candidate_set for candidate_set in TASK_SETS if candidate_set is not task_set]
    assert not any(other.contains(task) for other in others for task in found)


def test_the_command_line_offers_every_choice() -> None:
    assert set(PICKS) == {"weakest", "random", *(task_set.id for task_set in TASK_SETS)}
    assert OFFERED_DEVICES == DEVICES


def play(context: AppContext, challenge: Challenge, *lines: str) -> str:
    out = io.StringIO()
    extras = ChallengeLines(challenge, context, NO_PROGRESS)
    run_plain_interview(challenge, io.StringIO("".join(f"{line}\n" for line in lines)), out, io.StringIO(), extras)
    return out.getvalue() + extras.result()


@pytest.mark.expectation(number=41)
@pytest.mark.expectation(number=62)
def test_the_plain_challenge_has_the_same_power(context: AppContext, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(f"{name}\n")
    challenge = challenge_of(context)
    moves = [
        "/solution",
        "/solution ppo_clip_loss",
        "/hint",
        f"/submit {tmp_path / 'one'}",
        "/attempts",
        "/pause",
        "/time",
        "/go",
    ]
    out = play(context, challenge, *moves, "/diff 1 2", "/hint yes", f"/submit {tmp_path / 'two'}")
    assert out.count("unlocks once you pass") == 2
    assert "Cost: a pass with hints does not set a best time" in out
    assert "#1 wrong value, at 0:00" in out
    assert out.count("Paused. /go resumes") == 2
    assert "The clock is running: 19:5" in out
    assert "/diff needs two attempts from 1 to 1" in out
    assert challenge.session.work.hints == 1
    result, question = out.splitlines()[-2:]
    assert result == "PPO's clipped loss, token by token: ✓ passed, 2 attempts, 1 hint: no best time"
    assert question.startswith("Think about: Which line of your code uses")
    lines = ChallengeLines(challenge, context, NO_PROGRESS)
    assert "torch.maximum(unclipped, clipped)" in lines.solution("")
    assert "-two" in lines.solution("ppo_clip_loss")
    assert "+two" in (lines.handle_command("/diff 1 2") or "")


def test_plain_mode_saves_the_clock_at_every_line_and_at_the_end(context: AppContext) -> None:
    challenge = challenge_of(context)
    challenge.run_until_input(RecordingFrontend())
    session = challenge.session
    saved: list[float] = []

    def lines() -> Iterator[str]:
        challenge._session_clock._zero -= 300
        yield "/time\n"
        saved.append(context.log.seconds_since(session.id, session.last_at))
        challenge._session_clock._zero -= 300

    extras = ChallengeLines(challenge, context, NO_PROGRESS)
    run_plain_interview(challenge, cast(io.StringIO, lines()), io.StringIO(), io.StringIO(), extras)
    assert 300 <= saved[0] < 600
    assert resume_interview(context, session.id).seconds_left < 60 * 20 - 599


def test_a_pause_takes_no_text_of_any_length(context: AppContext) -> None:
    challenge = challenge_of(context)
    out = play(context, challenge, "/pause", "first", "second", ".", "third", ".", "/go")
    assert [turn.text for turn in challenge.session.transcript if not turn.is_interviewer] == []
    assert out.count("Paused. /go resumes") == 3


def test_a_paused_challenge_can_be_ended(context: AppContext) -> None:
    challenge = challenge_of(context)
    assert "Paused. /go resumes, /end ends" in play(context, challenge, "/pause", "/end")
    assert challenge.session.is_over


def test_time_up_is_told_before_the_turn(context: AppContext) -> None:
    challenge = challenge_of(context)
    challenge.run_until_input(RecordingFrontend())
    challenge._session_clock._zero -= 5_000
    assert "Time is up: your last submission counts" in play(context, challenge, "/end")


@pytest.mark.expectation(number=39)
def test_a_file_is_told_on_every_save_and_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "s.py"
    now = itertools.count(0.0, SETTLE_SECONDS)
    # One entry per poll: a text to save, None to remove the file, "" to let time pass.
    acts = iter(["x = 1\n", "", "", "def f(:\n", "", "", None, "", "", "x = 22\n", "", "", "", ""])

    def sleep(_: float) -> None:
        act = next(acts)
        if act is None:
            path.unlink()
        elif act:
            path.write_text(act)

    saves = watch_file(path, sleep, lambda: next(now))
    assert "No such file" in next(saves).problem
    assert next(saves) == FileState("x = 1\n")
    problem = next(saves).problem
    assert "does not parse at line 1" in problem
    assert problem.endswith("    def f(:\n          ^\nSyntaxError: invalid syntax")
    assert "waiting for it" in next(saves).problem
    assert next(saves) == FileState("x = 22\n")
    with pytest.raises(RuntimeError, match="StopIteration"):
        next(saves)


def test_a_file_that_is_still_being_written_is_not_told(tmp_path: Path) -> None:
    path = tmp_path / "s.py"
    path.write_text("x = 0\n")
    # Each step of the save comes before the previous one has settled.
    seconds, steps = [0.0], iter(["1", "", "11", "", "111", "", "", "", ""])

    def sleep(_: float) -> None:
        seconds[0] += 0.6 * SETTLE_SECONDS
        if step := next(steps):
            path.write_text(f"x = {step}\n")

    saves = watch_file(path, sleep, lambda: seconds[0])
    assert next(saves) == FileState("x = 0\n")
    assert next(saves) == FileState("x = 111\n")


def test_a_setting_is_written_beside_comments_and_tables(tmp_path: Path) -> None:
    folders = find_folders({"INTERVIEWER_HOME": str(tmp_path)})
    save_setting(folders, "model", 'a "quoted" name')
    save_setting(folders, "keys", {"raw": "f6"})
    file = folders.config_file
    file.write_text("# top\n" + file.read_text() + "# below\n")
    save_setting(folders, "bell", False)
    save_setting(folders, "model", "other")
    save_setting(folders, "keys", {"raw": "f7", "quit": "f5"})
    save_setting(folders, "token_cap", 5)
    text = file.read_text()
    assert text.startswith('# top\nmodel = "other"\n')
    assert "# below" in text
    assert 'bell = false\ntoken_cap = 5\n\n[keys]\n# below\nraw = "f7"\nquit = "f5"\n' in text


def test_a_config_file_that_is_a_link_stays_one(tmp_path: Path) -> None:
    folders = find_folders({"INTERVIEWER_HOME": str(tmp_path)})
    kept = tmp_path / "dotfiles" / "interviewer.toml"
    for folder in (kept.parent, folders.config):
        folder.mkdir()
    kept.write_text("# mine\n")
    folders.config_file.symlink_to(kept)
    save_setting(folders, "bell", False)
    assert folders.config_file.is_symlink()
    assert kept.read_text() == "# mine\nbell = false\n"


def test_a_setting_that_cannot_be_changes_nothing(tmp_path: Path) -> None:
    folders = find_folders({"INTERVIEWER_HOME": str(tmp_path)})
    save_setting(folders, "minutes", 30.0)
    before = folders.config_file.read_text()
    with pytest.raises(ConfigError, match="expected one of docker, process"):
        save_setting(folders, "sandbox", "vm")
    folders.config_file.write_text(before + "nonsense\n")
    with pytest.raises(ConfigError) as raised:
        save_setting(folders, "minutes", 40.0)
    assert raised.value.fix.startswith("Fix that line")
    assert folders.config_file.read_text() == before + "nonsense\n"


def test_a_config_folder_that_cannot_be_written_is_not_blamed_on_a_line(tmp_path: Path) -> None:
    folders = find_folders({"INTERVIEWER_HOME": str(tmp_path)})
    folders.config.write_text("a file where a folder should be")
    with pytest.raises(ConfigError) as raised:
        save_setting(folders, "bell", False)
    assert str(folders.config_file) in raised.value.message
    assert "INTERVIEWER_HOME" in raised.value.fix


def test_an_unknown_task_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["challenge", "ppo_clip_los", "--plain"]) == 2
    assert "Did you mean ppo_clip_loss?" in capsys.readouterr().err
    assert run(["watch", "ppo_clip_los", "x.py"]) == 2
