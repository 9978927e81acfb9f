"""Verdicts and the report for one submission, as plain data sent over a pipe as JSON; never imports torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

OLD_INPUTS_MARK = " | inputs: "


class Verdict(StrEnum):
    """The possible verdicts, from best to worst. An internal failure is never a verdict."""

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
        """Return the verdict's position in the order from best to worst; 0 is passed."""
        return list(Verdict).index(self)


@dataclass(frozen=True)
class Outcome:
    """Verdict and evidence for one case.

    `max_error` and `tolerance` are absolute, not relative, and apply at `where`, the location of the worst error.

    `message` may quote the submission, so it is never parsed. `inputs` is a short text with the arguments of a failed
    case, and "" otherwise; in older logs, only visible cases have it.
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
        """Upgrade a stored outcome to the current fields.

        Before `inputs` was a field, the grader appended a marker and the inputs to the message. A message is split at
        the marker only if its stored record has no `inputs` field. Records of new submissions always have this field,
        so a submission cannot forge inputs by writing the marker. In an old message for a visible case, the last marker
        is always the one that the grader wrote: the inputs come after it, and no argument of a bundled task contains
        the marker. An old record does not say whether its case was visible. In the message of a hidden case, a marker
        that the submission forged is therefore still treated as the grader's own. A forged marker misleads only the
        submission's author, and no verdict depends on the marker.
        """
        if "inputs" in record or not isinstance(record.get("message"), str):
            return record
        message, mark, inputs = record["message"].rpartition(OLD_INPUTS_MARK)
        return {**record, "message": message, "inputs": inputs} if mark else record


@dataclass(frozen=True)
class Diagnosis:
    """The known mistake that reproduces the submission's results on `cases`, and its follow-up question.

    `is_exact` means that outputs and gradients were compared in all of these cases. If a run ended without outputs,
    only the way in which the run ended was compared. Logs from older versions have neither field, because diagnoses
    were based on weaker evidence then.
    """

    id: str
    wrong: str
    ask: str
    beside: Diagnosis | None = None
    is_exact: bool = False
    cases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Symptom:
    """A statement computed from the outputs of a failing submission, and the matching question."""

    id: str
    says: str
    ask: str


@dataclass(frozen=True)
class Report:
    """The complete results of one submission on one device. `seconds` has the keys "verdict", "inside" and "wait"."""

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
        """Return the diagnosed mistakes: none, one, or two that were made together."""
        if self.mistake is None:
            return ()
        return (self.mistake, self.mistake.beside) if self.mistake.beside else (self.mistake,)

    @property
    def verdict(self) -> Verdict:
        """Return the worst verdict among the cases."""
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
        """Return the passed cases' share of the total weight, 0 to 1."""
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
    """The cases that fail with the same message: their names, the verdict, and the inputs if there is only one case."""

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
    """Parse a report written by `Report.to_json`; verdict and score are recomputed, not trusted."""
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
    """Parse a diagnosis; in logs from older versions, the fields with a default may be missing."""
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
