"""Proves one task: runs its reference, starter, mistakes and mutants, and tells the author what to do next."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch

from graders.compare import Expected, ExpectedOutput, tolerance_of
from graders.diagnose import diagnose, evidence_of, is_alike
from graders.errors import ContentBroken
from graders.gate.coverage import count_uncovered, find_coverage_problems, plain_words
from graders.gate.kinks import jumps
from graders.gate.mutate import mutants
from graders.outcomes import Judged, Truncation, judge
from graders.plan import Plan, Run, Setting, join, make_plan
from graders.reference import expectations, run_trusted
from graders.verdict import Outcome, Verdict
from graders.wire import Record
from tasks.errors import TaskError
from tasks.task import Case, Mistake, Task

MUTANT_SEEDS = 3
DEADLOCK_SEEDS = 3
KINK_SEEDS = 5
MISTAKE_GROUP_SECONDS = 2.0
# How long ranks wait for each other; a correct program responds in milliseconds, and a mutant often loops forever.
MUTANT_GROUP_SECONDS = {True: 1.0, False: 0.2}
REFERENCE_RATIO_MAX = 0.1
MISTAKE_RATIO_MIN = 10.0
# Bounds on a mutant's error divided by the tolerance. Both bounds are far from 1, so that rounding on a different
# machine does not change the result.
KILLED_RATIO_MIN = 2.0
EQUIVALENT_RATIO_MAX = 0.5
# Used to rerun a program that only timed out: on a busy machine, correct programs can time out too.
PATIENT_GROUP_SECONDS = {True: 4.0, False: 2.0}
SPREAD_MIN = 100.0
_NOT_RUN = Record(0, "not_loaded", failure={"message": "was not run"})
# The reference function, with its floating-point inputs and outputs rounded to bfloat16.
_LOWERED = """

def _rounded(value):
    import torch

    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.to(torch.bfloat16).to(value.dtype)
    if isinstance(value, (list, tuple)):
        return type(value)(_rounded(item) for item in value)
    return {{key: _rounded(item) for key, item in value.items()}} if isinstance(value, dict) else value


_exact_{entry} = {entry}


def {entry}({parameters}):
    return _rounded(_exact_{entry}({rounded}))
"""


@dataclass
class Proof:
    """The gate's findings about one task: complaints, and which cases catch which mistakes."""

    task: Task
    complaints: list[str] = field(default_factory=list)
    caught: dict[str, set[str]] = field(default_factory=dict)
    mutants_killed: int = 0
    mutants_survived: int = 0
    reference_ratio: float = 0.0
    inseparable: list[tuple[str, str]] = field(default_factory=list)

    def matrix(self) -> str:
        """Return the kill matrix as text: one line per mistake, one column per case."""
        names = self.task.case_names
        width = max((len(mistake.id) for mistake in self.task.mistakes), default=0)
        lines = [f"{self.task.area}/{self.task.id}"]
        lines += [f"  {'':{width}}  {'|' * place}{name}" for place, name in enumerate(names)]
        for mistake in self.task.mistakes:
            marks = "".join("x" if name in self.caught.get(mistake.id, ()) else "." for name in names)
            lines.append(f"  {mistake.id:{width}}  {marks}")
        lines += [f"  no case's outputs tell {left} and {right} apart" for left, right in self.inseparable]
        mutant_count = self.mutants_killed + self.mutants_survived
        lines.append(
            f"  mutants killed {self.mutants_killed} of {mutant_count}, listed as equivalent"
            f" {len(self.task.equivalents)}; reference error at most {self.reference_ratio:.2g} of the tolerance;"
            f" {count_uncovered(self.task)} sentences of the statement without a case"
        )
        return "\n".join(lines)


@dataclass(frozen=True)
class Sample:
    """A plan for one seed, or for several seeds combined, with the expected results of its cases."""

    plan: Plan
    rights: list[list[Expected]]


# The records of one program, keyed by the id of the run they belong to.
Answers = dict[int, list[Record]]


def check_task(task: Task, seeds: int = 20) -> list[str]:
    """Return the gate's complaints about one task; empty if the task is proven."""
    return prove(task, seeds).complaints


