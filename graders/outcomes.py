"""Turns a submission's records into one outcome per case; a case with a missing record never passes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from graders.compare import (
    Expected,
    ExpectedOutput,
    Finding,
    compare,
    compare_some,
    deviation,
    expected_output,
    in_float64,
    tolerance_of,
)
from graders.errors import ContentBroken
from graders.plan import Plan, Run
from graders.verdict import Outcome, Verdict
from graders.wire import Record
from tasks.task import Case, PerRank

SHOWN_CHARACTERS_MAX = 600
# If an argument has more values than this, only its first values are shown. For a list, its last values are shown as
# well.
VALUES_MAX, VISIBLE_VALUES_MAX, VALUES_SHOWN = 24, 96, 8
# The name of the argument with the list of calls that a harness makes.
CALLS = "calls"
MESSAGE_CHARACTERS_MAX = 600


@dataclass(frozen=True)
class Judged:
    """The outcome of a case and its largest error-to-tolerance ratio."""

    outcome: Outcome
    ratio: float


@dataclass(frozen=True)
class Truncation:
    """Why the records end early, as a sentence about the run that was in progress."""

    verdict: Verdict
    message: str


def judge(
    plan: Plan, expected: list[list[Expected]], records: list[list[Record]], cut: Truncation | None
) -> list[Judged]:
    """Return the judgment of each case, in the order of the plan.

    `records` has one list per run. `cut` says why some records are missing. If records are missing, the first run with
    missing records is the one that was in progress when the records ended.
    """
    judged = []
    runs = list(zip(plan.runs, records, strict=True))
    running = next((run.case.name for run, run_records in runs if not _is_whole(run, run_records)), "")
    for case, rights in zip(plan.cases, expected, strict=True):
        own = [(run, run_records) for run, run_records in runs if run.case is case]
        finding = _judge_case(plan, rights, own)
        if finding is None:
            if cut is None:
                raise ContentBroken(
                    f"{plan.task.id}: no record for {case.name}", "Please report this; it is a bug in interviewer."
                )
            message = cut.message if case.name == running else f"not reached; {running} was still running"
            finding = Finding(cut.verdict, message, ratio=math.inf)
        has_failed = finding.verdict is not Verdict.PASSED
        outcome = Outcome(
            name=case.name,
            verdict=finding.verdict,
            weight=case.weight,
            message=finding.message,
            max_error=finding.error,
            tolerance=finding.tolerance,
            where=finding.where,
            inputs=_shown(case, _calls_until_wrong(plan, case, rights, own)) if has_failed else "",
        )
        judged.append(Judged(outcome, finding.ratio))
    return judged


def _is_whole(run: Run, records: list[Record]) -> bool:
    return len(records) == run.case.world or bool(records and records[0].status == "not_loaded")


def _judge_case(plan: Plan, rights: list[Expected], own: list[tuple[Run, list[Record]]]) -> Finding | None:
    """Return the first failure among the case's own run and the runs that check its relations.

    If all of these runs pass, return the finding with the largest ratio. Return None if the records end before any run
    fails.
    """
    findings = []
    for run, records in own:
        if not _is_whole(run, records):
            return None
        finding = failure(records) or _judge_run(plan, rights, run, records, own[0][1])
        findings.append(finding)
        if finding.verdict is not Verdict.PASSED:
            if run.relation is not None:
                message = f"{run.relation.says} This does not hold here: {finding.message}"
                return Finding(finding.verdict, message, finding.error, finding.tolerance, finding.where, finding.ratio)
            return finding
    return max(findings, key=lambda finding: finding.ratio)


def _judge_run(plan: Plan, rights: list[Expected], run: Run, records: list[Record], base: list[Record]) -> Finding:
    worst = Finding()
    for rank, record in enumerate(records):
        if record.mutated:
            finding = Finding(
                Verdict.MUTATED_INPUT, f"modified its input {', '.join(record.mutated)} in place", ratio=math.inf
            )
        elif run.relation is None:
            finding = compare(rights[rank], record, plan.task.tolerance)
        else:
            finding = compare_some(_related(run, base[rank], rights[rank]), record, plan.task.tolerance)
        if finding.verdict is not Verdict.PASSED:
            prefix = f"rank {rank}: " if run.case.world > 1 else ""
            message = prefix + finding.message
            return Finding(
                finding.verdict, message, finding.error, finding.tolerance, prefix + finding.where, finding.ratio
            )
        worst = max(worst, finding, key=lambda checked: checked.ratio)
    return worst


def _related(run: Run, base: Record, right: Expected) -> Expected:
    """Return the results that a metamorphic relation expects from the run with changed inputs.

    They are computed from the submission's own outputs for the original inputs. `right` contains the expected results
    for the original inputs.
    """
    assert run.relation is not None
    outputs = dict(base.leaves) | {f"grad.{name}": slope for name, slope in base.gradients.items() if slope is not None}
    for name in run.case.constants:
        outputs.pop(f"grad.{name}", None)
    due = {path: expected_output(leaf) for path, leaf in run.relation.expect(outputs).items()}
    gradients = {path.removeprefix("grad."): slope for path, slope in due.items() if path.startswith("grad.")}
    values = {
        path: _as_float_if_expected(output, right.outputs.get(path))
        for path, output in due.items()
        if not path.startswith("grad.")
    }
    return Expected(values, gradients, run.case.constants)


def _as_float_if_expected(output: ExpectedOutput, right: ExpectedOutput | None) -> ExpectedOutput:
    """Return the output; if a submission returned an int where a float is expected, expect a float for it here, too."""
    is_float = right is not None and (right.kind, output.kind) == ("float", "int")
    return ExpectedOutput(output.values, "float") if is_float else output


def failure(records: Sequence[Record]) -> Finding | None:
    """Return a finding that says why not all ranks produced outputs; None if they all did.

    An error on one rank explains the errors of its peers, so a rank's own error is preferred over a broken collective.
    """
    if all(record.status == "ok" for record in records):
        return None
    if records[0].status == "not_loaded":
        return Finding(Verdict.NOT_LOADED, str(records[0].failure["message"]), ratio=math.inf)
    mismatched = [record for record in records if record.status == "mismatched"]
    if mismatched:
        message = f"{mismatched[0].failure['message'][:MESSAGE_CHARACTERS_MAX]}: these collectives do not match"
        return Finding(Verdict.DEADLOCKED, message, ratio=math.inf)
    ranks = [(verdict_of(record), _words(rank, record, len(records))) for rank, record in enumerate(records)]
    waiting = [words for (_, words), record in zip(ranks, records, strict=True) if record.failure.get("is_waiting")]
    for verdict in (Verdict.OUT_OF_MEMORY, Verdict.RAISED):
        for kind, words in ranks:
            if kind is verdict:
                return Finding(
                    verdict, "; ".join([words, *(other for other in waiting if other != words)]), ratio=math.inf
                )
    return Finding(Verdict.DEADLOCKED, "; ".join(words for _, words in ranks), ratio=math.inf)


def verdict_of(record: Record) -> Verdict:
    """Return the verdict for one rank that produced no outputs."""
    if record.failure.get("is_memory"):
        return Verdict.OUT_OF_MEMORY
    if record.status == "raised" and not record.failure["is_collective"]:
        return Verdict.RAISED
    return Verdict.RAISED if record.status == "dead" and not _is_aborted(record) else Verdict.DEADLOCKED


def _is_aborted(record: Record) -> bool:
    """Return whether gloo aborted the process, as it does when a peer sends more data than announced."""
    return record.status == "dead" and record.failure["exit_code"] == -6 and record.failure["is_waiting"]


def _words(rank: int, record: Record, world: int) -> str:
    who = f"rank {rank} " if world > 1 else ""
    failure = record.failure
    stood = str(failure.get("stood", ""))[:MESSAGE_CHARACTERS_MAX]
    is_broken = failure.get("is_waiting") and (record.status == "stuck" or failure.get("is_collective"))
    match record.status:
        case "ok":
            return f"{who}finished"
        case _ if is_broken:
            # Do not use gloo's own message: it names a socket or a time, but never the call.
            return f"{who}waited in {stood}"
        case "dead" if _is_aborted(record):
            return f"{who}was aborted by gloo in {stood}: the other rank's tensor has a different size"
        case "dead":
            place = f" in {stood}" if failure["is_waiting"] else ""
            return f"{who}exited the process (exit code {failure['exit_code']}){place}"
        case "raised":
            line = f" in line {failure['line']}" if failure["line"] else ""
            return f"{who}raised {failure['type']}{line}: {failure['message']}".rstrip(": ")
        case _:
            last = f"its last collective was {stood}" if stood else "it called no collective"
            return f"{who}never returned" + (f" ({last})" if world > 1 else "")


def _shown(case: Case, calls: int | None) -> str:
    """Return the inputs of a case as short text.

    If `calls` is given, only the first `calls` entries of a list of calls are shown.
    """
    parts = []
    most = VISIBLE_VALUES_MAX if case.visible else VALUES_MAX
    for name, value in case.args.items():
        is_cut = name == CALLS and calls is not None and calls < len(value)
        of_all = f" (the first {calls} of {len(value)})" if is_cut else ""
        parts.append(f"{name}={_text_of(value[:calls] if is_cut else value, most)}{of_all}")
    text = ", ".join(parts)
    return text if len(text) <= SHOWN_CHARACTERS_MAX else text[:SHOWN_CHARACTERS_MAX] + " ..."


def _text_of(value: object, most: int) -> str:
    """Return one argument as text: in full for up to `most` values, else its first values and its size."""
    if isinstance(value, PerRank):
        return f"({', '.join(f'rank {rank}: {_text_of(own, most)}' for rank, own in enumerate(value.values))})"
    if isinstance(value, torch.Tensor) and value.numel() > most:
        first = ", ".join(map(_number_text, value.reshape(-1)[:VALUES_SHOWN].tolist()))
        return f"{str(value.dtype).removeprefix('torch.')} {list(value.shape)} [{first}, ...]"
    if isinstance(value, torch.Tensor):
        return _text_of(value.tolist(), most)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text_of(item, most)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        items = [_text_of(item, most) for item in value]
        if len(items) > most:
            # In a list of calls, the last call is the one that failed.
            left_out = len(items) - 2 * VALUES_SHOWN
            items = [*items[:VALUES_SHOWN], f"... {left_out} more ...", *items[-VALUES_SHOWN:]]
        return f"[{', '.join(items)}]" if isinstance(value, list) else f"({', '.join(items)})"
    return _number_text(value)


def _number_text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _calls_until_wrong(
    plan: Plan, case: Case, rights: list[Expected], own: list[tuple[Run, list[Record]]]
) -> int | None:
    """Return the number of calls up to and including the first wrong output; None if the outputs do not show this
    number.

    Assumes: if every output has one row per call, each row depends only on its own call and earlier calls.
    """
    calls = case.args.get(CALLS)
    if not isinstance(calls, list) or not own or len(own[0][1]) != 1:
        return None
    record, right = own[0][1][0], rights[0]
    wrong = []
    for path, want in right.outputs.items():
        got = record.leaves.get(path)
        if not isinstance(got, torch.Tensor) or got.shape != want.values.shape or list(got.shape)[:1] != [len(calls)]:
            return None
        error, bound = deviation(in_float64(got), want.values, tolerance_of(want.kind, plan.task.tolerance))
        wrong += (error > bound).reshape(len(calls), -1).any(dim=1).nonzero().reshape(-1).tolist()
    return min(wrong) + 1 if wrong else None
