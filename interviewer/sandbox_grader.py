"""The driver's grader: the worker with the settings' sandbox and one device; it holds no task and no reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graders.client import GraderClient
from graders.verdict import Report


@dataclass
class SandboxGrader:
    """Grade with the settings' sandbox in the worker; one grade at a time.

    The worker knows the tasks that ship by their ids; `own` are the folders of the others.
    """

    client: GraderClient
    sandbox: str
    image: str
    device: str = "cpu"
    own: Mapping[str, str] = field(default_factory=dict)

    def grade(self, task: str, source: str) -> Report:
        """Return the report. Raises: GradingError when our side failed."""
        found = self.own.get(task, task)
        return self.client.grade(found, source, device=self.device, sandbox=self.sandbox, image=self.image)

    def prepare(self, task: str) -> None:
        """Let a warm cell wait for a submission of this task."""
        self.client.prepare(self.own.get(task, task))

    def cancel(self) -> None:
        """Stop the grade that runs."""
        self.client.cancel()
