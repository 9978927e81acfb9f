"""Identifies a known mistake only if running it reproduces the submission's outputs on every failing case.

Programs without outputs (because they raised, or their ranks waited forever) are compared by how each rank ended.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import torch

from graders.compare import Expected, compare, expected_output
from graders.outcomes import Truncation, failure, judge, verdict_of
from graders.plan import Plan, Run, Setting, by_kind_of_group
from graders.reference import run_trusted
from graders.verdict import Diagnosis, Outcome, Verdict
from graders.wire import OmittedValue, Record
from tasks.task import Mistake

# Each program takes milliseconds, or seconds if ranks are forked; a busy machine must not cause the diagnosis to time
# out.
SECONDS_MAX = 20.0
GROUP_SECONDS = 1.0
# Line numbers, addresses and counts differ between programs that fail for the same reason.
NUMBER = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?")
LINE = re.compile(r"line \d+")
CALL = re.compile(r"rank (\d+) calls ([^;]*)")
Records = list[list[Record]]
RunMistake = Callable[[Mistake, Sequence[Run]], Records]


@dataclass(frozen=True)
class Evidence:
    """One failing case of a submission: its outcome, the runs up to the failing run, and their records."""

    outcome: Outcome
    right: list[Expected]
    runs: tuple[Run, ...]
    records: Records

    @property
    def name(self) -> str:
        """Return the name of the case."""
        return self.outcome.name

    @property
    def has_outputs(self) -> bool:
        """Return whether the failing run produced outputs on every rank."""
        return failure(self.records[-1]) is None


def evidence_of(
    plan: Plan, rights: Sequence[list[Expected]], records: Records, outcomes: Sequence[Outcome]
) -> list[Evidence]:
    """Return the evidence for each failing case; empty if the file could not be imported.

    Assumes: no record is missing.
    """
    if any(outcome.verdict is Verdict.NOT_LOADED for outcome in outcomes):
        return []
    by_case: dict[int, list[tuple[Run, list[Record]]]] = {}
    for run, run_records in zip(plan.runs, records, strict=True):
        by_case.setdefault(id(run.case), []).append((run, run_records))
    evidence = []
    for case, right, outcome in zip(plan.cases, rights, outcomes, strict=True):
        if outcome.verdict is Verdict.PASSED:
            continue
        pairs = by_case[id(case)]
        count = 1
        # The case's own run comes first. If it fails, the case's metamorphic runs (its relations) do not matter.
        while count < len(pairs) and _passes(plan, right, pairs[:count], outcome):
            count += 1
        shown = pairs[:count]
        runs = tuple(run for run, _ in shown)
        evidence.append(Evidence(outcome, right, runs, [run_records for _, run_records in shown]))
    return evidence


def _passes(plan: Plan, right: list[Expected], pairs: Sequence[tuple[Run, list[Record]]], outcome: Outcome) -> bool:
    return _judged(plan, right, pairs, outcome).verdict is Verdict.PASSED


def _judged(plan: Plan, right: list[Expected], pairs: Sequence[tuple[Run, list[Record]]], outcome: Outcome) -> Outcome:
    """Return the outcome of one case based on these runs alone."""
    case = pairs[0][0].case
    part = replace(plan, cases=(case,), runs=tuple(run for run, _ in pairs))
    cut = Truncation(outcome.verdict, "not reached")
    return judge(part, [right], [records for _, records in pairs], cut)[0].outcome


def diagnose(plan: Plan, evidence: Sequence[Evidence], run_mistake: RunMistake | None = None) -> Diagnosis | None:
    """Return the only mistake, or else the only pair of mistakes, that reproduces the outputs of all failing cases.

    Two mistakes with the same outputs (`same_as`) are treated as the first mistake; any other tie yields no diagnosis.
    Assumes: each mistake fails exactly the cases in its `caught_by`, as the content gate proves. So mistakes whose
    `caught_by` does not fit the failing cases are not run.
    """
    if not evidence:
        return None
    search = _Search(plan, evidence, run_mistake)
    failed = {case.name for case in evidence}
    matches = [
        mistake
        for mistake in plan.task.mistakes
        if set(mistake.caught_by) == failed and search.has_time and search.reproduces_all(mistake)
    ]
    if matches:
        first = matches[0]
        names = {first.id, first.same_as} | {mistake.id for mistake in matches if mistake.same_as == first.id}
        is_clear = all(mistake.id in names for mistake in matches)
        return search.diagnosis(first, [case.name for case in evidence]) if is_clear else None
    return search.pair()


class _Search:
    """Runs each mistake once per case on the failing inputs, until time runs out."""

    def __init__(self, plan: Plan, evidence: Sequence[Evidence], run_mistake: RunMistake | None) -> None:
        self._plan = plan
        self._cases = {case.name: case for case in evidence}
        self._run = run_mistake or self._run_here
        self._answers: dict[tuple[str, str], bool] = {}
        self._deadline = time.monotonic() + SECONDS_MAX

    @property
    def has_time(self) -> bool:
        return time.monotonic() < self._deadline

    def _run_here(self, mistake: Mistake, runs: Sequence[Run]) -> Records:
        return run_trusted(self._plan, runs, mistake.source, Setting(group_seconds=GROUP_SECONDS))

    def reproduces_all(self, mistake: Mistake) -> bool:
        """Return whether the mistake reproduces the submission's outputs on every failing case."""
        return self._reproduces_each(mistake, set(self._cases))

    def reproduces(self, mistake: Mistake, names: Sequence[str]) -> set[str]:
        """Return the names of the cases on which the mistake reproduces the submission's outputs."""
        due = [self._cases[name] for name in names if (mistake.id, name) not in self._answers]
        runs = [run for case in due for run in case.runs]
        # Sort the runs by the kind of rank group that they need, as a plan does, so that one group of ranks can execute
        # many runs.
        runs = list(by_kind_of_group(runs))
        answers = dict(zip(map(id, runs), self._run(mistake, runs) if runs else [], strict=True))
        for case in due:
            theirs = [answers[id(run)] for run in case.runs]
            self._answers[mistake.id, case.name] = _is_reproduced(self._plan, case, theirs)
        return {name for name in names if self._answers[mistake.id, name]}

    def pair(self) -> Diagnosis | None:
        """Return the pair of mistakes that together reproduce the outputs on every failing case, if there is only one.

        On a case that catches only one of the two mistakes, the submission's outputs must be those of that mistake. On
        a case that catches both mistakes, the submission's outputs must be those of at least one of the two mistakes. A
        program that combines two mistakes in one value matches neither, so it gets no diagnosis.
        """
        failed = set(self._cases)
        part_of = [mistake for mistake in self._plan.task.mistakes if set(mistake.caught_by) < failed]
        diagnoses = []
        for first, second in combinations(part_of, 2):
            alone = set(first.caught_by) - set(second.caught_by), set(second.caught_by) - set(first.caught_by)
            if not all(alone) or {*first.caught_by, *second.caught_by} != failed:
                continue
            if not self.has_time:
                return None
            if not self._reproduces_each(first, alone[0]) or not self._reproduces_each(second, alone[1]):
                continue
            theirs = [self.reproduces(mistake, self._ordered(mistake.caught_by)) for mistake in (first, second)]
            if theirs[0] | theirs[1] == failed:
                beside = self.diagnosis(second, self._ordered(theirs[1]))
                diagnoses.append(replace(self.diagnosis(first, self._ordered(theirs[0])), beside=beside))
        return diagnoses[0] if len(diagnoses) == 1 else None

    def _reproduces_each(self, mistake: Mistake, names: set[str]) -> bool:
        ordered = self._ordered(names)
        # The first case alone rules out nearly every mistake.
        return all(self.reproduces(mistake, part) == set(part) for part in (ordered[:1], ordered))

    def _ordered(self, names: Sequence[str] | set[str]) -> list[str]:
        return [name for name in self._cases if name in names]

    def diagnosis(self, mistake: Mistake, names: Sequence[str]) -> Diagnosis:
        """Return the diagnosis; it is exact if every one of these cases has outputs to compare."""
        is_exact = all(self._cases[name].has_outputs for name in names)
        return Diagnosis(mistake.id, mistake.wrong, mistake.ask, is_exact=is_exact, cases=tuple(names))


