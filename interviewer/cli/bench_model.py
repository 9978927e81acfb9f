"""Measure a language model on the coding tasks, through our own chat layer and with our own grader.

Samples run in parallel threads; each sample has its own model object, so the usage of each sample is known exactly.
Only the main thread writes to the run's file and to the terminal.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

import click

from graders.errors import Cancelled, GradingError
from graders.verdict import Report
from interviewer import __version__
from interviewer.chat.litellm_model import OFFLINE_FIX
from interviewer.chat.model import ChatError, ChatModel, KeyRejected, Usage
from interviewer.chat.spending import Budget
from interviewer.chat.streaming import Timeouts
from interviewer.cli.benchmark.candidate import choose_tasks, grade_submission, solve
from interviewer.cli.benchmark.page import (
    MEANS,
    Rows,
    RunReport,
    area_rows,
    comparison_rows,
    conditions,
    heading,
    mistake_lines,
    person_line,
    person_result,
    run_page,
    ungraded_lines,
    usage_line,
)
from interviewer.cli.benchmark.results import (
    AreaResult,
    Rate,
    Run,
    RunFile,
    Sample,
    compare,
    mistake_counts,
    posed,
    read_runs,
    verdict_counts,
)
from interviewer.cli.files import write_file
from interviewer.cli.options import AS_JSON, FILE, SANDBOX, FiniteRange, open_context
from interviewer.cli.output import echo, print_json, table
from interviewer.errors import INTERRUPTED, OK, OUR_FAILURE, BadInput, InterviewerError, journal
from interviewer.interview.context import AppContext
from interviewer.interview.participants import cap_of, load_payments, open_model
from interviewer.log.errors import NotAnExport
from interviewer.log.reports.classroom import Person, read_person
from interviewer.sanitize import one_line
from interviewer.session.phrases import pluralize
from tasks.task import Task

# A reasoning model may take minutes to send its first token.
TIMEOUTS = Timeouts(first_seconds=600.0, between_seconds=120.0, whole_seconds=1800.0)
# No user is waiting for the reply, so a busy server gets more time than in an interview.
RETRY_SECONDS = (2.0, 10.0, 30.0)
# After this many failed samples in a row, the server is probably down or out of quota, and more calls would not help.
FAILURES_MAX = 5
SHOWN_MAX = 10
LATEST = "latest"
_OF_A_NEW_RUN = ("tasks", "samples", "feedback", "temperature")


@click.command("bench-model")
@click.argument("model")
@click.option("--tasks", default="", metavar="LIST", help="Task ids or areas, separated by commas. Default: all tasks.")
@click.option("--samples", type=click.IntRange(1, 1000), default=1, show_default=True, help="Samples per task.")
@click.option(
    "--feedback",
    type=click.IntRange(0, 10),
    default=0,
    show_default=True,
    metavar="K",
    help="Allow up to K more attempts after a failure; the model is shown the failing cases.",
)
@click.option("--temperature", type=FiniteRange(0.0, 2.0), default=1.0, show_default=True)
@click.option(
    "--parallel", type=click.IntRange(1, 64), default=4, show_default=True, help="Samples to run in parallel."
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LATEST,
    metavar="[ID]",
    help="Finish an interrupted run of this model. Default: the latest run.",
)
@click.option("--person", type=FILE, metavar="FILE", help="Compare with a person's exported log (*.jsonl).")
@click.option(
    "--html", type=FILE, metavar="FILE", help="Where to write the report. Default: the folder of the run's file."
)
@click.option("--spend-cap", "spend_cap_usd", type=float, metavar="USD", help="Maximum cost for the run; 0: no cap.")
@click.option(
    "--token-cap", type=int, metavar="N", help="Maximum tokens for the run if the model's price is unknown; 0: no cap."
)
@SANDBOX
@AS_JSON
@click.pass_context
def bench_model(
    invoked: click.Context,
    model: str,
    tasks: str,
    samples: int,
    feedback: int,
    temperature: float,
    parallel: int,
    resume: str | None,
    person: Path | None,
    html: Path | None,
    spend_cap_usd: float | None,
    token_cap: int | None,
    sandbox: str | None,
    as_json: bool,
) -> int:
    """Measure a language model on the coding tasks, and write an HTML report.

    MODEL is a LiteLLM model name, or scripted/FILE. The model gets each task's statement and starter. The model's code
    runs in the sandbox on cases drawn for this run. Every sample is saved as soon as it is graded. Exits with 0 if all
    samples are graded, 3 if some are ungraded or missing, 130 if interrupted. Nothing is saved to your practice log
    except the cost.
    """
    with open_context(sandbox=sandbox, spend_cap_usd=spend_cap_usd, token_cap=token_cap) as context:
        compared = _read_person(person, context) if person else None
        folder = context.folders.data / "benchmarks"
        pool = ModelPool(model)
        pool.open()  # report an invalid name before creating a run
        if resume:
            _refuse_new_options(invoked)
            file = _find_run(folder, model, resume)
            if sandbox not in (None, file.run.sandbox):
                raise BadInput(f"run {file.run.id} uses the sandbox {file.run.sandbox}", "Leave out --sandbox.")
        else:
            chosen = choose_tasks(context, [name.strip() for name in tasks.split(",") if name.strip()])
            file = RunFile.create(folder, _new_run(model, chosen, samples, feedback, temperature, context))
        bench = Bench(context, file, pool)
        echo(heading(RunReport(file.run, (), {})), is_error=as_json)
        why_stopped = bench.run(parallel, lambda line: echo(line, is_error=as_json))
        earlier = [compare(file, past) for past in read_runs(folder) if past.run.at < file.run.at]
        report = RunReport(
            file.run,
            file.samples,
            bench.tasks,
            tuple(comparison for comparison in reversed(earlier) if comparison),
            person_result(compared, file.samples) if compared else None,
        )
        page = html or file.path.with_suffix(".html")
        write_file(page, run_page(report).encode("utf-8"))
    if as_json:
        print_json(_object(report, file, page, why_stopped))
    else:
        echo("\n".join(_summary(report, file, page, why_stopped)))
    if bench.is_interrupted:
        return INTERRUPTED
    return OUR_FAILURE if file.missing else OK


@dataclass
class ModelPool:
    """Makes a model object for each sample; `usage` is the total usage of all model objects."""

    name: str
    models: list[ChatModel] = field(default_factory=list)

    def open(self) -> ChatModel:
        """Return a new model. Raises BadInput if a script cannot be read."""
        try:
            made = open_model(self.name, TIMEOUTS, RETRY_SECONDS)
        except (OSError, ValueError) as error:
            raise BadInput(f"{self.name}: {error}", "Pass a LiteLLM model name, or scripted/FILE.", "model") from None
        self.models.append(made)
        return made

    @property
    def usage(self) -> Usage:
        """Return the total usage; the cost is None if any call's price is unknown."""
        return reduce(Usage.plus, (model.usage for model in self.models), Usage())


