"""SIGKILL at random moments in a plain interview loses no turn: every answer that got a reply is in the log."""

from __future__ import annotations

import contextlib
import random
import time
from pathlib import Path

import pytest

from interviewer.log.store import PracticeLog
from interviewer.session.engine import fold
from interviewer.session.state import Session
from tests.piped_app import WAIT_SECONDS, PipedApp
from tests.subjects import starts

KILLS = 20
PROMPT = "\nYou: "
QUESTIONS = ("ppo_clipping", "loss_all_reduced_twice")
# Less than eight minutes, so that no further question is offered: the next line would reply to the offer.
COMMAND = ("interview", "--plain", "--examiner", "offline", "--minutes", "7")


class Candidate:
    """Type numbered answers into one run of the app, and record those after which it asked for the next one."""

    def __init__(self, home: Path, arguments: tuple[str, ...]) -> None:
        self.acknowledged: list[str] = []
        self._app = PipedApp(home, *COMMAND, *arguments)

    def _waits_for_prompt(self, number: int, deadline: float) -> bool:
        """Wait until the app has asked for input this many times; return whether it did before the deadline."""
        while time.monotonic() < deadline and self._app.process.poll() is None:
            if self._app.output.count(PROMPT) >= number:
                return True
            time.sleep(0.002)
        return False

    def type_for(self, seconds: float, first_number: int, rng: random.Random) -> None:
        """From the first prompt on, type answers of two lines for this long; then kill without warning."""
        # A run that was killed just before the end of its session only shows the debrief.
        is_asked = self._waits_for_prompt(1, time.monotonic() + WAIT_SECONDS)
        assert is_asked or self._app.process.poll() == 0, self._app.output
        deadline = time.monotonic() + seconds
        turn = 1
        while self._waits_for_prompt(turn, deadline):
            wants_marks = "Your own marks" in self._app.output.split(PROMPT)[turn - 1]
            number = first_number + turn
            text = "" if wants_marks else f"answer {number}\nand its second line {number}"
            self._type([*text.splitlines(), "."], deadline, rng)
            turn += 1
            if self._waits_for_prompt(turn, deadline) and text:
                self.acknowledged.append(text)
        self._app.kill()

    def dies_young(self, seconds: float) -> None:
        """Kill after this delay from the start, wherever the app is by then."""
        time.sleep(seconds)
        self._app.kill()

    def _type(self, lines: list[str], deadline: float, rng: random.Random) -> None:
        for line in lines:
            time.sleep(rng.random() * 0.02)
            if time.monotonic() < deadline:
                with contextlib.suppress(BrokenPipeError):
                    self._app.type(line)


def answers_in(session: Session) -> list[str]:
    """Return what the candidate said, in order."""
    return [turn.text for turn in session.transcript if not turn.is_interviewer]


@pytest.mark.recorded(subject_of=starts("interviewer.cli.interview", questions=QUESTIONS))
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_twenty_kills_lose_no_turn(tmp_path: Path) -> None:
    rng = random.Random(20)
    open_session, acknowledged = "", 0
    expected: list[str] = []
    for kill in range(KILLS):
        new = tuple(word for name in QUESTIONS for word in ("--question", name))
        candidate = Candidate(tmp_path, ("--resume", open_session) if open_session else new)
        if kill % 5:
            candidate.type_for(0.2 + rng.random(), 100 * kill, rng)
        else:
            candidate.dies_young(rng.random())
        acknowledged += len(candidate.acknowledged)

        log = PracticeLog(tmp_path / "data" / "log.db")
        lines = log.sessions()
        if lines:
            latest = lines[0]
            answers = answers_in(fold(log.events(latest.id)))
            earlier = expected if latest.id == open_session else []
            assert answers[: len(earlier)] == earlier, f"kill {kill}: a turn of an earlier run is gone"
            # An answer may begin with a draft from the previous run, which continues where the kill cut it off.
            lost = [text for text in candidate.acknowledged if not any(text in answer for answer in answers)]
            assert lost == [], f"kill {kill}: an answered turn is gone"
            open_session, expected = ("", []) if latest.ended_at else (latest.id, answers)
        log.close()
    assert acknowledged >= KILLS / 2, "the test typed too little to prove anything"
