"""Grades one submission: inputs go into the sandbox, tensors come out, and all decisions are made outside it."""

from __future__ import annotations

import importlib.metadata
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from graders.compare import Expected
from graders.diagnose import Evidence, RunMistake, diagnose, evidence_of
from graders.errors import Cancelled, DeviceMissing, RunnerBroken
from graders.mistake_runs import MistakeRuns
from graders.outcomes import Truncation, judge
from graders.plan import Plan, Setting, make_plan, payload, record_run_indices
from graders.reference import by_run, expectations
from graders.runner import RUNNER_PROGRAM, runner_preparation
from graders.shared_containers import IMPORTS, own_interpreters
from graders.symptoms import find_symptoms, is_one_change
from graders.verdict import Diagnosis, Outcome, Report, Symptom, Verdict
from graders.wire import HEADER_BYTES_MAX, Reader
from sandbox.job import Ending, Finished, Job, Sandbox
from sandbox.stream import CUT_MARK
from tasks.task import Task

SOURCE_BYTES_MAX = 2**20
LOG_CHARACTERS_MAX = 8 * 2**10
RESULT_BYTES_SPARE = 2**20
MESSAGE_CHARACTERS_MAX = 4 * 2**10
ESCAPE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|.)|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
RUN_MARK = re.compile(r"\x1erun (\d{1,6})\n")
# The name of a section whose run mark may have been dropped from the middle of a long log.
AFTER_CUT = "unknown case (some output was dropped)"
# These characters can make a terminal display text out of order.
TURNED = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# A process that is forked while another thread uses torch may inherit a lock that is never released. So no process is
# forked while output is being parsed: in a batch, the worker judges one submission, which may fork ranks, while another
# thread runs the next submission.
_PARSING = threading.Lock()
os.register_at_fork(before=_PARSING.acquire, after_in_parent=_PARSING.release, after_in_child=_PARSING.release)


class Prepared(NamedTuple):
    """The cases for one seed, each rank's expected results, and the outputs of mistakes already run on these cases."""

    plan: Plan
    rights: list[list[Expected]]
    mistakes: MistakeRuns


class SandboxRun(NamedTuple):
    """The output of a sandbox: the checked records, the raw output, our runner's ready message, and the overhead."""

    reader: Reader
    finished: Finished
    ready: dict[str, str]
    wait_seconds: float


@dataclass(frozen=True)
class Executed:
    """A submission's run on the cases of `prepared`, not yet judged; `run` is None if the source was too large to run.

    Units: `seconds` is the wall-clock time that the run took, including the sandbox's overhead.
    """

    prepared: Prepared
    device: str
    sandbox: Sandbox
    run: SandboxRun | None
    seconds: float


def grade(
    task: Task,
    source: str,
    sandbox: Sandbox,
    seed: int | None = None,
    device: str = "cpu",
    is_cancelled: Callable[[], bool] = lambda: False,
    prepared: Prepared | None = None,
) -> Report:
    """Return the report for one submission, with every case of the task.

    `prepared` contains cases drawn before the submission arrived; if it is given, `seed` is ignored.

    Units: `seconds` are wall-clock seconds: "verdict" is the total, "inside" is the run time, and "wait" is the
    sandbox's overhead. Raises GradingError or SandboxError for an internal failure, which says nothing about the
    submission.
    """
    started = time.monotonic()
    if device not in task.devices:
        raise DeviceMissing(
            f"{task.id} runs on {', '.join(task.devices)}, not on {device}", "Choose a different device."
        )
    prepared = prepared or prepare(make_plan(task, secrets.randbelow(2**31) if seed is None else seed))
    report = report_on(execute(prepared, source, sandbox, device, is_cancelled))
    return replace(report, seconds={**report.seconds, "verdict": time.monotonic() - started})


def execute(
    prepared: Prepared, source: str, sandbox: Sandbox, device: str, is_cancelled: Callable[[], bool]
) -> Executed:
    """Run a submission on prepared cases, on a device that the task supports.

    Raises: the same errors as `run_in_sandbox`.
    """
    started = time.monotonic()
    plan = prepared.plan
    if device != "cpu":
        plan = replace(plan, task=plan.task.for_device(device))
    run = None
    if len(source.encode("utf-8", "replace")) <= SOURCE_BYTES_MAX:
        setting = Setting(device=device, group_seconds=plan.group_seconds, bytes_max=_bytes_max(prepared.rights))
        run = run_in_sandbox(plan, source, setting, sandbox, is_cancelled)
    return Executed(prepared._replace(plan=plan), device, sandbox, run, time.monotonic() - started)


