"""Score the configured examiner on the gold answers, print all metrics, and save the result."""

from __future__ import annotations

from typing import Any

import click

from interviewer.cli.options import AS_JSON, EXAMINER, MODEL, open_context
from interviewer.cli.output import error_object, print_json
from interviewer.errors import OK, OUR_FAILURE, InterviewerError, journal
from interviewer.examiner.calibration.measure import Measurement
from interviewer.examiner.calibration.measure import calibrate as measure
from interviewer.examiner.calibration.results import save_calibration
from interviewer.examiner.gold import load_gold
from interviewer.interview.context import AppContext
from interviewer.session.assessment import Calibration
from interviewer.session.codec import to_plain

_MEANING = {
    "point_kappa": "chance-corrected agreement on whether a point is shown",
    "point_kappa_three_states": "the same, with partial as a third state",
    "macro_f1": "mean F1 over shown, partial, missing",
    "precision": "of the points it marks as shown, the share that are shown",
    "recall": "of the points that are shown, the share it marks as shown",
    "false_shown": "of the points that are not shown, the share it marks as shown",
    "false_missing": "of the points that are shown, the share it does not mark as shown",
    "answer_r": "Pearson's r of the credit per answer",
    "spearman": "rank correlation of the credit per answer",
    "qwk": "quadratic-weighted kappa of the credit per answer, in five levels",
    "bias": "its credit minus the gold credit, on average",
    "length_slope": "increase in its error when the word count doubles",
    "repeat_agreement": "share of point states that are the same on a second run",
    "rung_error": "share of rungs on which it disagrees with the gold answers; used in the posterior over depth",
    "undeserved": "share of undeserved points that attacks got in full",
    "attacks_credited": "share of attacks that got at least one undeserved point",
}


@click.command()
@click.option("--examiner", type=EXAMINER, help="Which examiner to calibrate.")
@MODEL
@AS_JSON
def calibrate(examiner: str | None, model: str | None, as_json: bool) -> int:
    """Score the examiner on the bundled gold answers; its results are then shown next to every score."""
    with open_context(examiner=examiner, model=model) as context:
        return calibrate_examiner(context, as_json=as_json)


def calibrate_examiner(context: AppContext, *, as_json: bool) -> int:
    """Score the configured examiner on the gold answers, print the metrics and save the result."""
    questions = {question.id: question for question in context.questions}
    gold = load_gold(questions)
    examiner = context.participants.examiner
    context.participants.wait_for_matcher()
    budget = context.budget("calibrate")

    def report_progress(done: int, of: int) -> bool:
        if not as_json and (done % 10 == 0 or done == of):
            click.echo(f"\r{done} of {of} answers judged", nl=done == of, err=True)
        budget.keep()
        # The session cap does not apply, because it is meant for about twenty answers, not four hundred.
        return not budget.month_cap_reason()

    result, measured = measure(examiner, examiner.version, questions, gold, report_progress)
    budget.keep()
    failure = _why_none(budget.month_cap_reason())
    measured.tokens = budget.used.prompt_tokens + budget.used.completion_tokens
    if result is not None:
        save_calibration(result, context.folders.calibrations_file)
    if as_json:
        print_json(_as_json(result, measured, failure))
    else:
        _print(result, measured, failure)
    return OK if result is not None else OUR_FAILURE


def _as_json(result: Calibration | None, measured: Measurement, failure: InterviewerError) -> dict[str, Any]:
    fields = {
        "calibrated": result is not None and result.is_good,
        "result": to_plain(result),
        **to_plain(measured),
        "attacks": {kind: {"credited": got, "undeserved": of} for kind, (got, of) in measured.attacks.items()},
    }
    if result is None:
        fields["error"] = error_object(failure, journal.record(failure))
    return fields


def _print(result: Calibration | None, measured: Measurement, failure: InterviewerError) -> None:
    click.echo(f"{measured.examiner}: {measured.answers} gold answers judged, {measured.ungraded} ungraded")
    for name, value in measured.figures.items():
        click.echo(f"  {name:26} {'not defined' if value is None else f'{value:.3f}':>11}  {_MEANING[name]}")
    if measured.quotes_verbatim is not None:
        click.echo(
            f"  {'quotes_verbatim':26} {measured.quotes_verbatim:11.3f}  share of quotes found verbatim in the answer"
        )
    click.echo("Undeserved points credited, by kind of attack:")
    for kind, (got, of) in sorted(measured.attacks.items()):
        click.echo(f"  {kind:26} {got} of {of}")
    click.echo(f"{measured.tokens} tokens, {measured.seconds:.1f} s")
    if result:
        click.echo(str(result))
    else:
        click.echo(f"Uncalibrated: {failure.message}. {failure.fix}{journal.id_note(failure)}")


def _why_none(why_unpaid: str) -> InterviewerError:
    """Return the error that explains why there is no result."""
    if why_unpaid:
        return InterviewerError(why_unpaid, "Raise month_cap_usd, or use --examiner offline.", "model")
    fix = "Check the model, or use --examiner offline."
    return InterviewerError("too few answers were judged for a result", fix, "model")
