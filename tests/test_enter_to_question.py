"""Offline the next question is there in the blink after Enter: judged, decided and written to the log.

Counted is the time on a processor: what else this machine does meanwhile is not the app's.
"""

from __future__ import annotations

import statistics
import time
import tomllib

from interviewer.authoring.statements import STATEMENTS
from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest
from interviewer.session.state import Awaiting
from tests.fakes import RecordingFrontend

QUESTIONS = ("ppo_clipping", "reinforce", "memory_by_hand", "staleness_in_async_rl")
SECONDS_MAX = 0.05


def test_the_next_question_comes_within_50_ms() -> None:
    took = []
    with AppContext(Settings(examiner="offline"), find_folders(), environ={}) as context:
        for name in QUESTIONS:
            interview, front = (
                new_interview(context, PlanRequest(minutes=60.0, questions=(name,), tasks=()), seed=1),
                RecordingFrontend(),
            )
            interview.run_until_input(front)
            points = tomllib.loads((STATEMENTS / f"{name}.toml").read_text(encoding="utf-8")).values()
            for point in points:
                if interview.session.awaiting is not Awaiting.ANSWER:
                    break
                asked, began = len(front.moves), time.process_time()
                interview.answer(f"{point['right']} {point['unseen']}")
                interview.run_until_input(front)
                if len(front.moves) > asked:
                    took.append(time.process_time() - began)
    assert len(took) >= 2 * len(QUESTIONS)
    assert statistics.median(took) < SECONDS_MAX, took
