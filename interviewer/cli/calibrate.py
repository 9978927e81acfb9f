"""The `calibrate` command: scores the examiner that is configured, tells every figure, and keeps the result."""

from __future__ import annotations

from typing import Any

import click

from interviewer.cli.commands import failures
from interviewer.errors import journal
from interviewer.examiner.calibration.measure import Measured, calibrate
from interviewer.examiner.calibration.results import keep_calibration
from interviewer.examiner.gold import load_gold
from interviewer.exits import OK, OUR_FAILURE, Failure, error_object, print_json
from interviewer.interview.context import Kit
from interviewer.session.assessment import Calibration
from interviewer.session.codec import to_plain

_MEANING = {
    "point_kappa": "agreement on shown against not shown, chance taken out",
    "point_kappa_three_states": "the same with partial as a state of its own",
    "macro_f1": "mean F1 over shown, partial, missing",
    "precision": "share of what it calls shown that is",
    "recall": "share of the points shown that it calls shown",
    "false_shown": "share of points not shown that it calls shown",
    "false_missing": "share of points shown that it does not call shown",
    "answer_r": "Pearson's r of the credit of whole answers",
    "spearman": "rank correlation of the same",
    "qwk": "quadratic kappa of the same in five levels",
    "bias": "its credit less the gold's, mean",
    "length_slope": "how its error grows for each doubling of the words",
    "repeat_agreement": "share of point states that come out the same a second time",
    "rung_error": "share of rungs on which it and the gold disagree; the posterior over depth uses it",
    "undeserved": "share of undeserved points that attacks were credited with in full",
    "attacks_credited": "share of attacks that got any undeserved point",
}


def calibrate_examiner(kit: Kit, *, as_json: bool) -> int:
    """Score the configured examiner on the gold answers, print the figures and keep the result."""
    with failures():
        questions = {one.id: one for one in kit.questions}
        gold = load_gold(questions)
        examiner = kit.cast.examiner
        purse = kit.purse("calibrate")

    def told(done: int, of: int) -> bool:
        if not as_json and (done % 10 == 0 or done == of):
            click.echo(f"\r{done} of {of} answers judged", nl=done == of, err=True)
        purse.keep()
        # Not a session's cap, which is meant for some twenty answers and not for four hundred.
        return not purse.why_over_month()

    with failures():
        result, measured = calibrate(examiner, examiner.version, questions, gold, told)
        purse.keep()
        failure = _why_none(purse.why_over_month())
    measured.tokens = purse.used.prompt_tokens + purse.used.completion_tokens
    if result is not None:
        with failures():
            keep_calibration(result, kit.folders.calibrations_file)
    if as_json:
        print_json(_as_json(result, measured, failure))
    else:
        _print(result, measured, failure)
    return OK if result is not None else OUR_FAILURE


def _as_json(result: Calibration | None, measured: Measured, failure: Failure) -> dict[str, Any]:
    told = {
        "calibrated": result is not None and result.is_good,
        "result": to_plain(result),
        **to_plain(measured),
        "attacks": {kind: {"credited": got, "undeserved": of} for kind, (got, of) in measured.attacks.items()},
    }
    if result is None:
        told["error"] = error_object(failure, journal.record(failure))
    return told


def _print(result: Calibration | None, measured: Measured, failure: Failure) -> None:
    click.echo(f"{measured.examiner}: {measured.answers} gold answers judged, {measured.ungraded} ungraded")
    for name, value in measured.figures.items():
        click.echo(f"  {name:26} {'not defined' if value is None else f'{value:.3f}':>11}  {_MEANING[name]}")
    if measured.quotes_verbatim is not None:
        click.echo(
            f"  {'quotes_verbatim':26} {measured.quotes_verbatim:11.3f}  share of quotes that stand in the answer"
        )
    click.echo("Undeserved points credited, of those open to each kind of attack:")
    for kind, (got, of) in sorted(measured.attacks.items()):
        click.echo(f"  {kind:26} {got} of {of}")
    click.echo(f"{measured.tokens} tokens, {measured.seconds:.1f} s")
    if result:
        click.echo(str(result))
    else:
        click.echo(f"Uncalibrated: {failure.message}. {failure.fix}{journal.id_note(failure)}")


def _why_none(why_unpaid: str) -> Failure:
    """Return what is wrong when there is no result."""
    if why_unpaid:
        return Failure(OUR_FAILURE, "model", why_unpaid, "Raise month_cap_usd, or use --examiner offline.")
    fix = "Check the model, or use --examiner offline."
    return Failure(OUR_FAILURE, "model", "too little was judged to say anything", fix)