def prove(task: Task, seeds: int = 20, first_seed: int = 0) -> Proof:
    """Return all of the gate's findings about one task, over `seeds` consecutive seeds starting at `first_seed`."""
    proof = Proof(task)
    try:
        plans = [make_plan(task, seed) for seed in range(first_seed, first_seed + seeds)]
        _check_cases(proof, plans)
        proof.complaints += find_coverage_problems(task)
        if not proof.complaints:
            samples = _samples(plans)
            _check_reference(proof, samples)
            _check_tightness(proof, samples)
            _check_kinks(proof, plans[:KINK_SEEDS])
            _check_starter(proof, samples[0])
            answers = {mistake.id: _check_mistake(proof, mistake, samples) for mistake in task.mistakes}
            _check_signatures(proof, samples[0].plan, answers)
            _check_names(proof, samples, answers)
            _check_mutants(proof, samples[:MUTANT_SEEDS])
    except ContentBroken as error:
        proof.complaints.append(error.message)
    except TaskError as error:
        proof.complaints.append(str(error))
    return proof


def _samples(plans: Sequence[Plan]) -> list[Sample]:
    rights = expectations(join(plans))
    count = len(plans[0].cases)
    return [Sample(plan, rights[place * count : (place + 1) * count]) for place, plan in enumerate(plans)]


def _joined(samples: Sequence[Sample]) -> Sample:
    return Sample(join([sample.plan for sample in samples]), [right for sample in samples for right in sample.rights])


def run_and_judge(sample: Sample, source: str, setting: Setting) -> tuple[list[Judged], list[list[Record]]]:
    """Run a program on the sample; return the judgment of each case, and the records."""
    plan = sample.plan
    records = run_trusted(plan, plan.runs, source, setting)
    return judge(plan, sample.rights, records, Truncation(Verdict.TIMED_OUT, "was not run")), records


def _judged_seeds(
    samples: Sequence[Sample], source: str, setting: Setting, answers: Answers | None = None
) -> list[tuple[int, list[Judged]]]:
    """Return the seed and the judgments for each sample; all samples share one group of ranks, which is faster.

    The runs that check a case's relations are made only if the case's own run passes. They do not matter for other
    cases, and they make up most of the runs. The records of all runs are added to `answers`.
    """
    whole = _joined(samples)
    base = replace(whole.plan, runs=whole.plan.base_runs)
    together, records = run_and_judge(Sample(base, whole.rights), source, setting)
    answers = {} if answers is None else answers
    answers.update(zip(map(id, base.runs), records, strict=True))
    related = {id(run.case) for run in whole.plan.runs if run.relation is not None}
    places = [
        place
        for place, (case, judged) in enumerate(zip(whole.plan.cases, together, strict=True))
        if id(case) in related and judged.outcome.verdict is Verdict.PASSED
    ]
    if places:
        cases = tuple(whole.plan.cases[place] for place in places)
        chosen = {id(case) for case in cases}
        runs = tuple(run for run in whole.plan.runs if id(run.case) in chosen)
        part = Sample(replace(whole.plan, cases=cases, runs=runs), [whole.rights[place] for place in places])
        related_judged, records = run_and_judge(part, source, setting)
        answers.update(zip(map(id, runs), records, strict=True))
        for place, judged in zip(places, related_judged, strict=True):
            together[place] = judged
    count = len(samples[0].plan.cases)
    return [(sample.plan.seed, together[place * count : (place + 1) * count]) for place, sample in enumerate(samples)]


def _is_late(judged: list[Judged]) -> bool:
    """Return whether a program failed only because of timeouts."""
    failed = {case.outcome.verdict for case in judged} - {Verdict.PASSED}
    return bool(failed) and failed <= {Verdict.DEADLOCKED, Verdict.TIMED_OUT}


def _patient(setting: Setting, is_distributed: bool) -> Setting:
    return replace(setting, group_seconds=PATIENT_GROUP_SECONDS[is_distributed])


def _failed(judged: list[Judged]) -> set[str]:
    return {case.outcome.name for case in judged if case.outcome.verdict is not Verdict.PASSED}


def _check_cases(proof: Proof, plans: Sequence[Plan]) -> None:
    task, complain = proof.task, proof.complaints.append
    for plan in plans:
        drawn = tuple(case.name for case in plan.cases)
        if drawn != task.case_names:
            complain(
                f"cases.py: seed {plan.seed} yields {list(drawn)}, not {list(task.case_names)}: yield every"
                " case for every seed, in the same order"
            )
            return
    used = {name for mistake in task.mistakes for name in mistake.caught_by}
    for case in plans[0].cases:
        if case.expected is None and case.name not in used:
            complain(f"case {case.name}: catches no mistake and has no literal `expected`; drop it or add a mistake")
    if all(case.expected is None for case in plans[0].cases):
        complain("cases.py: no case has a literal `expected`; add one computed by hand, to check the reference")


