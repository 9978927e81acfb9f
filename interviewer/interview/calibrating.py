"""Calibrates the configured examiner: judges the gold answers and saves the result, or says why there is no result."""

from __future__ import annotations

from collections.abc import Callable

from interviewer.errors import InterviewerError
from interviewer.examiner.calibration.measure import REPEATS_EVERY, Measurement, calibrate, make_attacks
from interviewer.examiner.calibration.results import save_calibration
from interviewer.examiner.gold import load_gold
from interviewer.interview.context import AppContext
from interviewer.session.assessment import Calibration


def judgment_count(context: AppContext) -> int:
    """Return how many answers a calibration judges, including the attacks and the repeated answers."""
    questions = {question.id: question for question in context.questions}
    gold = load_gold(questions)
    return len(gold) + len(make_attacks(questions, gold)) + len(gold[::REPEATS_EVERY])


def calibrate_examiner(
    context: AppContext, on_progress: Callable[[int, int], bool]
) -> tuple[Calibration | None, Measurement, str]:
    """Calibrate the configured examiner, save the result, and return it with the measurements.

    If there is no result, the third value is the reason, if known. `on_progress` is called with the number of answers
    judged and the total; returning False stops the calibration. Raises InterviewerError if no model can be used.
    """
    questions = {question.id: question for question in context.questions}
    gold = load_gold(questions)
    examiner = context.participants.examiner
    context.participants.wait_for_matcher()
    budget = context.budget("calibrate")

    def go_on(done: int, of: int) -> bool:
        budget.keep()
        # The spending cap per session does not apply, because it is meant for about twenty answers, and a calibration
        # judges hundreds.
        return on_progress(done, of) and not budget.month_cap_reason()

    try:
        result, measured = calibrate(examiner, examiner.version, questions, gold, go_on)
    finally:
        budget.keep()
    measured.tokens = budget.used.prompt_tokens + budget.used.completion_tokens
    if result is not None:
        save_calibration(result, context.folders.calibrations_file)
    return result, measured, budget.month_cap_reason()


def why_no_result(why_unpaid: str) -> InterviewerError:
    """Return the error that explains why the calibration has no result.

    `why_unpaid` says which spending cap blocked calls; it is "" if the caps allowed all calls.
    """
    if why_unpaid:
        return InterviewerError(why_unpaid, "Raise month_cap_usd, or use --examiner offline.", "model")
    fix = "Check the model, or use --examiner offline."
    return InterviewerError("too few answers were judged to give a result", fix, "model")