def report_on(executed: Executed) -> Report:
    """Return the report for a run: the judged cases, and the mistake if it can be named. Raises: GradingError."""
    started = time.monotonic()
    plan, sandbox = executed.prepared.plan, executed.sandbox
    report = Report(
        task=plan.task.id,
        device=executed.device,
        sandbox=sandbox.name,
        isolation=sandbox.isolation,
        seed=plan.seed,
        cases=_all(plan, Verdict.NOT_LOADED, f"the file is larger than {SOURCE_BYTES_MAX} bytes"),
        mistake=None,
        stdout="",
        versions={"interviewer": _own_version()},
    )
    if executed.run is not None:
        report = _judged(executed.prepared, report, executed.run)
    seconds = executed.seconds + time.monotonic() - started
    return replace(report, seconds={"inside": 0.0, "wait": 0.0, **report.seconds, "verdict": seconds})


def prepare(plan: Plan) -> Prepared:
    """Return the plan with the expected results of each case. Raises: ContentBroken."""
    _ = plan.inputs  # encode the inputs once, before the submission arrives
    return Prepared(plan, expectations(plan), MistakeRuns(plan))


@cache
def _own_version() -> str:
    with suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version("interviewer")
    return "not installed"


def _judged(prepared: Prepared, report: Report, run: SandboxRun) -> Report:
    """Complete the report with the results from the sandbox."""
    plan, rights, mistakes = prepared
    reader, finished, ready, wait = run
    records = by_run(reader.records, len(plan.runs))
    mistake = None
    symptoms: tuple[Symptom, ...] = ()
    if reader.error:
        cases = _all(plan, Verdict.FORBIDDEN, f"violated the result protocol: {reader.error}")
    else:
        cases = tuple(
            judged.outcome for judged in judge(plan, rights, records, _cut(plan, reader, finished, report.device))
        )
        if reader.is_complete:
            mistake, symptoms = explain(plan, evidence_of(plan, rights, records, cases), mistakes.run)
    return replace(
        report,
        isolation=finished.isolation,
        cases=tuple(
            replace(
                case, message=_shortened(case.message), where=_shortened(case.where), inputs=_shortened(case.inputs)
            )
            for case in cases
        ),
        mistake=mistake,
        symptoms=symptoms,
        stdout=printed_by_case(finished.log, plan),
        seconds={"inside": finished.wall_seconds, "wait": wait},
        versions={**report.versions, "torch": ready["torch"], "python": ready["python"]},
    )


def run_in_sandbox(
    plan: Plan,
    source: str,
    setting: Setting,
    sandbox: Sandbox,
    is_cancelled: Callable[[], bool],
    watch: Callable[[Reader], None] = lambda reader: None,
) -> SandboxRun:
    """Run a submission on the inputs of every run in the plan.

    `watch` is called each time newly arrived output has been parsed.

    Raises Cancelled, RunnerBroken, DeviceMissing or SandboxError.
    """
    reader = Reader(record_run_indices(plan.runs), setting.bytes_max, plan.is_distributed)

    def is_complete(data: bytes) -> bool:
        with _PARSING:
            has_ended = reader.feed(data)
        watch(reader)
        return has_ended

    asked = time.monotonic()
    finished = sandbox.run(_job(plan, source, setting, is_complete), is_cancelled)
    wait = time.monotonic() - asked - finished.wall_seconds
    with _PARSING:
        reader.feed(finished.result)
    return SandboxRun(reader, finished, _check_ours(plan, reader, finished), wait)


def explain(
    plan: Plan, evidence: Sequence[Evidence], run_mistake: RunMistake
) -> tuple[Diagnosis | None, tuple[Symptom, ...]]:
    """Return the mistake that a failing submission makes, or else the symptoms that its outputs show.

    A single argument change that explains every failing case is a better explanation than two known mistakes.
    """
    mistake = diagnose(plan, evidence, run_mistake)
    if mistake and not (mistake.beside and is_one_change(plan, evidence)):
        return mistake, ()
    return None, find_symptoms(plan, evidence)


def _all(plan: Plan, verdict: Verdict, message: str) -> tuple[Outcome, ...]:
    return tuple(Outcome(case.name, verdict, case.weight, message) for case in plan.cases)


def _bytes_max(rights: list[list[Expected]]) -> int:
    """Return the size limit for a returned tensor, in bytes: the size of the largest expected tensor."""
    wanted = [
        want for ranks in rights for right in ranks for want in (*right.outputs.values(), *right.gradients.values())
    ]
    return max((want.values.numel() * 8 for want in wanted), default=0) + 1024


def kind_of_job(plan: Plan, device: str = "cpu") -> Job:
    """Return the job for any submission to this plan, without the fields that depend on the submission."""
    return Job(
        program=RUNNER_PROGRAM,
        preparation=runner_preparation(device, plan.is_distributed, plan.interpreter_count),
        payload=b"",
        wall_seconds=plan.task.limits.wall_seconds,
        memory_bytes=plan.task.limits.memory_mib * 2**20,
        device=device,
        has_loopback=plan.is_distributed,
        own_interpreters=own_interpreters(plan.interpreter_count) if plan.interpreter_count else None,
        shared_preparation=IMPORTS,
    )


