"""A whole interview in plain mode, with wrong commands, a missing file, an early end of input, and a resume."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from graders.errors import GradingError
from graders.verdict import Verdict
from interviewer.chat.scripted import ScriptedModel
from interviewer.cli.files import SOURCE_BYTES_MAX, read_source
from interviewer.cli.plain.interview import PassedTaskHooks, PlainFrontend, run_plain_interview
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.context import AppContext
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import resume_session
from interviewer.log.errors import NotAdmitted
from interviewer.session.assessment import State
from interviewer.session.engine import fold
from interviewer.session.move import MoveKind
from tasks.load import find_task
from tests.fakes import FakeGrader, make_interview, offline_participants
from tests.session.build import report

ONE = ("question", "clipping")
CODE = ("task", "ppo_clip_loss")


def play(interview: Interview, *lines: str) -> tuple[bool, str, str]:
    """Run plain mode on these lines; return whether it ended, its output and its notes."""
    out, err = io.StringIO(), io.StringIO()
    has_ended = run_plain_interview(interview, io.StringIO("".join(f"{line}\n" for line in lines)), out, err)
    return has_ended, out.getvalue(), err.getvalue()


@pytest.mark.expectation(number=62)
def test_a_whole_interview_on_lines(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("max instead of min\n")
    grader = FakeGrader(report(Verdict.WRONG_VALUE, "max_for_min"), report())
    interview = make_interview(tmp_path, ONE, CODE, grader=grader)
    answers = ["It is about word1 and word2 here.", ".", "And word3 matters as well.", ".", "/skip", "1 4", "."]
    code = [f"/submit {wrong}", "The sign flips.", ".", f"/submit {wrong}", "The softmax.", "."]
    has_ended, out, err = play(interview, *answers, *code)
    assert has_ended
    assert err == ""
    assert "Interviewer (next): Why does clipping work?" in out
    assert "You said: “And word3 matters as well.”" in out
    assert "What if the advantage is negative?" in out
    assert "Passed: 2 of 2 cases passed." in out
    assert "uses the most time or memory" in out
    assert "# Debrief" in out
    assert "\x1b" not in out
    assert [task for task, _ in grader.submitted] == ["ppo_clip_loss"] * 2
    marks = interview.session.drills[0].self_marks
    assert marks is not None
    assert [mark.point for mark in marks if mark.state is State.SHOWN] == ["p1", "p4"]


def test_the_solution_opens_in_an_interview_once_the_task_is_passed(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("max instead of min\n")
    interview = make_interview(tmp_path, CODE, grader=FakeGrader(report(Verdict.WRONG_VALUE, "max_for_min"), report()))
    context = cast(AppContext, SimpleNamespace(task=find_task))
    lines = ["/solution", f"/submit {wrong}", "/solution", f"/submit {wrong}", "/solution", "/end"]
    out, err = io.StringIO(), io.StringIO()
    hooks = PassedTaskHooks(interview, context)
    run_plain_interview(interview, io.StringIO("".join(f"{line}\n" for line in lines)), out, err, hooks)
    assert err.getvalue() == ""
    before, _, after = out.getvalue().partition("(/solution shows the reference)")
    assert before.count("The solution unlocks once you pass the task.") == 2
    assert "torch.minimum" not in before
    assert "-max instead of min" in after
    assert find_task("ppo_clip_loss").mistakes[0].ask in " ".join(after.split())


def test_wrong_commands_and_files_are_told_and_change_nothing(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, CODE)
    has_ended, _, err = play(interview, "/submit", f"/submit {tmp_path / 'none.py'}", "/sbmit x", "/end now")
    assert "needs a file" in err
    assert "none.py: No such file" in err
    assert "/sbmit is not available here" in err
    assert has_ended
    assert interview.session.work.attempts == ()


def test_marks_that_are_no_numbers_are_asked_again(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    _, out, err = play(interview, "word1", ".", "/skip", "one", ".", "9", ".", ".")
    assert "'one' is not a point number" in err
    assert "expected numbers from 1 to 4" in err
    assert "# Debrief" in out
    assert [mark.state for mark in interview.session.drills[0].self_marks or ()] == [State.SHOWN] + [State.MISSING] * 3


def test_input_that_ends_early_keeps_the_session_and_the_half_typed_answer(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    has_ended, out, _ = play(interview, "half of an")
    assert not has_ended
    assert f"--resume {interview.session.id}" in out
    log = interview._log
    again = Interview(log, resume_session(log, interview.session.id), offline_participants(), FakeGrader())
    _, out, _ = play(again, "answer with word1", ".")
    assert "half of an" in out
    assert again.session.drill.answers[0].text == "half of an\nanswer with word1"
    assert fold(log.events(interview.session.id)) == again.session


def test_an_answer_over_the_limit_is_noted_before_it_is_sent(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    line = "word1 " * 1_000
    note = "note: Only the first 16,000 of your 18,002 characters will be judged. A line that contains only a dot sends"
    # The input ends before the dot.
    _, _, err = play(interview, line, line)
    assert "will be judged" not in err
    out, notes = io.StringIO(), io.StringIO()
    run_plain_interview(interview, io.StringIO(f"{line}\nmore\n"), out, notes)
    assert notes.getvalue().count("will be judged") == 1
    assert note in notes.getvalue()
    assert not any(not turn.is_interviewer for turn in interview.session.transcript)
    # Resuming says so again, and sending says nothing more.
    _, _, err = play(interview, ".", "short", ".")
    assert err.count("will be judged") == 1
    assert len(interview.session.drills[0].answers[0].text) > 18_000


def test_a_command_after_a_resumed_draft_is_a_command_and_keeps_the_draft(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    play(interview, "it clips")
    log = interview._log
    again = Interview(log, resume_session(log, interview.session.id), offline_participants(), FakeGrader())
    play(again, "/hint", "the ratio", "/end", ".", "/end")
    assert again.session.drill.answers[0].text == "it clips\nthe ratio\n/end"
    assert any(turn.move is MoveKind.DEEPER for turn in again.session.transcript)
    assert again.session.is_over


def test_our_failure_is_told_and_the_submission_can_be_sent_again(tmp_path: Path) -> None:
    source = tmp_path / "s.py"
    source.write_text("x = 1\n")
    grader = FakeGrader(GradingError("no engine answers.", "Start Docker.", "engine"), report())
    interview = make_interview(tmp_path, CODE, grader=grader)
    has_ended, out, _ = play(interview, f"/submit {source}", f"/submit {source}", "/skip")
    assert has_ended
    assert "not your code: no engine answers. Start Docker." in out
    assert [attempt.failure for attempt in interview.session.work.attempts] == ["no engine answers.", ""]


STEERING = "left \x1b[D\x9b31m and \u202eon"


def test_nothing_that_was_said_or_typed_steers_the_terminal(tmp_path: Path) -> None:
    model = ScriptedModel([f"Why does clipping work? {STEERING}"])
    participants = Participants(examiner=OfflineExaminer(), offline=OfflineExaminer(), voice=model)
    interview = make_interview(tmp_path, ONE, participants=participants)
    _, out, _ = play(interview, f"word1 {STEERING}", ".", f"half {STEERING}")
    log = interview._log
    assert "\x1b" in log.draft(interview.session.id, "answer")
    again = Interview(log, resume_session(log, interview.session.id), participants, FakeGrader())
    out += "".join(play(again, ".", "/skip", f"/appeal 1 {STEERING}", ".")[1:])
    assert "Your unsent draft" in out
    assert "# Debrief" in out
    assert [sign for sign in "\x1b\x9b\u202e" if sign in out] == []


def test_letters_in_another_encoding_end_no_interview(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    typed = io.TextIOWrapper(io.BytesIO(b"word1 in a caf\xe9\n.\n"), encoding="utf-8")
    assert not run_plain_interview(interview, typed, io.StringIO(), io.StringIO())
    assert interview.session.drill.answers[0].text == "word1 in a caf\ufffd"


def test_an_empty_and_a_huge_answer_lose_nothing(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    huge = "word1 " * 200_000
    has_ended, out, _ = play(interview, ".", huge, ".", "/end")
    assert has_ended
    assert "ungraded" in out
    said = [turn.text for turn in interview.session.transcript if not turn.is_interviewer]
    assert said == ["", huge]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\xff\xfe\x00junk", "not UTF-8 text"),
        (b"x = 1\x00", "null bytes"),
        (b"#" * (SOURCE_BYTES_MAX + 1), "larger than 1 MiB"),
    ],
)
def test_a_file_that_is_no_source_is_refused(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "s.py"
    path.write_bytes(data)
    with pytest.raises(match=expected):
        read_source(path)


class Terminal(io.StringIO):
    """Stand in for a terminal with 20 columns."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_a_terminal_gets_lines_that_break_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    text = "An importance sampling ratio\n  above one plus epsilon gets no gradient."
    terminal, pipe = Terminal(), io.StringIO()
    frontend = PlainFrontend(terminal, io.StringIO())
    for start in range(0, len(text), 3):  # as a model streams it: split anywhere
        frontend.stream_text(text[start : start + 3])
    frontend.end_message()
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= 20
    assert " ".join(terminal.getvalue().split()) == " ".join(text.split())
    PlainFrontend(pipe, io.StringIO()).say(text)
    assert pipe.getvalue() == f"{text}\n"
    notes = Terminal()
    PlainFrontend(io.StringIO(), notes).notice(text)
    assert max(map(len, notes.getvalue().splitlines())) <= 20
    assert "  above one" in notes.getvalue()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("twenty characters ok next", "twenty characters ok\nnext\n"),
        ("nineteen character next", "nineteen character\nnext\n"),
        ("ends with spaces   \n  then indented", "ends with spaces\n  then indented\n"),
        ("twenty characters ok \nnext", "twenty characters ok\nnext\n"),
    ],
)
def test_no_space_follows_a_full_line_because_a_terminal_would_show_an_empty_line(
    text: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal, pipe = Terminal(), io.StringIO()
    PlainFrontend(terminal, io.StringIO()).say(text)
    assert terminal.getvalue() == shown
    prompt = Terminal()
    PlainFrontend(prompt, io.StringIO()).say("\nYou: ", end="")
    assert prompt.getvalue() == "\nYou: "
    PlainFrontend(pipe, io.StringIO()).say(text)
    assert pipe.getvalue() == f"{text}\n", "a file gets the text unchanged"


def test_ctrl_c_says_how_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    out, interview = io.StringIO(), make_interview(tmp_path, ONE)
    monkeypatch.setattr(interview, "answer", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_plain_interview(interview, io.StringIO("An answer.\n.\n"), out, io.StringIO())
    assert f"Resume it: interviewer interview --plain --resume {interview.session.id}" in out.getvalue()


def test_a_live_session_can_be_closed_to_observers(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ("question", "clipping"))
    interview.go_live()
    assert interview.live
    token = interview.live.token
    _, _, err = play(interview, "/close", "/close", "/end")
    assert interview.live is None
    assert "closed to observers" in err
    assert "/close is not available here" in err, "it is closed already"
    with pytest.raises(NotAdmitted):
        interview._log.notes.session_of(token)


def test_marks_are_not_the_draft_of_the_next_answer(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE, ("question", "entropy"))
    play(interview, "word1", ".", "/skip", "1 4", ".")
    log = interview._log
    again = Interview(log, resume_session(log, interview.session.id), offline_participants(), FakeGrader())
    _, out, _ = play(again, "It clips.", ".")
    assert "unsent draft" not in out
    assert again.session.drill.answers[0].text == "It clips."


def test_a_skip_discards_the_resumed_draft(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE, CODE)
    play(interview, "half of an")
    log = interview._log
    again = Interview(log, resume_session(log, interview.session.id), offline_participants(), FakeGrader())
    play(again, "/skip", "a note", ".", "/end")
    assert again.session.last_said(by_interviewer=False) == "a note"