def _check_reference(proof: Proof, samples: Sequence[Sample]) -> None:
    for seed, judged in _judged_seeds(samples, proof.task.reference, Setting()):
        proof.reference_ratio = max(proof.reference_ratio, *(case.ratio for case in judged))
        for case in judged:
            place = f"reference: case {case.outcome.name} (seed {seed})"
            if case.outcome.verdict is not Verdict.PASSED:
                proof.complaints.append(f"{place}: {case.outcome.verdict}: {case.outcome.message}")
            elif case.ratio > REFERENCE_RATIO_MAX:
                proof.complaints.append(
                    f"{place}: its error is {case.ratio:.2g} of the tolerance at {case.outcome.where}, more than"
                    f" {REFERENCE_RATIO_MAX}: widen the tolerance or compute more exactly"
                )
        if proof.complaints:
            return


def _check_tightness(proof: Proof, samples: Sequence[Sample]) -> None:
    """Complain if a nearly correct result could pass because expected values hardly vary or tolerances are wide."""
    task = proof.task
    flat = {name: spread for sample in samples for name, spread in flat_cases(task, sample.plan.cases, sample.rights)}
    for name, spread in flat.items():
        proof.complaints.append(
            f"case {name}: the expected values span only {spread:.3g} times the tolerance, less than {SPREAD_MIN:.0f}:"
            " draw inputs with a larger span, or tighten the tolerance"
        )
    source = bfloat16_reference(task)
    if source is None or not has_floats(samples[0].plan.cases):
        return
    for seed, judged in _judged_seeds(samples, source, Setting()):
        if not _failed(judged):
            proof.complaints.append(f"tolerance: the reference in bfloat16 passes (seed {seed}): tighten the tolerance")
            return


def _check_kinks(proof: Proof, plans: Sequence[Plan]) -> None:
    """Complain about cases with inputs at a kink, unless `settled_by` quotes a sentence of the statement.

    At a kink, the reference's gradient jumps, and only the statement can say which gradient is right. Also complain
    about quotes that are not in the statement or not needed.
    """
    statement = plain_words(proof.task.statement)
    declared = {case.name: case.settled_by for case in plans[0].cases if case.settled_by}
    for name, sentence in declared.items():
        if plain_words(sentence) not in statement:
            proof.complaints.append(
                f"case {name}: `settled_by` does not quote the statement; copy the sentence from it"
            )
    jumped = {
        name: f"grad.{argument} jumps by {ratio:.3g} times the tolerance within a small step (seed {plan.seed})"
        for plan in plans
        for name, argument, ratio in jumps(plan)
    }
    for name, what in jumped.items():
        if name not in declared:
            proof.complaints.append(
                f"case {name}: {what}: draw inputs away from the kink, or quote in `settled_by` the sentence of the"
                " statement that decides there"
            )
    for name in sorted(declared.keys() - jumped):
        proof.complaints.append(f"case {name}: no gradient jumps there; drop `settled_by`")


def _check_starter(proof: Proof, sample: Sample) -> None:
    setting = Setting(group_seconds=MISTAKE_GROUP_SECONDS)
    judged, _ = run_and_judge(sample, proof.task.starter, setting)
    if _is_late(judged):
        judged, _ = run_and_judge(sample, proof.task.starter, _patient(setting, sample.plan.is_distributed))
    worst = max((case.outcome.verdict for case in judged), key=lambda verdict: verdict.severity)
    if worst != proof.task.starter_verdict:
        message = next(case.outcome.message for case in judged if case.outcome.verdict is worst)
        declared = proof.task.starter_verdict
        proof.complaints.append(
            f"starter: got {worst} ({message}), starter_verdict declares {declared}: correct one of them"
        )