def _is_reproduced(plan: Plan, case: Evidence, theirs: Records) -> bool:
    """Return whether the records of another program, `theirs`, match this case's records.

    The outputs, the verdict and the failing field (such as `rank 1: loss`) must be the same.
    """
    if not is_alike(plan, case.runs, case.records, theirs):
        return False
    outcome = _judged(plan, case.right, list(zip(case.runs, theirs, strict=True)), case.outcome)
    return (outcome.verdict, field_of(outcome.where)) == (case.outcome.verdict, field_of(case.outcome.where))


def field_of(where: str) -> str:
    """Return a location without its indices: `rank 1: loss[0, 2]` becomes `rank 1: loss`."""
    return where.partition("[")[0]


def is_alike(plan: Plan, runs: Sequence[Run], own: Records, theirs: Records) -> bool:
    """Return whether two programs ended the same way on every run and rank, with outputs equal within tolerance."""
    return all(_is_same(plan, *records) for records in zip(runs, own, theirs, strict=True))


def _is_same(plan: Plan, run: Run, left: list[Record], right: list[Record]) -> bool:
    """Return whether two programs behaved the same in one run: equal outputs, or every rank ended the same way."""
    if failure(left) or failure(right):
        calls = _mismatched_calls(left), _mismatched_calls(right)
        if any(calls):
            # Which two ranks see the mismatch first depends on timing, but the calls themselves are always the same.
            shared = calls[0].keys() & calls[1].keys()
            return bool(shared) and all(calls[0][rank] == calls[1][rank] for rank in shared)
        return _end_of(left) == _end_of(right)
    return all(_has_same_outputs(plan, run, *pair) for pair in zip(left, right, strict=True))


