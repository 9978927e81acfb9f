"""Two attempts at one task side by side: what changed in the code, and what each earned."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt


@dataclass(frozen=True)
class Comparison:
    """Hold two attempts and their differences; `diff` is unified, empty when the code is the same.

    `verdicts` has (case, verdict then, verdict now) for the cases whose verdict changed; None where a case is missing.
    """

    before: LoggedAttempt
    after: LoggedAttempt
    diff: str
    verdicts: tuple[tuple[str, Verdict | None, Verdict | None], ...]


def compare(before: LoggedAttempt, after: LoggedAttempt) -> Comparison:
    """Return what differs between two attempts."""
    lines = difflib.unified_diff(
        before.source.splitlines(), after.source.splitlines(), before.id, after.id, lineterm="", n=3
    )
    then = {case.name: case.verdict for case in before.report.cases}
    now = {case.name: case.verdict for case in after.report.cases}
    changed = [(name, then.get(name), now.get(name)) for name in {**then, **now} if then.get(name) != now.get(name)]
    return Comparison(before, after, "\n".join(lines), tuple(changed))


def best_seconds(attempts: Sequence[LoggedAttempt]) -> float | None:
    """Return the shortest measured time from opening to passing, in seconds; None when none passed on the clock."""
    times = [
        one.wall_seconds for one in attempts if one.wall_seconds is not None and one.report.verdict is Verdict.PASSED
    ]
    return min(times, default=None)
