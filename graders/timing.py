"""How fast a passing submission runs compared with the reference, as plain data; it never changes a verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

TIMED_CASE = re.compile(r"^def timed\(", re.MULTILINE)


@dataclass(frozen=True)
class Timing:
    """Median seconds of a submission and of the reference on the task's timed case, measured outside the sandbox.

    The time spent passing the inputs is subtracted from both times. If `problem` is not empty, it says why there are no
    comparable times.
    """

    device: str
    runs: int
    seconds: float = 0.0
    reference_seconds: float = 0.0
    problem: str = ""

    @property
    def ratio(self) -> float | None:
        """Return the submission's time divided by the reference's; None if the times cannot be compared."""
        return None if self.problem else self.seconds / self.reference_seconds

    def __str__(self) -> str:
        if self.problem:
            return f"Speed: not compared with the reference, because {self.problem}."
        times = f"{self.seconds * 1000:.1f} ms, reference {self.reference_seconds * 1000:.1f} ms"
        return (
            f"Speed: {self.ratio:.1f} times the reference's time on a larger case ({times}; medians of {self.runs} runs"
            f" on {self.device}). Not part of the verdict."
        )

    def to_json(self) -> dict[str, Any]:
        """Return the value of "speed" in `grade --json`."""
        return {**asdict(self), "ratio": self.ratio}


def timing_from_json(data: Mapping[str, Any]) -> Timing:
    """Parse a timing written by `Timing.to_json`; the ratio is recomputed."""
    return Timing(**{name: value for name, value in data.items() if name != "ratio"})


def has_timed_case(cases_source: str) -> bool:
    """Return whether a task's cases.py defines `timed(rng)`, which draws one large case for timing."""
    return bool(TIMED_CASE.search(cases_source))
