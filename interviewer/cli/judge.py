"""Assess an answer: the state of each point with quotes, the score, and the next move."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from interviewer.cli.files import read_source
from interviewer.cli.options import AS_JSON, EXAMINER, MODEL, open_context
from interviewer.cli.output import echo, error_object, print_json
from interviewer.errors import OK, OUR_FAILURE, BadInput, InterviewerError, journal
from interviewer.interview.context import AppContext
from interviewer.sanitize import one_line
from interviewer.session import phrases
from interviewer.session.assessment import PHRASINGS_ONLY, Assessment, CheckResult, score
from interviewer.session.codec import to_plain
from interviewer.session.move import Move, MoveKind
from interviewer.session.policy import decide
from interviewer.session.question import Question
from interviewer.session.scoring import apply_assessment
from interviewer.session.state import Drill


@click.command()
@click.argument("question")
@click.argument("file", default="-")
@click.option(
    "--rung", type=click.IntRange(min=0), default=0, help="Rung that was answered; 0 is the opening question."
)
@click.option("--examiner", type=EXAMINER, help="Which examiner judges the answer.")
@MODEL
@AS_JSON
def judge(question: str, file: str, rung: int, examiner: str | None, model: str | None, as_json: bool) -> int:
    """Judge one answer, read from FILE or stdin."""
    with open_context(examiner=examiner, model=model) as context:
        return judge_answer(context, question, file, rung=rung, as_json=as_json)


def judge_answer(context: AppContext, name: str, file: str, *, rung: int, as_json: bool) -> int:
    """Assess the answer in a file ("-" for stdin), print the result, and return the exit code."""
    question = context.question(name)
    if rung > len(question.rungs):
        raise BadInput(f"--rung {rung}: {name} has {len(question.rungs)} rungs")
    answer = _typed_answer() if file == "-" else read_source(Path(file))
    examiner = context.participants.examiner
    context.participants.wait_for_matcher()
    ask = question.rungs[rung - 1].ask if rung else question.prompt
    asked = Move(MoveKind.DEEPER if rung else MoveKind.NEXT, ask, rung=rung)
    budget = context.budget("judge")
    if why_not := budget.session_cap_reason():
        assessment = Assessment(examiner.name, is_graded=False, why_not=why_not)
    else:
        try:
            assessment = examiner.assess(question, ask, answer)
        finally:
            budget.keep()
    calibration = next((known for known in context.calibrations if known.examiner == examiner.name), None)
    is_without_matcher = PHRASINGS_ONLY in assessment.flags
    is_calibrated = calibration is not None and calibration.is_good and not is_without_matcher
    result = judged_json(question, asked, answer, assessment, is_calibrated=is_calibrated)
    # An empty answer is not an error; if the model returns no usable judgment, the app has failed.
    has_failed = not assessment.is_graded and "empty" not in assessment.flags
    failure = InterviewerError(assessment.why_not, "Check the model, or use --examiner offline.", "model")
    record_id = journal.record(failure) if has_failed else ""
    if as_json:
        print_json({**result, **({"error": error_object(failure, record_id)} if has_failed else {})})
    elif not assessment.is_graded:
        echo(f"ungraded: {assessment.why_not}" + (f" Error {record_id}." if record_id else ""), is_error=has_failed)
    else:
        _print_judged(question, assessment, result)
        echo(str(calibration) if calibration else phrases.UNCALIBRATED)
        if is_without_matcher:
            echo(phrases.figures_do_not_hold(1))
    return OUR_FAILURE if has_failed else OK


def _typed_answer() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise BadInput(f"standard input: not UTF-8 text (byte {error.start})") from None


def _print_judged(question: Question, assessment: Assessment, result: dict[str, Any]) -> None:
    for point in assessment.points:
        echo(f"{point.state.value:13} {point.id}" + (f"  “{one_line(point.quote)}”" if point.quote else ""))
    for belief in assessment.misconceptions:
        echo(f"misconception {belief.id}  “{one_line(belief.quote)}”")
    heard = sum(point.state.credit > 0 for point in assessment.points)
    echo(f"\nHeard {heard} of {len(question.points)} points. Judged by: {assessment.judge}.")
    echo(f"Next ({result['move']}): {result['next']}")


def judged_json(
    question: Question, asked: Move, answer: str, assessment: Assessment, *, is_calibrated: bool
) -> dict[str, Any]:
    """Return the object for `judge --json`: states with quotes, the score computed by code, and the next move.

    A point is `checked` if code verified it: the answer is the right answer to a check of the point's rung.
    """
    wanted = question.rungs[asked.rung - 1].points if asked.rung else tuple(point.id for point in question.points)
    drill = apply_assessment(question, Drill(question.id, rung=asked.rung), asked, answer, assessment)
    move = decide(question, drill, asked).move
    checked = wanted if assessment.check is CheckResult.RIGHT else ()
    return {
        "question": question.id,
        "rung": asked.rung,
        "examiner": assessment.judge,
        "calibrated": is_calibrated,
        "graded": assessment.is_graded,
        "score": score(assessment, wanted),
        "points": [{**to_plain(point), "checked": point.id in checked} for point in assessment.points],
        "misconceptions": [belief.id for belief in assessment.misconceptions],
        "flags": list(assessment.flags),
        "why_not": assessment.why_not,
        "move": move.kind.value if move else "next",
        "next": move.text if move else "",
    }