def _check_mistake(proof: Proof, mistake: Mistake, samples: Sequence[Sample]) -> Answers:
    """Complain if a mistake is not caught by exactly its `caught_by` cases; return its records for the seeds run."""
    setting = Setting(group_seconds=MISTAKE_GROUP_SECONDS)
    opening, first = run_and_judge(samples[0], mistake.source, setting)
    answers = dict(zip(map(id, samples[0].plan.runs), first, strict=True))
    # Whether ranks deadlock does not depend on the seed, and waiting for a deadlock takes a long time.
    is_slow = any(case.outcome.verdict is Verdict.DEADLOCKED for case in opening)
    rest = samples[1:DEADLOCK_SEEDS] if is_slow else samples[1:]
    wanted = set(mistake.caught_by)
    proof.caught[mistake.id] = set()
    seeds = [(samples[0].plan.seed, opening), *(_judged_seeds(rest, mistake.source, setting, answers) if rest else ())]
    for seed, hasty in seeds:
        judged = hasty
        if _failed(hasty) - wanted and any(case.outcome.verdict is Verdict.DEADLOCKED for case in hasty):
            sample = next(sample for sample in samples if sample.plan.seed == seed)
            judged, _ = run_and_judge(sample, mistake.source, _patient(setting, sample.plan.is_distributed))
        failed = _failed(judged)
        proof.caught[mistake.id] |= failed
        place = f"mistake {mistake.id} (seed {seed})"
        if failed != wanted:
            proof.complaints.append(
                f"{place}: caught by {sorted(failed)}; caught_by lacks {sorted(failed - wanted)} and wrongly lists"
                f" {sorted(wanted - failed)}: correct it, or draw inputs that give the same result for every seed"
            )
            break
        least = min((case.ratio for case in judged if case.outcome.name in failed), default=0.0)
        if least < MISTAKE_RATIO_MIN:
            proof.complaints.append(
                f"{place}: its error is only {least:.2g} of the tolerance: draw inputs that raise it to 10, or tighten"
            )
            break
    return answers


def _check_signatures(proof: Proof, plan: Plan, answers: dict[str, Answers]) -> None:
    """List the mistakes whose outputs no case can distinguish, and complain if task.toml does not declare this."""
    mistakes = proof.task.mistakes
    own = {name: [known[id(run)] for run in plan.base_runs] for name, known in answers.items()}
    for place, left in enumerate(mistakes):
        for right in mistakes[place + 1 :]:
            declared = right.id == left.same_as or left.id == right.same_as
            if set(left.caught_by) != set(right.caught_by):
                continue
            if not is_alike(plan, plan.base_runs, own[left.id], own[right.id]):
                continue
            proof.inseparable.append((left.id, right.id))
            if not declared:
                proof.complaints.append(
                    f"mistakes {left.id} and {right.id} give the same outputs everywhere: drop one, add a case to tell"
                    " them apart, or declare same_as"
                )


def _check_names(proof: Proof, samples: Sequence[Sample], answers: dict[str, Answers]) -> None:
    """Complain if, on any seed that was run, a mistake's own program is not diagnosed as that mistake.

    No program is rerun, because all the necessary runs were made while proving the cases.
    """
    for mistake in proof.task.mistakes:
        own = answers[mistake.id]
        names = {mistake.id, mistake.same_as} | {
            other.id for other in proof.task.mistakes if other.same_as == mistake.id
        }
        for sample in samples:
            if any(id(run) not in own for run in sample.plan.base_runs):
                continue  # a mistake that deadlocks was run with fewer seeds
            judged = _judged_by(sample, own)
            evidence = evidence_of(*judged)
            diagnosis = diagnose(sample.plan, evidence, lambda other, runs: _known(answers[other.id], runs))
            if diagnosis is None or diagnosis.id not in names or diagnosis.beside:
                given = f"{diagnosis.id}{' and another one' * bool(diagnosis.beside)}" if diagnosis else "no diagnosis"
                proof.complaints.append(
                    f"mistake {mistake.id} (seed {sample.plan.seed}): its own program yields {given}: add a case whose"
                    " outputs tell it apart from the others, or declare same_as"
                )
                break


def _judged_by(sample: Sample, own: Answers) -> tuple[Plan, list[list[Expected]], list[list[Record]], list[Outcome]]:
    """Return the plan, reduced to the runs that were made, with the expected results, records and outcomes.

    The runs that check a case's relations were skipped if they did not matter.
    """
    plan = replace(sample.plan, runs=tuple(run for run in sample.plan.runs if id(run) in own))
    records = [own[id(run)] for run in plan.runs]
    judged = judge(plan, sample.rights, records, Truncation(Verdict.TIMED_OUT, "was not run"))
    return plan, sample.rights, records, [case.outcome for case in judged]


def _known(answers: Answers, runs: Sequence[Run]) -> list[list[Record]]:
    """Return the records of a mistake's program; a run that was skipped gets records that match no result."""
    return [answers.get(id(run), [_NOT_RUN] * run.case.world) for run in runs]