class Bench:
    """One run in progress: the samples left to run, the budget, and whether the user interrupted it."""

    def __init__(self, context: AppContext, file: RunFile, pool: ModelPool) -> None:
        self.file = file
        self.tasks = {task.id: task for task in context.full_tasks}
        self.is_interrupted = False
        self._context = context
        self._pool = pool
        paid = load_payments(context.log, f"bench-model {file.run.id}")
        self._budget = Budget(self._pool, cap_of(context.settings, file.run.model), paid)
        self._stop = threading.Event()

    def run(self, parallel: int, tell: Callable[[str], None]) -> str:
        """Run every missing sample, and return why the run stopped early ("" if it did not).

        `tell` is called with one line for each sample. The order of the samples does not affect the results: the cases
        depend only on the run's seed.
        """
        _refuse_changed_tasks(self.file, self.tasks)
        self._context.grader_client.start(self.file.run.sandbox, self._context.settings.image)
        left, failures, why = iter(self.file.missing), 0, ""
        total = len(self.file.run.tasks) * self.file.run.samples
        graded = total - len(self.file.missing)
        with ThreadPoolExecutor(parallel) as threads:
            running: set[Future[Sample]] = set()
            try:
                while not why:
                    if reached := self._budget.session_cap_reason():
                        why = f"{reached}; raise it with --spend-cap, --token-cap or the setting month_cap_usd"
                    # At most `parallel` samples run at a time, so that even a run with thousands of samples stops
                    # promptly.
                    while not why and len(running) < parallel and (key := next(left, None)):
                        running.add(threads.submit(self._sample, *key))
                    if not running:
                        break
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        running.remove(future)
                        sample = future.result()
                        self.file.add(sample)
                        self._budget.keep()
                        graded += sample.is_graded
                        failures = 0 if sample.is_graded else failures + 1
                        tell(f"[{graded}/{total}] {self._line(sample)}")
                        if failures >= FAILURES_MAX:
                            why = f"{failures} samples in a row failed; most recent failure: {sample.why}"
                for future in wait(running).done:
                    running.remove(future)
                    self.file.add(future.result())
            except KeyboardInterrupt:
                self.is_interrupted, why = True, "interrupted"
            finally:
                # After any error, the threads must stop, so that the user does not pay for samples that will be
                # discarded.
                self._stop.set()
                self._context.grader_client.cancel()
                try:
                    self._keep_stopped(running)
                finally:
                    self._budget.keep()
        return why

    def _keep_stopped(self, running: set[Future[Sample]]) -> None:
        """Wait until the stopped samples have ended, and save them, because the user has paid for their calls."""
        for future in wait(running).done:
            # If several samples failed, only the error that ended the run is reported.
            if future.exception() is None:
                self.file.add(future.result())

    def _sample(self, task_id: str, number: int) -> Sample:
        """Generate one sample, grade it, and return it; each call runs in its own thread.

        If the model's server or the grader fails, the sample is ungraded.
        """
        model = self._pool.open()
        try:
            attempts = solve(
                self.tasks[task_id],
                model,
                lambda source, attempt: self._grade(task_id, source, attempt),
                self.file.run.feedback,
                self.file.run.temperature,
                self._stop.is_set,
            )
        except KeyRejected as error:
            # No other sample can succeed with a rejected key. Remove the suggestion to use a different examiner, which
            # would not help.
            raise InterviewerError(error.message, error.fix.replace(OFFLINE_FIX, "").strip(), error.kind) from None
        except ChatError as error:
            return Sample(task_id, number, (), model.usage, error.message)
        except GradingError as error:
            return Sample(task_id, number, (), model.usage, error.message + journal.id_note(error))
        return Sample(task_id, number, attempts, model.usage)

    def _grade(self, task_id: str, source: str, attempt: int) -> Report:
        if self._stop.is_set():
            raise Cancelled("stopped", "No action needed.")
        run = self.file.run
        return grade_submission(self._context, self.tasks[task_id], source, run.sandbox, run.seed + attempt)

    def _line(self, sample: Sample) -> str:
        title = one_line(self.tasks[sample.task].title)
        verdicts = ", then ".join(attempt.verdict for attempt in sample.attempts)
        mistakes = " and ".join(sample.attempts[-1].mistakes) if sample.attempts else ""
        result = one_line(f"ungraded: {sample.why}") if sample.why else verdicts
        return f"{title}: {result}" + (f" ({mistakes})" if mistakes else "")