def _mismatched_calls(records: list[Record]) -> dict[str, str]:
    """Return each rank's call if a run failed because its collectives did not match; otherwise, an empty dict."""
    messages = [str(record.failure["message"]) for record in records if record.status == "mismatched"]
    return {rank: call for message in messages for rank, call in CALL.findall(LINE.sub("", message))}


def _end_of(records: list[Record]) -> list[tuple[str, ...]] | None:
    """Return how each rank of a failed run ended, excluding details that vary between equivalent failures.

    A rank that produced outputs is treated as successful. A rank's wait time and the wording of gloo's error message
    depend on the machine.
    """
    if failure(records) is None:
        return None
    ends: list[tuple[str, ...]] = []
    for record in records:
        about = record.failure
        stood = LINE.sub("line #", str(about.get("stood", "")))
        if record.status == "ok":
            ends.append(("ok",))
        elif record.status == "not_loaded":
            ends.append((record.status, str(about["message"])))
        elif (verdict := verdict_of(record)) is Verdict.DEADLOCKED:
            ends.append((verdict, stood if about.get("is_waiting") else ""))
        elif record.status == "raised":
            ends.append((verdict, str(about["type"]), NUMBER.sub("#", str(about["message"]))))
        else:
            ends.append((verdict, record.status, str(about.get("exit_code", ""))))
    return ends


def _has_same_outputs(plan: Plan, run: Run, got: Record, mistaken: Record) -> bool:
    if got.mutated != mistaken.mutated or any(isinstance(leaf, OmittedValue) for leaf in mistaken.leaves.values()):
        return False
    kept = [{path for path in record.attached if _is_detached(plan, path)} for record in (got, mistaken)]
    own, theirs = _gradients(run, got), _gradients(run, mistaken)
    if kept[0] != kept[1] or own.keys() != theirs.keys():
        return False
    right = Expected(
        {path: expected_output(leaf) for path, leaf in mistaken.leaves.items()},
        {name: expected_output(gradient) for name, gradient in theirs.items()},
    )
    return compare(right, got, plan.task.tolerance).verdict is Verdict.PASSED


def _is_detached(plan: Plan, path: str) -> bool:
    return path.split(".", maxsplit=1)[0] in plan.task.detached


def _gradients(run: Run, record: Record) -> dict[str, torch.Tensor]:
    """Return the gradients that exist; if an argument must receive none, a zero gradient counts as missing."""
    return {
        name: gradient
        for name, gradient in record.gradients.items()
        if isinstance(gradient, torch.Tensor) and (name not in run.case.constants or bool((gradient != 0).any()))
    }