def _check_mutants(proof: Proof, samples: Sequence[Sample]) -> None:
    listed = {equivalent.mutant for equivalent in proof.task.equivalents}
    names = set()
    seconds = MUTANT_GROUP_SECONDS[samples[0].plan.is_distributed]
    setting = Setting(is_forked=True, stops_at_failure=True, group_seconds=seconds)
    for mutant in mutants(proof.task.reference):
        names.add(mutant.name)
        error = _largest_error(mutant.source, samples, setting)
        proof.mutants_killed += error > 1
        proof.mutants_survived += error <= 1
        if EQUIVALENT_RATIO_MAX < error < KILLED_RATIO_MIN:
            proof.complaints.append(
                f"mutant {mutant.name!r}: its error is {error:.2g} of the tolerance, so rounding decides whether a case"
                f" catches it: draw inputs that raise it to {KILLED_RATIO_MIN:.0f}, or widen the tolerance"
            )
        elif error > 1 and mutant.name in listed:
            proof.complaints.append(
                f"mutant {mutant.name!r}: is caught, so it is not equivalent; drop its [[equivalent]]"
            )
        elif error <= 1 and mutant.name not in listed:
            proof.complaints.append(
                f"mutant {mutant.name!r}: no case catches it: add one that does, or an [[equivalent]] with a reason"
            )
    for name in sorted(listed - names):
        proof.complaints.append(
            f"[[equivalent]] {name!r}: the reference has no such mutant; mutant names contain its line numbers"
        )


def _largest_error(source: str, samples: Sequence[Sample], setting: Setting) -> float:
    """Return a program's largest error-to-tolerance ratio on these seeds; infinite if there is no finite error."""
    largest = 0.0
    for sample in samples:
        judged, _ = run_and_judge(sample, source, setting)
        if _is_late(judged):
            judged, _ = run_and_judge(sample, source, _patient(setting, sample.plan.is_distributed))
        largest = max(largest, *(case.ratio for case in judged))
        if largest >= KILLED_RATIO_MIN:
            break
    return largest


def bfloat16_reference(task: Task) -> str | None:
    """Return the reference with its inputs and outputs rounded to bfloat16, a lower precision than float32.

    The result is None for tasks whose inputs and outputs cannot be rounded this way: a harness passes models, and
    estimation tasks compute in Python floats.
    """
    if task.harness or task.kind != "implement":
        return None
    (function,) = ast.parse(f"def {task.signature}: ...").body
    assert isinstance(function, ast.FunctionDef)
    if function.args.vararg or function.args.kwarg or function.args.kwonlyargs:
        return None
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    parameters = task.signature.partition("(")[2].rpartition(")")[0]
    return task.reference + _LOWERED.format(
        entry=task.entry, parameters=parameters, rounded=", ".join(f"_rounded({name})" for name in names)
    )


def has_floats(cases: Sequence[Case]) -> bool:
    """Return whether any case has floating-point tensors; without such tensors, there is no precision to reduce."""
    return any(
        isinstance(value, torch.Tensor) and value.is_floating_point() for case in cases for value in case.args.values()
    )


def flat_cases(task: Task, cases: Sequence[Case], rights: Sequence[Sequence[Expected]]) -> Iterator[tuple[str, float]]:
    """Yield each random case whose main output hardly varies, with the output's spread divided by the tolerance.

    Such a case accepts any output close to its single expected value. The main output is the first output; for a dict,
    it is the output with the largest spread.
    """
    for case, ranks in zip(cases, rights, strict=True):
        if case.expected is None and (spread := max(_spread(task, right) for right in ranks)) < SPREAD_MIN:
            yield case.name, spread


def _spread(task: Task, right: Expected) -> float:
    first = task.returns[0] if task.returns else ""
    outputs = [right.outputs[first]] if first in right.outputs else list(right.outputs.values())
    return max((_spread_of(task, output) for output in outputs), default=0.0)


def _spread_of(task: Task, output: ExpectedOutput) -> float:
    """Return an output's spread (max - min) divided by the output's tolerance.

    For a single number, its absolute value is used as the spread.
    """
    finite = output.values[output.values.isfinite()]
    if not finite.numel():
        return 0.0
    tolerance = tolerance_of(output.kind, task.tolerance)
    low = finite.min() if output.values.numel() > 1 else torch.zeros_like(finite[0])
    spread = float((finite.max() - low).abs())
    bound = tolerance.atol + tolerance.rtol * float(finite.abs().max())
    return spread / bound if bound else float("inf")
