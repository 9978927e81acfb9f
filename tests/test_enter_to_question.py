"""Offline, the next question follows Enter immediately: the answer is judged, the move is chosen, and both are logged.

The CPU time is compared with that of a fixed computation run right before, so a slow or busy machine does not matter.
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
# The computation takes about 12 ms of CPU time, so this is about 50 ms.
SUMS_MAX = 4


def sum_seconds() -> float:
    began = time.process_time()
    sum(range(1_000_000))
    return time.process_time() - began


def test_the_next_question_takes_no_longer_than_four_sums() -> None:
    sums = []
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
                asked, one_sum, began = len(front.moves), sum_seconds(), time.process_time()
                interview.answer(f"{point['right']} {point['unseen']}")
                interview.run_until_input(front)
                if len(front.moves) > asked:
                    sums.append((time.process_time() - began) / one_sum)
    assert len(sums) >= 2 * len(QUESTIONS)
    assert statistics.median(sums) < SUMS_MAX, sums
