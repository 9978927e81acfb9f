"""Two real processes on one log: a candidate in plain mode, and an observer; either may be killed at any moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from interviewer.log.store import PracticeLog
from interviewer.session.assessment import State
from interviewer.session.engine import fold
from interviewer.session.move import MoveKind
from tests.piped_app import PipedApp

pytestmark = pytest.mark.slow

QUESTION = "ppo_clipping"


@contextmanager
def running(home: Path, *arguments: str) -> Iterator[PipedApp]:
    """Run an app during a block."""
    app = PipedApp(home, *arguments)
    try:
        yield app
    finally:
        app.kill()


def candidate_arguments(*more: str) -> tuple[str, ...]:
    """Return the arguments of a live offline interview in plain mode."""
    return ("interview", "--plain", "--examiner", "offline", "--live", *more)


def invited(candidate: PipedApp) -> tuple[str, str]:
    """Return the session and the token as the candidate's screen shows them."""
    candidate.until("You: ")
    token = re.search(r"interviewer observe --token (\S+)", candidate.output)
    session = re.search(r"Session (\S+),", candidate.output)
    assert token, candidate.output
    assert session, candidate.output
    return session[1], token[1]


@pytest.mark.expectation(number=68)
@pytest.mark.timeout(90)
def test_an_ask_and_a_tick_arrive_and_kills_of_either_side_lose_nothing(tmp_path: Path) -> None:
    with running(tmp_path, *candidate_arguments("--question", QUESTION)) as candidate:
        session, token = invited(candidate)
        with running(tmp_path, "observe", "--token", token, "--name", "ada") as observer:
            observer.until("Reference answers to ppo_clipping")
            candidate.until("note: watched by ada")
            candidate.type("The clip keeps the step small")
            observer.until("answer 1| The clip keeps the step small")
            observer.type("Have you met this \x1b[31mlive\x07?")
            observer.until("(queued for the interviewer's next turn, 1 waiting)")
            observer.kill()
        candidate.until("note: no observers now")
        with running(tmp_path, "observe", session, "--token", token, "--name", "ada") as observer:
            observer.until("answer 1| The clip keeps the step small")
            observer.type("/tick 1 2", "/tick 99")
            observer.until("| shown] ", 2)
            observer.until("note: expected numbers from 1 to")
            candidate.type(".")
            candidate.until("Interviewer (observer): Have you met this [31mlive?")
            observer.until("Interviewer (observer): Have you met this [31mlive?")
            candidate.kill()
            with running(tmp_path, *candidate_arguments("--resume", session)) as again:
                again.until("Interviewer: Have you met this")
                observer.until("is no longer valid for the session")
                assert observer.ends() == 2
                _, new = invited(again)
                assert new != token
                with running(tmp_path, "observe", "--token", new, "--name", "bob") as late:
                    late.until("Interviewer (observer): Have you met this")
                    again.type("Once, in a long run.", ".")
                    late.until("Candidate: Once, in a long run.")
                    again.type("/end")
                    late.until("The session is over.")
                    late.until("# Debrief")
                    assert late.ends() == 0
                assert again.ends() == 0
    log = PracticeLog(tmp_path / "data" / "log.db")
    state = fold(log.events(session))
    assert state.is_over
    assert [turn.text for turn in state.transcript if turn.move is MoveKind.OBSERVER] == ["Have you met this [31mlive?"]
    assert [(mark.state, mark.who) for mark in state.observed.marks] == [(State.SHOWN, "ada")] * 2
    # The answer to the observer was not judged; the displaced move was delivered after it.
    assert [answer.text for answer in state.drills[0].answers] == ["The clip keeps the step small"]
    kinds = [turn.move for turn in state.transcript if turn.is_interviewer]
    assert kinds.index(MoveKind.OBSERVER) + 1 < len(kinds) - 1


@pytest.mark.timeout(60)
def test_a_session_is_only_resumed_once_the_process_that_has_it_open_has_ended(tmp_path: Path) -> None:
    with running(tmp_path, *candidate_arguments("--question", QUESTION)) as candidate:
        session, _ = invited(candidate)
        refused = PipedApp(tmp_path, *candidate_arguments("--resume", session))
        assert refused.ends() == 2
        assert "This interview is open in another window" in refused.output
        candidate.type("The clip keeps the step small", ".")
        candidate.until("You: ", 2)
        candidate.kill()
        with running(tmp_path, *candidate_arguments("--resume", session)) as again:
            again.until("You: ")


@pytest.mark.timeout(60)
def test_a_wrong_token_and_a_session_that_is_not_live_are_refused(tmp_path: Path) -> None:
    arguments = [argument for argument in candidate_arguments("--question", QUESTION) if argument != "--live"]
    with running(tmp_path, *arguments) as candidate:
        candidate.until("You: ")
        assert "observe" not in candidate.output
        refused = PipedApp(tmp_path, "observe", "--token", "0000-0000-0000-0000")
        assert refused.ends() == 2
        assert "no session is open to observers" in refused.output
    with running(tmp_path, *candidate_arguments("--question", QUESTION)) as candidate:
        session, _ = invited(candidate)
        refused = PipedApp(tmp_path, "observe", session, "--token", "0000-0000-0000-0000")
        assert refused.ends() == 2
        assert "no session has this token" in refused.output
        assert "Rubric" not in refused.output
        candidate.type("/end")
        assert candidate.ends() == 0
        assert "watched" not in candidate.output
