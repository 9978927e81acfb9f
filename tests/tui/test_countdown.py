"""Before a model is called again, the status line counts down the seconds, and escape ends the wait."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

import pytest
from textual.pilot import Pilot

from interviewer.chat.litellm_model import LitellmModel
from interviewer.cli.plain.interview import run_plain_interview
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.context import AppContext
from interviewer.interview.ports import Participants
from interviewer.session.state import Awaiting
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.widgets.status import StateLine, TextLine, state_text
from tests.chat.fake_server import FakeServer
from tests.fakes import make_interview
from tests.tui.conftest import NARROW, WIDE, interview_of, open_app, shown_text, wait_for


class Named(OfflineExaminer):
    """Judges offline under a different name, so that the voice stays."""

    name = "llm:openai/test"


def participants() -> Participants:
    """Return a model that is ready, because the first question does not wait for a model that is not."""
    model = LitellmModel("openai/test", retry_seconds=(0.01,))
    while not model.warm_up():
        time.sleep(0.05)
    return Participants(Named(), OfflineExaminer(), model)


def state(pilot: Pilot[None]) -> str:
    found = pilot.app.screen.query("#state")
    return str(found.first().render()) if found else ""


@pytest.mark.slow
@pytest.mark.expectation(number=51)
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_seconds_are_counted_down(
    context: AppContext, server: FakeServer, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.always = "wait 429 6"
    context.participants = participants()
    drawn: list[str] = []

    def say(line: StateLine, text: str) -> None:
        drawn.append(text)
        TextLine.set_text(line, text)

    # Record every text that is drawn: a test that polls on a busy machine would miss some.
    monkeypatch.setattr(StateLine, "set_text", say)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=size) as pilot:
        await wait_for(pilot, lambda: "Why does clipping work?" in shown_text(app), "the words", 30)
        await wait_for(pilot, lambda: state(pilot).startswith("Your turn."), "the turn")
    counted = [int(found[1]) for frame in drawn if (found := re.search(r"Retrying in (\d) s · esc: interrupt", frame))]
    assert counted == sorted(counted, reverse=True)
    assert {6, 5, 4, 3, 2, 1} >= set(counted)
    # A machine that stalls for a few seconds skips some numbers; what matters is that they decrease.
    assert len(set(counted)) >= 2


async def test_escape_ends_the_wait(context: AppContext, server: FakeServer) -> None:
    server.always = "wait 429 19"
    context.participants = participants()
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        await wait_for(pilot, lambda: "Retrying in 1" in state(pilot), "the wait", 20)
        await pilot.press("escape")
        await wait_for(pilot, lambda: state(pilot).startswith("Your turn."), "the turn", 3)
        screen = app.screen
        assert isinstance(screen, InterviewScreen)
        screen.become_busy("listening")
        screen.tick()
        assert "Retrying in" not in state(pilot)


def test_the_plain_front_names_the_seconds_once(server: FakeServer, tmp_path: Path) -> None:
    server.always = "wait 429 1"
    out, err = io.StringIO(), io.StringIO()
    run_plain_interview(
        make_interview(tmp_path, ("question", "clipping"), participants=participants()), io.StringIO(""), out, err
    )
    assert err.getvalue() == "note: openai/test: too many requests. Trying again in 1 s.\n"
    # The note says that the app is waiting, so no second line does.
    assert "waiting for the model" not in out.getvalue()
    assert "1 s" not in out.getvalue()


def test_a_long_judgment_shows_the_key_that_ends_the_wait() -> None:
    short, long = (
        state_text(Awaiting.ASSESSMENT, "judging", seconds, is_sending_next=False) for seconds in (9.0, 11.0)
    )
    assert "f11" not in short
    assert "f11: judge offline" in long
    assert len(long) < 80