def _job(plan: Plan, source: str, setting: Setting, is_complete: Callable[[bytes], bool]) -> Job:
    leaves = 1 + max(len(plan.task.returns), 8)
    due = len(record_run_indices(plan.runs)) * (HEADER_BYTES_MAX + leaves * setting.bytes_max)
    return replace(
        kind_of_job(plan, setting.device),
        payload=payload(plan, plan.runs, source, setting),
        result_bytes_max=due + RESULT_BYTES_SPARE,
        is_complete=is_complete,
    )


def _check_ours(plan: Plan, reader: Reader, finished: Finished) -> dict[str, str]:
    """Return the runner's ready message; raise if no conclusion about the submission is possible."""
    if finished.ending is Ending.CANCELLED:
        raise Cancelled("grading was stopped", "Submit again when you are ready.")
    lost = [record.failure["message"] for record in reader.records if record.status == "lost"]
    if reader.ready is None or lost:
        why = lost[0] if lost else f"the run ended with status {finished.ending} (exit code {finished.exit_code})"
        tail = cleaned(finished.log)[-600:]
        raise RunnerBroken(
            f"the sandbox was not ready for {plan.task.id}: {why}; end of its log: {tail or 'empty'}",
            "Run interviewer doctor to see what is wrong. The submission is saved; you can grade it again.",
        )
    if reader.ready["lacks"]:
        raise DeviceMissing(f"in the sandbox, {reader.ready['lacks']}", "Grade with --device cpu.")
    return dict(reader.ready)


def _cut(plan: Plan, reader: Reader, finished: Finished, device: str) -> Truncation | None:
    """Return why records are missing; None if no records are missing."""
    if reader.is_complete:
        return None
    limits = plan.task.limits
    match finished.ending:
        case Ending.DEADLINE:
            # A GPU kernel that never finishes runs until its process is killed, and Python cannot report that it was
            # waiting for this kernel.
            where = ", or a kernel on the GPU did not" if device == "cuda" else ""
            return Truncation(Verdict.TIMED_OUT, f"did not finish within {limits.wall_seconds:g} s{where}")
        case Ending.OUT_OF_MEMORY:
            return Truncation(Verdict.OUT_OF_MEMORY, f"used more than {limits.memory_mib} MiB")
        case Ending.RESULT_TOO_LARGE:
            return Truncation(Verdict.FORBIDDEN, "returned more data than any correct solution needs")
        case _:
            return Truncation(Verdict.RAISED, f"exited the process (exit code {finished.exit_code})")


def printed_by_case(log: bytes, plan: Plan) -> str:
    """Return the submission's printed output as plain text, grouped by case; at most 8192 characters.

    Output printed during import comes first, without a case name. The case of the text that follows dropped output is
    unknown. A submission can also print the runner's marker or the mark of dropped output. A forged mark would only put
    a wrong name above the submission's own lines; nothing else depends on these names.
    """
    sections = [("", "")]
    for place, part in enumerate(log.decode("utf-8", "replace").split(CUT_MARK.decode())):
        before, *rest = RUN_MARK.split(part)
        names = [AFTER_CUT if place else "", *(_case_name(plan, int(number)) for number in rest[::2])]
        for name, text in zip(names, [before, *rest[1::2]], strict=True):
            printed = plain(text)
            if printed.strip() and sections[-1][0] == name:
                sections[-1] = (name, sections[-1][1] + printed)
            elif printed.strip():
                sections.append((name, printed))
    texts = [
        (f"{name}:\n" if name else "") + f"{printed.rstrip()}\n" if printed.strip() else ""
        for name, printed in sections
    ]
    # The end of a long log is more useful than the beginning; a truncated section keeps its name.
    kept: list[str] = []
    left = LOG_CHARACTERS_MAX
    for (name, _), text in zip(reversed(sections), reversed(texts), strict=True):
        head = f"{name}:\n... " if name else ""
        kept.append(text if len(text) <= left else (head + text[len(text) - left + len(head) :])[:left])
        left -= len(kept[-1])
        if left <= len(head):
            break
    return "".join(reversed(kept))


def _case_name(plan: Plan, index: int) -> str:
    """Return the name of the case that a run belongs to; "" if there is no such run."""
    return plan.runs[index].case.name if index < len(plan.runs) else ""


def cleaned(log: bytes) -> str:
    """Return the end of a log as plain text: no terminal escapes or control characters, at most 8192 characters."""
    return plain(RUN_MARK.sub("", log.decode("utf-8", "replace")))[-LOG_CHARACTERS_MAX:]


def plain(text: str) -> str:
    """Return the text without terminal escapes or control characters; replace characters that UTF-8 cannot encode."""
    whole = text.replace("\r\n", "\n").encode("utf-8", "replace").decode()
    return TURNED.sub("", ESCAPE.sub("", whole))


def _shortened(text: str) -> str:
    """Return text from the submission, such as an error message, as plain text of at most 4096 characters."""
    return plain(text)[:MESSAGE_CHARACTERS_MAX]