def _refuse_new_options(invoked: click.Context) -> None:
    for name in _OF_A_NEW_RUN:
        if invoked.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise BadInput(
                f"--{name} applies only to a new run", f"Leave out --{name}: --resume keeps the run's options."
            )


def _find_run(folder: Path, model: str, name: str) -> RunFile:
    """Return this model's unfinished run with this id, or the latest one. Raises BadInput if there is no such run."""
    runs = [file for file in read_runs(folder) if file.run.model == model and name in (LATEST, file.run.id)]
    unfinished = [file for file in runs if file.missing]
    if unfinished:
        return unfinished[-1]
    wanted = f"{'unfinished run' if name == LATEST else f'run {name}'} of {model} in {folder}"
    problem = f"{wanted} is finished" if runs and name != LATEST else f"no {wanted}"
    raise BadInput(problem, "Leave out --resume to start a new run.", "run")


def _refuse_changed_tasks(file: RunFile, tasks: dict[str, Task]) -> None:
    for task in file.run.tasks:
        if task.id not in tasks or posed(tasks[task.id]) != task:
            raise BadInput(f"the task {task.id} has changed since run {file.run.id} began", "Start a new run.", "run")


def _new_run(
    model: str, tasks: Sequence[Task], samples: int, feedback: int, temperature: float, context: AppContext
) -> Run:
    now = time.time()
    return Run(
        id=time.strftime("%Y%m%d-%H%M%S-", time.localtime(now)) + secrets.token_hex(3),
        at=now,
        version=__version__,
        model=model,
        # The user cannot choose this seed: with a known seed, a model could be tuned to the cases.
        seed=secrets.randbelow(2**31),
        samples=samples,
        feedback=feedback,
        temperature=temperature,
        sandbox=context.settings.sandbox,
        tasks=tuple(posed(task) for task in tasks),
    )


