"""The report on a benchmark run: rows and lines shared by the terminal and the HTML page, and the page itself.

Model names and texts from other people's logs are untrusted: the page escapes them, and no line contains a newline.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviewer.chat.model import Usage
from interviewer.cli.benchmark.candidate import NO_SUBMISSION
from interviewer.cli.benchmark.results import (
    AreaResult,
    Comparison,
    Rate,
    Run,
    Sample,
    area_results,
    mistake_counts,
    pass_rate,
    result_of,
    verdict_counts,
)
from interviewer.log.reports.classroom import Person
from interviewer.log.reports.html import html_document
from interviewer.log.reports.markup import Html, joined, tag
from interviewer.sanitize import one_line
from interviewer.session.phrases import pluralize
from tasks.task import Task

Rows = Sequence[Sequence[str]]
ALL_AREAS = "all"
MEANS = (
    "pass@1: the first submission passes every case. ±: standard error over tasks. All tasks have equal weight, and "
    "ungraded samples are left out."
)
NO_SUBMISSION_MEANS = f"{NO_SUBMISSION}: the model refused, or its reply was empty, was cut off or contained no code."
COMPARED_MEANS = (
    "Includes only tasks that both runs graded and that did not change between the two runs. The difference is this "
    "run's pass@1 minus the other run's, with the standard error of the per-task differences."
)


@dataclass(frozen=True)
class PersonResult:
    """A person's results and the model's results on the tasks that the person tried and that were graded in the run.

    `passed` counts tasks that the person passed in any of their `submissions`. The rates are None if there are no such
    tasks.
    """

    tried: int
    passed: int
    submissions: int
    first: Rate | None
    final: Rate | None


@dataclass(frozen=True)
class RunReport:
    """Everything in the report: the run, its samples, the tasks, earlier runs, and a person's results if requested."""

    run: Run
    samples: tuple[Sample, ...]
    tasks: Mapping[str, Task]
    earlier: tuple[Comparison, ...] = ()
    person: PersonResult | None = None

    @property
    def total(self) -> AreaResult:
        """Return the results on all tasks."""
        return result_of(ALL_AREAS, self.run.tasks, self.samples)

    @property
    def areas(self) -> list[AreaResult]:
        """Return the results by area."""
        return area_results(self.run, self.samples)

    def title_of(self, task_id: str) -> str:
        """Return a task's title; its id if the task no longer exists."""
        return one_line(self.tasks[task_id].title if task_id in self.tasks else task_id)


def person_result(person: Person, samples: Sequence[Sample]) -> PersonResult:
    """Return a person's and the model's results on the tasks that both have tried."""
    both = {sample.task for sample in samples if sample.is_graded} & set(person.tried)
    tried = [person.tried[task] for task in sorted(both)]
    inside = [sample for sample in samples if sample.task in both]
    return PersonResult(
        len(tried),
        sum(task.has_passed for task in tried),
        sum(task.submissions for task in tried),
        pass_rate(inside, lambda sample: sample.has_passed_first),
        pass_rate(inside, lambda sample: sample.has_passed),
    )


def heading(report: RunReport) -> str:
    """Return a one-line description of the run."""
    run = report.run
    counts = f"{pluralize(len(run.tasks), 'task')}, {pluralize(run.samples, 'sample')} each"
    extra = f", up to {pluralize(run.feedback, 'more attempt')} with feedback" if run.feedback else ""
    return f"{one_line(run.model)}: {counts}{extra}"


def conditions(report: RunReport) -> str:
    """Return the run's conditions in one line."""
    run = report.run
    levels = {attempt.isolation for sample in report.samples for attempt in sample.attempts if attempt.isolation}
    isolation = f" ({', '.join(sorted(levels))})" if levels else ""
    return (
        f"Run {run.id}, {minute(run.at)}, interviewer {run.version}, temperature {run.temperature:g}, "
        f"{run.sandbox}{isolation}, seed {run.seed}"
    )


