"""Runs a task's mistakes on the inputs of one plan, and keeps their outputs for later submissions in the same batch."""

from __future__ import annotations

from collections.abc import Sequence

from graders.diagnose import GROUP_SECONDS, Records
from graders.outcomes import failure
from graders.plan import Plan, Run, Setting
from graders.reference import run_trusted
from tasks.task import Mistake

KEPT_MAX = 1000


class MistakeRuns:
    """Runs each mistake and reuses its outputs for the same inputs: many submissions in a batch fail on the same cases.

    Outputs are kept only if all runs succeeded: a failed run is repeated, because it may have timed out on a busy
    machine.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._kept: dict[tuple[str, tuple[int, ...]], Records] = {}

    def run(self, mistake: Mistake, runs: Sequence[Run]) -> Records:
        """Return the mistake's records for these runs, which must be runs of the plan.

        Raises: the same errors as `run_trusted`.
        """
        key = mistake.id, tuple(map(id, runs))
        if key in self._kept:
            return self._kept[key]
        records = run_trusted(self._plan, runs, mistake.source, Setting(group_seconds=GROUP_SECONDS))
        if not any(map(failure, records)):
            if len(self._kept) == KEPT_MAX:
                self._kept.clear()
            self._kept[key] = records
        return records
