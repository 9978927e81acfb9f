"""Small helpers of the app: their messages, the characters that they let through, and the text that they keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.events import Key

from graders.verdict import Verdict
from interviewer.errors import InterviewerError, journal
from interviewer.session.events import SkipAsked
from interviewer.session.state import Attempt, Awaiting
from interviewer.tui.app_base import register_alt_enter
from interviewer.tui.messages import FrontendClosed, ScreenFrontend, SpeechChunk
from interviewer.tui.screens.interview import action_state
from interviewer.tui.screens.session import Drafts
from interviewer.tui.text_format import advice, folded, printable, shortened
from interviewer.tui.widgets.status import clock_text, state_text
from interviewer.tui.widgets.verdict import VerdictView, verdict_content
from tests.session.build import Run, heard, started
from tests.tui.conftest import report


@pytest.mark.expectation(number=43)
@pytest.mark.parametrize(
    ("seconds", "minutes", "text"),
    [
        (2700, 45, "45:00 left"),
        (599.9, 45, "9:59 left · less than 10 minutes"),
        (300, 10, "5:00 left"),
        (61, 10, "1:01 left · less than 2 minutes"),
        (-75, 45, "1:15 over"),
    ],
)
def test_the_clock_warns_in_words(seconds: float, minutes: float, text: str) -> None:
    assert clock_text(seconds, minutes) == text


def test_the_state_line_names_wait_and_way_out() -> None:
    assert state_text(Awaiting.ANSWER, "", 0, is_sending_next=False) == "Your turn."
    grading = state_text(Awaiting.VERDICT, "grading", 7.2, is_sending_next=False)
    assert "esc: cancel" in grading
    assert "7 s" in grading
    assert "sent next" in state_text(Awaiting.WORDS, "speaking", 1, is_sending_next=True)


@pytest.mark.expectation(number=38)
def test_steering_characters_never_get_through() -> None:
    assert printable("a\x1b[2J\x9bb\r\nc\rd\te\u202ef\ud800") == "a\ufffd[2J\ufffdb\nc\nd\te\ufffdf\ufffd"


@pytest.mark.expectation(number=38)
def test_shortened_says_how_much_is_missing() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("x" * 2005, 5).startswith("xxxxx\n… 2,000 more characters")


def test_a_note_about_missing_characters_is_never_longer_than_they_are() -> None:
    assert shortened("x" * 120, 100) == "x" * 120
    lengths = [len(shortened("x" * length, 100)) for length in range(90, 400)]
    assert all(shown <= length for length, shown in zip(range(90, 400), lengths, strict=True))
    assert "more characters" in shortened("x" * 200, 100)


@pytest.mark.expectation(number=21)
def test_alt_enter_of_an_old_terminal_is_a_new_line() -> None:
    register_alt_enter()
    keys = [event.key for event in XTermParser().feed("a\x1b\rb") if isinstance(event, Key)]
    assert keys == ["a", "ctrl+j", "b"]


def test_folding_breaks_only_long_lines_and_at_spaces() -> None:
    assert folded("one two three\nfour", 8) == "one two\nthree\nfour"
    assert folded("x" * 10, 4) == "xxxx\nxxxx\nxx"


def test_drafts_save_the_last_text_once_a_delay_and_keep_what_failed() -> None:
    saved: list[tuple[str, str]] = []
    timers: list[Callable[[], None]] = []
    is_broken = False

    def save(slot: str, text: str) -> bool:
        if not is_broken:
            saved.append((slot, text))
        return not is_broken

    drafts = Drafts(save, lambda delay, flush: timers.append(flush))
    drafts.note("answer", "a")
    drafts.note("answer", "ab")
    drafts.note("code:gae", "x")
    assert len(timers) == 1
    timers.pop()()
    assert saved == [("answer", "ab"), ("code:gae", "x")]
    is_broken = True
    drafts.note("answer", "abc")
    timers.pop()()
    is_broken = False
    drafts.flush()
    assert saved[2:] == [("answer", "abc")]
    drafts.flush()
    assert len(saved) == 3


def test_a_closed_front_aborts_the_driver() -> None:
    posted: list[object] = []
    front = ScreenFrontend(posted.append)
    front.stream_text("a")
    front.close()
    with pytest.raises(FrontendClosed):
        front.stream_text("b")
    with pytest.raises(FrontendClosed):
        front.show_busy("")
    assert [message.text for message in posted if isinstance(message, SpeechChunk)] == ["a"]


def test_advice_gives_the_next_step_and_owns_a_fault() -> None:
    error = InterviewerError("no engine", "start Docker")
    assert advice(error) == f"no engine\nstart Docker\nError {journal.record(error)}."
    assert "Internal error: KeyError" in advice(KeyError("x"))


@pytest.mark.expectation(number=37)
def test_a_passed_verdict_is_one_line_and_a_failed_one_starts_with_the_worst() -> None:
    passed = verdict_content(Attempt(0.0, "", report(Verdict.PASSED)), 2).plain
    assert passed.startswith("✓ #2 passed · 3 of 3 cases passed\nscore 1.00 · 1.2 s")
    assert "ends_midway" not in passed
    failed = verdict_content(Attempt(0.0, "", report(Verdict.RAISED, stdout="[b]\x1b[1mout")), 1).plain
    assert failed.startswith("✗ #1 raised an exception · 2 of 3 cases passed\n")
    assert failed.index("✗ ends_midway  raised") < failed.index("[b]\ufffd[1mout")
    assert failed.endswith("Isolation: container, no network")


def test_a_raised_exception_comes_first_with_the_line_that_raised_it() -> None:
    """The output, however long, is below it."""
    message = "raised ValueError in line 3: no such axis\nsecond line of the message"
    raised = report(Verdict.RAISED, stdout="step\n" * 200)
    *passed, failed = raised.cases
    attempt = Attempt(0.0, "\ndef gae(rewards):\n    \x1b[2J = rewards.sum(7)\n", None)
    shown = verdict_content(
        replace(attempt, report=replace(raised, cases=(*passed, replace(failed, message=message)))), 1
    )
    assert shown.plain.split("\n")[3:8] == [
        "✗ ends_midway  raised an exception",
        "  raised ValueError in line 3: no such axis",
        "      \ufffd[2J = rewards.sum(7)",
        "  second line of the message",
        "",
    ]
    # The line's number comes from the sandbox.
    other = replace(raised, cases=(replace(failed, message="raised ValueError in line 9: gone"),))
    assert "in line 9: gone\n\nYour code" in verdict_content(replace(attempt, report=other), 1).plain


def test_what_is_possible_follows_the_session() -> None:
    run = Run(started(("question", "clipping"), ("task", "gae")))
    assert action_state("hint", run.session) is True
    assert action_state("submit", run.session) is False
    run.answer(heard("p1"))
    run.apply(SkipAsked(run.now))
    assert run.session.awaiting is Awaiting.SELF_MARKS
    assert action_state("confirm", run.session) is True
    assert action_state("skip", run.session) is False
    assert action_state("end", run.session) is True


def test_isolation_takes_one_line_until_all_of_it_is_asked_for() -> None:
    attempt = Attempt(
        0.0, "", replace(report(Verdict.RAISED), isolation="process in bubblewrap: no network, and more.")
    )
    assert verdict_content(attempt, 1).plain.endswith("Isolation: process in bubblewrap (i: details)")
    whole = verdict_content(attempt, 1, is_isolation_whole=True).plain
    assert whole.endswith("Isolation: process in bubblewrap: no network, and more.")


def test_a_closed_screen_ignores_what_the_model_says_about_itself() -> None:
    posted: list[object] = []
    front = ScreenFrontend(posted.append)
    front.close()
    front.notice("too many requests")
    front.show_model_wait(1.0)
    assert posted == []


async def test_a_verdict_that_is_shown_again_stays_scrolled() -> None:
    class OneVerdict(App[None]):
        def compose(self) -> ComposeResult:
            yield VerdictView()

    app = OneVerdict()
    attempts = (Attempt(1.0, "x = 1", report(Verdict.WRONG_VALUE, stdout="x\n" * 60)),)
    async with app.run_test(size=(80, 10)) as pilot:
        view = app.query_one(VerdictView)
        view.show(attempts)
        await pilot.pause()
        view.scroll_end(animate=False)
        await pilot.pause()
        assert (before := view.scroll_y) > 0
        view.show(tuple(attempts))
        await pilot.pause()
        assert view.scroll_y == before
