"""A scripted sandbox for testing code that uses a sandbox; it runs nothing."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.job import Ending, Finished, Job, SandboxError, never

Answer = Finished | SandboxError | Callable[[Job], Finished]


class FakeSandbox:
    """Returns the prepared answers in order and records the requested jobs."""

    name = "fake"
    isolation = "scripted: nothing ran"

    def __init__(self, *answers: Answer) -> None:
        self.jobs: list[Job] = []
        self._answers = list(answers)

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Return the next answer; if the answer is an error, raise it.

        Raises AssertionError if no answer is left, and SandboxError if the next answer is a SandboxError.
        """
        self.jobs.append(job)
        assert self._answers, f"FakeSandbox: job {len(self.jobs)} has no answer; add one"
        answer = self._answers.pop(0)
        if isinstance(answer, SandboxError):
            raise answer
        return answer if isinstance(answer, Finished) else answer(job)


def finished(
    result: bytes = b"", log: bytes = b"", ending: Ending = Ending.EXITED, exit_code: int | None = 0
) -> Finished:
    """Return a prepared answer; `exit_code` is used only if the program exited on its own."""
    return Finished(
        result=result,
        log=log,
        is_log_cut=False,
        ending=ending,
        exit_code=exit_code if ending in (Ending.EXITED, Ending.OUT_OF_MEMORY) else None,
        wall_seconds=0.01,
        isolation=FakeSandbox.isolation,
    )