def _read_person(file: Path, context: AppContext) -> Person:
    try:
        return read_person(file.name, file.read_bytes(), context.task_names)
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror or error}", "Pass a file that exists and is readable.") from None
    except NotAnExport as error:
        fix = "Export the log with interviewer export FILE --format jsonl."
        raise BadInput(f"{file}: {error.message}", fix) from None


def _summary(report: RunReport, file: RunFile, page: Path, why_stopped: str) -> Iterator[str]:
    yield ""
    yield table(area_rows(report))
    yield MEANS
    yield from _listed("Most frequent mistakes", mistake_lines(report))
    yield from _rows("Earlier runs", comparison_rows(report))
    yield from ("", person_line(report)) if report.person else ()
    yield from _listed("Not graded, or nothing submitted", ungraded_lines(report))
    yield from ("", f"Usage: {usage_line(report)}", conditions(report), f"Report: {page}", f"Samples: {file.path}")
    if file.missing:
        reason = f"Stopped: {why_stopped}. " if why_stopped else ""
        left = pluralize(len(file.missing), "sample")
        yield f"{reason}{left} left. Continue: interviewer bench-model {file.run.model} --resume {file.run.id}"


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"{title}:", *(f"- {line}" for line in lines[:SHOWN_MAX]))
        yield from [f"… and {len(lines) - SHOWN_MAX} more; the report lists them all."] * (len(lines) > SHOWN_MAX)


def _rows(title: str, rows: Rows) -> Iterator[str]:
    if len(rows) > 1:
        yield from ("", f"{title}:", table(rows[: SHOWN_MAX + 1]))
        yield from [f"… and {len(rows) - 1 - SHOWN_MAX} more; the report lists them all."] * (len(rows) > SHOWN_MAX + 1)


def _object(report: RunReport, file: RunFile, page: Path, why_stopped: str) -> dict[str, Any]:
    """Return the object for `bench-model --json`; rates and differences are fractions, None if there is no value."""
    run, person = report.run, report.person
    return {
        "run": run.id,
        "model": run.model,
        "seed": run.seed,
        "samples": run.samples,
        "feedback": run.feedback,
        "temperature": run.temperature,
        "sandbox": run.sandbox,
        "missing": len(file.missing),
        "why_stopped": why_stopped,
        **_result_object(report.total),
        "areas": [{"area": result.area, **_result_object(result)} for result in report.areas],
        "first_verdicts": dict(verdict_counts(report.samples)),
        "mistakes": [
            {"task": task, "id": mistake, "attempts": count}
            for (task, mistake), count in mistake_counts(report.samples).most_common()
        ],
        "earlier": [
            {
                "run": past.run.id,
                "model": past.run.model,
                "pass_at_1": _rate_object(past.this),
                "their_pass_at_1": _rate_object(past.other),
                "difference": past.difference,
                "stderr": past.stderr,
            }
            for past in report.earlier
        ],
        "person": None
        if person is None
        else {
            "tried": person.tried,
            "passed": person.passed,
            "submissions": person.submissions,
            "pass_at_1": _rate_object(person.first),
            "pass_after_feedback": _rate_object(person.final),
        },
        "report": str(page),
        "file": str(file.path),
    }


def _result_object(result: AreaResult) -> dict[str, Any]:
    return {
        "tasks": result.tasks,
        "graded": result.graded,
        "ungraded": result.ungraded,
        "pass_at_1": _rate_object(result.first),
        "pass_after_feedback": _rate_object(result.final),
        "usage": asdict(result.usage),
    }


def _rate_object(rate: Rate | None) -> dict[str, Any] | None:
    return None if rate is None else asdict(rate)
