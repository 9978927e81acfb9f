"""Grade a submission, print the report, and log it as practice."""

from __future__ import annotations

import time
from pathlib import Path

import click

from graders.errors import GradingError
from graders.install import installation
from graders.timing import Timing, has_timed_case
from graders.verdict import Report, Verdict, failed_cases
from interviewer.cli.files import read_source
from interviewer.cli.options import AS_JSON, DEVICE, SANDBOX, SEED_MAX, FileName, open_context
from interviewer.cli.output import print_json, unread_output_discarded
from interviewer.errors import NOT_PASSED, OK
from interviewer.interview.context import AppContext
from interviewer.interview.ranks import device_text
from interviewer.log.attempts import Origin, new_attempt
from interviewer.log.errors import LogError
from interviewer.session.phrases import cases_passed, verdict_text
from tasks.task import Task

SPEED_OFFER = "Add --speed to compare your speed with the reference's."


@click.command()
@click.argument("task")
@click.argument("file", type=FileName())
@DEVICE
@SANDBOX
@click.option("--seed", type=click.IntRange(0, SEED_MAX), help="Seed for the test cases. Default: a new random seed.")
@click.option(
    "--no-log",
    is_flag=True,
    help="Do not save this attempt to the practice log, for example when grading someone else's code.",
)
@click.option(
    "--speed",
    "is_timed",
    is_flag=True,
    help="After a pass, compare the submission's speed with the reference's, if the task has a case for that.",
)
@AS_JSON
def grade(
    task: str,
    file: Path,
    device: str,
    sandbox: str | None,
    seed: int | None,
    no_log: bool,
    is_timed: bool,
    as_json: bool,
) -> int:
    """Grade one submission and save it to the practice log. Exits with 1 if it does not pass."""
    with open_context(sandbox=sandbox) as context:
        known, source, settings = context.task(task, device), read_source(file), context.settings
        tell_installation()
        report = context.grader_client.grade(
            str(known.folder), source, device=device, sandbox=settings.sandbox, image=settings.image, seed=seed
        )
        # Log the attempt first, because printing can fail.
        if not no_log:
            log_attempt(context, report, source, "grade")
        with unread_output_discarded():
            if not as_json:
                click.echo(report_text(report, known))
            timing = None
            can_be_timed = report.verdict is Verdict.PASSED and has_timed_case(known.cases_source)
            if is_timed and can_be_timed:
                timing = timing_of(context, known, source, device)
            if as_json:
                print_json({**report.to_json(), "speed": timing.to_json() if timing else None})
            elif can_be_timed and not is_timed:
                click.echo(SPEED_OFFER)
            elif timing:
                click.echo(str(timing))
    return OK if report.verdict is Verdict.PASSED else NOT_PASSED


def tell_installation() -> None:
    """If torch is still being installed, print the progress on stderr, because grading has to wait for torch."""
    if (running := installation()) and not running.error:
        click.echo(f"{running.text}. Your code is graded after that.", err=True)


def timing_of(context: AppContext, task: Task, source: str, device: str) -> Timing | None:
    """Return a submission's speed; if it cannot be measured, print a note and return None: the verdict stands."""
    settings = context.settings
    try:
        return context.grader_client.timing(
            str(task.folder), source, device=device, sandbox=settings.sandbox, image=settings.image
        )
    except GradingError as error:
        click.echo(f"Speed was not measured: {error.message}", err=True)
        return None


def log_attempt(context: AppContext, report: Report, source: str, origin: Origin) -> None:
    """Log a graded submission as practice.

    If the log cannot be written, only print a note, because the verdict is still valid.
    """
    try:
        context.log.record_attempt(new_attempt(report, source, origin, at=time.time()))
    except LogError as error:
        click.echo(f"Not saved to the practice log: {error.message} {error.fix}", err=True)


def report_text(report: Report, task: Task) -> str:
    """Format a report as text: failing cases, then mistakes or symptoms, then the sandbox, device, seed and time."""
    if not report.has_loaded:
        return f"{task.title}: {verdict_text(report.verdict)}, not counted as a submission\n{report.cases[0].message}"
    lines = [f"{task.title}: {verdict_text(report.verdict)}, {cases_passed(report)}, score {report.score:.2f}"]
    if report.stdout:
        lines += ["", "Your code's output, by case:", report.stdout.rstrip(), ""]
    for group in failed_cases(report):
        lines.append(f"  {', '.join(group.names)}: {verdict_text(group.verdict)}: {group.message}")
        if group.inputs:
            lines.append(f"      inputs: {group.inputs}")
    for mistake in report.mistakes:
        label = f"Mistake {mistake.id}" if mistake.is_exact else f"Looks like {mistake.id}"
        where = f", in {', '.join(mistake.cases)}" if len(report.mistakes) > 1 and mistake.cases else ""
        lines += ["", f"{label}{where}: {mistake.wrong}", f"Question: {mistake.ask}"]
    for symptom in report.symptoms:
        lines += ["", f"Symptom {symptom.id}: {symptom.says}", f"Question: {symptom.ask}"]
    took = report.seconds.get("verdict", 0.0)
    level = report.isolation.split(":")[0]
    where = f"{report.sandbox} ({level}), {device_text(task, report.device)}"
    return "\n".join([*lines, "", f"{where}, seed {report.seed}, {took:.2f} s"])
