"""Grade every submission in the practice log again and list differences, for example after a task has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from graders.errors import GradingError
from graders.verdict import Report
from interviewer.cli.options import AS_JSON, SANDBOX, open_context
from interviewer.cli.output import echo, local_time, print_json, unread_output_discarded
from interviewer.errors import INTERRUPTED, NOT_PASSED, OK, OUR_FAILURE, BadInput, InterviewerError
from interviewer.interview.context import AppContext
from interviewer.log.attempts import LoggedAttempt
from interviewer.sanitize import one_line
from interviewer.session.phrases import pluralize


@click.command()
@click.argument("task", required=False)
@SANDBOX
@AS_JSON
def regrade(task: str | None, sandbox: str | None, as_json: bool) -> int:
    """Grade all submissions in your log again, or only those for TASK, and list differences. The log is not changed.

    Each submission is graded on the cases that the task now generates from the submission's seed. Exits with 0 if
    nothing differs, 1 if a verdict, a score or a mistake differs, 3 if any submission could not be graded. Ctrl+C stops
    the grading and keeps the results so far.
    """
    with open_context(sandbox=sandbox) as context:
        chosen = context.task(task).id if task else ""
        attempts = context.history().attempts(chosen)
        if not attempts:
            raise BadInput("the log contains no submissions" + (f" for {chosen}" if chosen else ""), "Grade one first.")
        click.echo(f"grading {pluralize(len(attempts), 'submission')} again, {context.settings.sandbox}", err=as_json)
        results: list[Regraded] = []
        is_stopped = False
        try:
            for attempt in attempts:
                results.append(grade_again(context, attempt))
                if results[-1].change:
                    echo(line_of(results[-1]), is_error=as_json)
        except (KeyboardInterrupt, BrokenPipeError):
            # A BrokenPipeError means that the program that reads the output has exited.
            is_stopped = True
    with unread_output_discarded():
        if as_json:
            print_json(_object(results, len(attempts), is_stopped=is_stopped))
        else:
            echo("\n".join(_summary(results, len(attempts), is_stopped=is_stopped)))
    if is_stopped:
        return INTERRUPTED
    if any(result.after is None for result in results):
        return OUR_FAILURE
    return NOT_PASSED if any(result.change for result in results) else OK


@dataclass(frozen=True)
class Regraded:
    """A logged submission with its new report, or with the reason that there is no new report."""

    attempt: LoggedAttempt
    after: Report | None
    why: str = ""

    @property
    def change(self) -> str:
        """Return "ungraded" or "differs"; "" if the verdict, score and mistakes are the same."""
        if self.after is None:
            return "ungraded"
        return "" if _shown(self.attempt.report) == _shown(self.after) else "differs"


def grade_again(context: AppContext, attempt: LoggedAttempt) -> Regraded:
    """Grade one logged submission on the cases for its seed; a grader failure is not a verdict."""
    settings, before = context.settings, attempt.report
    try:
        task = context.task(attempt.task, before.device)
        after = context.grader_client.grade(
            str(task.folder),
            attempt.source,
            device=before.device,
            sandbox=settings.sandbox,
            image=settings.image,
            seed=before.seed,
            is_batch=True,
        )
    except (GradingError, InterviewerError) as error:
        return Regraded(attempt, None, str(error))
    return Regraded(attempt, after)


def line_of(result: Regraded) -> str:
    """Return one line for a submission whose result differs or that could not be graded."""
    attempt, after = result.attempt, result.after
    then = _shown(attempt.report)
    now = _shown(after) if after else f"ungraded: {result.why}"
    return "  ".join(one_line(part) for part in (local_time(attempt.at), attempt.id, attempt.task, then, "->", now))


def _shown(report: Report) -> str:
    mistakes = " and ".join(mistake.id for mistake in report.mistakes)
    return f"{report.verdict.value} {report.score:.2f} {mistakes}".rstrip()


def _summary(results: list[Regraded], count: int, *, is_stopped: bool) -> Iterator[str]:
    changes = Counter(result.change for result in results)
    if is_stopped:
        yield f"Stopped after {len(results)} of {count}."
    yield f"{changes['']} of {len(results)} are the same, {changes['differs']} differ, {changes['ungraded']} ungraded"
    isolations = {result.after.isolation for result in results if result.after}
    yield from (f"Isolation: {level}" for level in sorted(isolations))
    yield "The log was not changed."


def _object(results: list[Regraded], count: int, *, is_stopped: bool) -> dict[str, Any]:
    return {
        "submissions": count,
        "is_stopped": is_stopped,
        "graded": sum(result.after is not None for result in results),
        "changes": [
            {
                "id": result.attempt.id,
                "task": result.attempt.task,
                "change": result.change,
                "before": _grade_of(result.attempt.report),
                "after": _grade_of(result.after) if result.after else None,
                "why": one_line(result.why),
            }
            for result in results
            if result.change
        ],
    }


def _grade_of(report: Report) -> dict[str, Any]:
    return {
        "verdict": report.verdict.value,
        "score": report.score,
        "mistakes": [mistake.id for mistake in report.mistakes],
        "seed": report.seed,
        "isolation": report.isolation,
    }
