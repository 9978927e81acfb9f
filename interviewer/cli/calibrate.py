"""Score the configured examiner on the gold answers, print all metrics, and save the result."""

from __future__ import annotations

from typing import Any

import click

from interviewer.cli.options import AS_JSON, EXAMINER, MODEL, open_context
from interviewer.cli.output import error_object, print_json
from interviewer.errors import OK, OUR_FAILURE, InterviewerError, journal
from interviewer.examiner.calibration.measure import Measurement
from interviewer.interview.calibrating import calibrate_examiner, why_no_result
from interviewer.interview.context import AppContext
from interviewer.session.assessment import Calibration
from interviewer.session.codec import to_plain

_MEANING = {
    "point_kappa": "chance-corrected agreement on whether the answer shows a point",
    "point_kappa_three_states": "chance-corrected agreement on the three states: shown, partial and missing",
    "macro_f1": "mean F1 over the three states: shown, partial and missing",
    "precision": "of the points marked as shown, the share actually shown in the answer",
    "recall": "of the points shown in the answer, the share marked as shown",
    "false_shown": "false positive rate: of the points not shown in the answer, the share marked as shown",
    "false_missing": "false negative rate: of the points shown in the answer, the share not marked as shown",
    "answer_r": "Pearson's r between the examiner's credit and the gold credit for each answer",
    "spearman": "rank correlation between the examiner's credit and the gold credit for each answer",
    "qwk": "quadratic-weighted kappa between the examiner's credit and the gold credit for each answer, in five levels",
    "bias": "the examiner's mean credit minus the mean gold credit",
    "length_slope": "increase in the examiner's error when the word count doubles",
    "repeat_agreement": "share of points whose state stays the same when some of the answers are judged again",
    "rung_error": "share of rungs for which the examiner and the gold answers disagree on whether the rung is passed; "
    "used to estimate a candidate's depth",
    "undeserved": "share of unearned points for which adversarial answers got full credit",
    "attacks_credited": "share of adversarial answers that got full credit for at least one unearned point",
}


@click.command()
@click.option("--examiner", type=EXAMINER, help="Which examiner to calibrate.")
@MODEL
@AS_JSON
def calibrate(examiner: str | None, model: str | None, as_json: bool) -> int:
    """Score the examiner on the bundled gold answers; its results are then shown next to every score."""
    with open_context(examiner=examiner, model=model) as context:
        return print_calibration(context, as_json=as_json)


def print_calibration(context: AppContext, *, as_json: bool) -> int:
    """Score the configured examiner on the gold answers, print the metrics and save the result."""

    def report_progress(done: int, of: int) -> bool:
        if not as_json and (done % 10 == 0 or done == of):
            click.echo(f"\r{done} of {of} answers judged", nl=done == of, err=True)
        return True

    result, measured, why_unpaid = calibrate_examiner(context, report_progress)
    failure = why_no_result(why_unpaid)
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
    click.echo("Unearned points credited, by kind of attack:")
    for kind, (got, of) in sorted(measured.attacks.items()):
        click.echo(f"  {kind:26} {got} of {of}")
    click.echo(f"{measured.tokens} tokens, {measured.seconds:.1f} s")
    if result:
        click.echo(str(result))
    else:
        click.echo(f"Uncalibrated: {failure.message}. {failure.fix}{journal.id_note(failure)}")
