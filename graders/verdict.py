"""Verdicts and the report of one submission, as plain data that crosses a pipe as JSON; never imports torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

OLD_INPUTS_MARK = " | inputs: "


class Verdict(StrEnum):
    """Name what the machine decided, worst last. Our own failure is never one of these."""

    PASSED = "passed"
    WRONG_VALUE = "wrong_value"
    WRONG_GRADIENT = "wrong_gradient"
    WRONG_DTYPE = "wrong_dtype"
    WRONG_SHAPE = "wrong_shape"
    NON_FINITE = "non_finite"
    MUTATED_INPUT = "mutated_input"
    RAISED = "raised"
    OUT_OF_MEMORY = "out_of_memory"
    TIMED_OUT = "timed_out"
    DEADLOCKED = "deadlocked"
    FORBIDDEN = "forbidden"
    NOT_LOADED = "not_loaded"

    @property
    def severity(self) -> int:
        """Return the place in the order worst last; 0 is passed."""
        return list(Verdict).index(self)


@dataclass(frozen=True)
class Outcome:
    """Hold verdict and evidence for one case. `max_error` and `tolerance` are absolute, at the worst place `where`.

    `message` may quote the submission, so nothing is parsed out of it. `inputs` are the arguments of a case that
    failed, as short text, and "" otherwise; in older logs only visible cases have them.
    """

    name: str
    verdict: Verdict
    weight: float
    message: str
    max_error: float | None = None
    tolerance: float | None = None
    where: str = ""
    inputs: str = ""

    @staticmethod
    def upgraded(record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a stored outcome with today's fields.

        Before `inputs` was a field, the grader appended a mark and the inputs to the message. Only records without
        the field are split, so no submission graded today can forge inputs. In an old record of a visible case the
        grader's mark is the last one, because no bundled task has an argument that contains the mark. An old record
        does not say whether its case was visible: a forged mark in a hidden case's message is still taken for the
        grader's. That misleads only whoever wrote the submission, and no verdict depends on it.
        """
        if "inputs" in record or not isinstance(record.get("message"), str):
            return record
        message, mark, inputs = record["message"].rpartition(OLD_INPUTS_MARK)
        return {**record, "message": message, "inputs": inputs} if mark else record


@dataclass(frozen=True)
class Diagnosis:
    """Hold the mistake on file that gives what the submission gave on `cases`, and the question that it earns.

    `is_exact` says that outputs and gradients were compared in all of these cases. Where a run ends without outputs,
    only the way it ends could be compared. Logs of older versions have neither field: names rested on less then.
    """

    id: str
    wrong: str
    ask: str
    beside: Diagnosis | None = None
    is_exact: bool = False
    cases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Symptom:
    """Hold a statement about a failing submission that was computed from its outputs, and the question that fits."""

    id: str
    says: str
    ask: str


@dataclass(frozen=True)
class Report:
    """Hold all of one submission on one device. `seconds` has verdict, inside and wait."""

    task: str
    device: str
    sandbox: str
    isolation: str
    seed: int
    cases: tuple[Outcome, ...]
    mistake: Diagnosis | None
    stdout: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    symptoms: tuple[Symptom, ...] = ()

    @property
    def mistakes(self) -> tuple[Diagnosis, ...]:
        """Return the mistakes that were named: none, one, or two made together."""
        if self.mistake is None:
            return ()
        return (self.mistake, self.mistake.beside) if self.mistake.beside else (self.mistake,)

    @property
    def verdict(self) -> Verdict:
        """Return the worst verdict of the cases."""
        return max((case.verdict for case in self.cases), key=lambda verdict: verdict.severity)

    @property
    def has_loaded(self) -> bool:
        """Return whether the code could be imported; only then does it count as a submission."""
        return self.verdict is not Verdict.NOT_LOADED

    @property
    def passed_count(self) -> int:
        """Return how many cases passed."""
        return sum(case.verdict is Verdict.PASSED for case in self.cases)

    @property
    def score(self) -> float:
        """Return the share of weight that passed, 0 to 1."""
        total = sum(case.weight for case in self.cases)
        return sum(case.weight for case in self.cases if case.verdict is Verdict.PASSED) / total

    def to_json(self) -> dict[str, Any]:
        """Return the object that `grade --json` prints."""
        return {
            "task": self.task,
            "device": self.device,
            "sandbox": self.sandbox,
            "isolation": self.isolation,
            "verdict": self.verdict.value,
            "score": self.score,
            "seed": self.seed,
            "cases": [{**asdict(case), "verdict": case.verdict.value} for case in self.cases],
            "mistake": asdict(self.mistake) if self.mistake else None,
            "symptoms": [asdict(symptom) for symptom in self.symptoms],
            "stdout": self.stdout,
            "seconds": dict(self.seconds),
            "versions": dict(self.versions),
        }


@dataclass(frozen=True)
class Failed:
    """Hold the cases that fail with the same message: their names, the verdict, and the inputs of a single case."""

    names: tuple[str, ...]
    verdict: Verdict
    message: str
    inputs: str


def failed_cases(report: Report) -> list[Failed]:
    """Return the failing cases, worst first; cases with the same verdict and message form one entry."""
    groups: dict[tuple[Verdict, str], list[Outcome]] = {}
    for case in report.cases:
        if case.verdict is not Verdict.PASSED:
            groups.setdefault((case.verdict, case.message), []).append(case)
    failed = [
        Failed(tuple(case.name for case in cases), verdict, message, cases[0].inputs if len(cases) == 1 else "")
        for (verdict, message), cases in groups.items()
    ]
    return sorted(failed, key=lambda group: group.verdict.severity, reverse=True)


def report_from_json(data: Mapping[str, Any]) -> Report:
    """Return the report that `Report.to_json` wrote; verdict and score are derived again, not believed."""
    return Report(
        task=data["task"],
        device=data["device"],
        sandbox=data["sandbox"],
        isolation=data["isolation"],
        seed=data["seed"],
        cases=tuple(
            Outcome(**{**Outcome.upgraded(case), "verdict": Verdict(case["verdict"])}) for case in data["cases"]
        ),
        mistake=_diagnosis_from(data["mistake"]),
        stdout=data["stdout"],
        seconds=data["seconds"],
        versions=data["versions"],
        symptoms=tuple(Symptom(**symptom) for symptom in data.get("symptoms", ())),
    )


def _diagnosis_from(data: Mapping[str, Any] | None) -> Diagnosis | None:
    """Return a diagnosis; logs of older versions lack the fields that have a default."""
    if not data:
        return None
    return Diagnosis(
        data["id"],
        data["wrong"],
        data["ask"],
        _diagnosis_from(data.get("beside")),
        is_exact=data.get("is_exact", False),
        cases=tuple(data.get("cases", ())),
    )
