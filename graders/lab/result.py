"""The results of a lab run as plain data, sent over a pipe as JSON; never imports torch.

If a measured amount has no estimate, it is memory that the task's statement leaves out, such as temporary buffers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

CLOSE_SHARE = 0.0005
MATCHES = "matches"
# The tasks that have an experiment; listed here so that the app can look them up without importing torch.
TASKS = ("activation_memory", "grpo_memory_estimate", "kv_bytes", "pool_tokens", "zero_shard_bytes")


@dataclass(frozen=True)
class Figure:
    """One amount that was measured in a phase, with the reference's and the submission's estimate of this amount.

    `measured`, `reference` and `yours` are in bytes, or in tokens if the lab's unit is tokens. None means that there is
    no estimate; for the submission, `problem` then gives the reason.
    """

    phase: str
    measured: int
    reference: float | None = None
    yours: float | None = None
    problem: str = ""

    def difference(self) -> str:
        """Return how far the submission's estimate is from the measurement, such as "-50.0%"; "" without an estimate.

        An estimate within 0.05% counts as a match, because a real optimizer also stores a few counters.
        """
        if self.yours is None:
            return self.problem
        if abs(self.yours - self.measured) <= CLOSE_SHARE * self.measured:
            return MATCHES
        if not self.measured:
            return "nothing was measured"
        return f"{(self.yours - self.measured) / self.measured:+.1%}"


@dataclass(frozen=True)
class Setup:
    """One measured configuration: its name, the arguments that describe it to the task's function, and its figures.

    `note` explains what a reader might otherwise misunderstand about the measurements.
    """

    name: str
    args: str
    figures: tuple[Figure, ...]
    note: str = ""


@dataclass(frozen=True)
class LabResult:
    """All measurements for one task. `method` says how memory was measured, and `unit` is "bytes" or "tokens"."""

    task: str
    device: str
    method: str
    unit: str
    torch: str
    setups: tuple[Setup, ...]
    has_submission: bool = False
    isolation: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the object that `lab --json` prints."""
        return asdict(self)


def result_from_json(data: Mapping[str, Any]) -> LabResult:
    """Parse a result written by `LabResult.to_json`. Raises KeyError or TypeError for data in any other format."""
    setups = tuple(
        Setup(**{**setup, "figures": tuple(Figure(**figure) for figure in setup["figures"])})
        for setup in data["setups"]
    )
    return LabResult(**{**data, "setups": setups})