def minute(at: float) -> str:
    """Convert seconds since 1970 to a local date and time, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def area_rows(report: RunReport) -> Rows:
    """Return the per-area table with its heading; the last row covers all areas."""
    has_feedback = report.run.feedback > 0
    after = ["after feedback"] if has_feedback else []
    rows = [["area", "tasks", "graded", "ungraded", "pass@1", *after, "tokens", "cost"]]
    areas = report.areas
    for result in [*areas, report.total] if len(areas) > 1 else areas:
        final = [_rate(result.final)] if has_feedback else []
        counts = [str(result.tasks), str(result.graded), str(result.ungraded)]
        usage = [_tokens(result.usage), cost_text(result.usage)]
        rows.append([result.area, *counts, _rate(result.first), *final, *usage])
    return rows


def task_rows(report: RunReport) -> Rows:
    """Return the per-task table with its heading, in the order of the run."""
    rows = [["task", "area", "passed first try", *(["passed"] if report.run.feedback else []), "first verdicts"]]
    for task in report.run.tasks:
        mine = [sample for sample in report.samples if sample.task == task.id and sample.is_graded]
        first = sum(sample.has_passed_first for sample in mine)
        final = [f"{sum(sample.has_passed for sample in mine)} of {len(mine)}"] if report.run.feedback else []
        rows.append([report.title_of(task.id), task.area, f"{first} of {len(mine)}", *final, _verdicts(mine)])
    return rows


def mistake_lines(report: RunReport) -> list[str]:
    """Return the diagnosed mistakes as lines, most frequent first."""
    says = {(task.id, mistake.id): mistake.wrong for task in report.tasks.values() for mistake in task.mistakes}
    return [
        one_line(f"{report.title_of(task)}: {says.get((task, mistake), mistake)} ({pluralize(count, 'attempt')})")
        for (task, mistake), count in mistake_counts(report.samples).most_common()
    ]


def ungraded_lines(report: RunReport) -> list[str]:
    """Return the reasons for ungraded samples and for replies without a submission, each once per task."""
    reasons = Counter(
        (sample.task, f"ungraded: {why}" if why == sample.why else why)
        for sample in report.samples
        for why in [sample.why, *(attempt.why for attempt in sample.attempts)]
        if why
    )
    return [
        one_line(f"{report.title_of(task)}: {why}" + (f" ({count} times)" if count > 1 else ""))
        for (task, why), count in reasons.most_common()
    ]


def comparison_rows(report: RunReport) -> Rows:
    """Return the table of earlier runs with its heading."""
    rows = [["run", "model", "tasks", "this run", "that run", "difference"]]
    for past in report.earlier:
        spread = "" if past.stderr is None else f" ± {100 * past.stderr:.1f}"
        difference = f"{100 * past.difference:+.1f} points{spread}"
        model, when = one_line(past.run.model), minute(past.run.at)
        rows.append([when, model, str(past.this.tasks), str(past.this), str(past.other), difference])
    return rows


def person_line(report: RunReport) -> str:
    """Return the comparison with a person in one line; "" if none was requested."""
    person = report.person
    if person is None:
        return ""
    if not person.tried:
        return "The person has tried none of the tasks that this run graded."
    passed = f"passed {person.passed} of {pluralize(person.tried, 'task')}"
    final = f", {person.final} after feedback" if report.run.feedback else ""
    return (
        f"The person {passed} in {pluralize(person.submissions, 'submission')}. On the same tasks, the model's pass@1 "
        f"is {person.first}{final}. A person may submit any number of times, so this result and "
        "pass@1 measure different things."
    )


def usage_line(report: RunReport) -> str:
    """Return the run's usage and cost in one line."""
    usage = report.total.usage
    return f"{usage}" + ("" if usage.cost_usd is None or not report.samples else _each(usage, len(report.samples)))


def _each(usage: Usage, samples: int) -> str:
    return f", {(usage.cost_usd or 0.0) / samples:.4f} USD per sample"


def cost_text(usage: Usage) -> str:
    """Return a cost as text; an unknown price is stated as unknown."""
    if not usage.calls:
        return "–"
    return "unknown" if usage.cost_usd is None else f"{usage.cost_usd:.4f} USD"


def _tokens(usage: Usage) -> str:
    return f"{usage.prompt_tokens:,} + {usage.completion_tokens:,}"


def _rate(rate: Rate | None) -> str:
    return "–" if rate is None else str(rate)


def _verdicts(samples: Sequence[Sample]) -> str:
    return ", ".join(f"{verdict} {count}" for verdict, count in verdict_counts(samples).most_common())


def run_page(report: RunReport) -> str:
    """Return the report as a single HTML page that contains no scripts and makes no requests."""
    title = f"Benchmark of {one_line(report.run.model)}"
    body = joined(
        tag("h1", title),
        tag("p", heading(report)),
        tag("p", conditions(report), class_="soft"),
        tag("p", usage_line(report)),
        _table("By area", area_rows(report), MEANS),
        _list("Most frequent mistakes", mistake_lines(report)),
        _table("Earlier runs", comparison_rows(report), COMPARED_MEANS),
        *([tag("h2", "A person's log"), tag("p", person_line(report))] if report.person else []),
        _table("By task", task_rows(report), NO_SUBMISSION_MEANS),
        _list("Not graded, or nothing submitted", ungraded_lines(report)),
        tag(
            "footer", tag("p", "Generated by interviewer. This page contains no model output except in error messages.")
        ),
    )
    return html_document(title, body)


def _table(heading_text: str, rows: Rows, note: str) -> Html:
    if len(rows) == 1:
        return Html("")
    lines = [tag("tr", *(tag("th", cell) for cell in rows[0]))]
    lines += [tag("tr", tag("th", row[0]), *(tag("td", cell) for cell in row[1:])) for row in rows[1:]]
    table = tag("div", tag("table", *lines), class_="scroll")
    return joined(tag("h2", heading_text), tag("p", note, class_="soft"), table)


def _list(heading_text: str, lines: Sequence[str]) -> Html:
    return joined(tag("h2", heading_text), tag("ul", *(tag("li", line) for line in lines))) if lines else Html("")
