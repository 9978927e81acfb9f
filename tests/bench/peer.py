"""Grades through llm-sandbox as its users would; everything that it creates is removed when `peer` ends."""

from __future__ import annotations

import base64
import importlib.metadata
import importlib.util
import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import docker

from graders.outcomes import judge
from graders.plan import Plan, Setting, payload, record_run_indices
from graders.reference import by_run, expectations
from graders.runner import execution
from graders.verdict import Verdict
from graders.wire import Reader
from sandbox.docker.image import image_tag
from tasks.task import Task
from tests.bench.ways import BYTES_MAX, fresh_plan

NAME = "llm-sandbox"
IMAGE = "interviewer-bench:llm-sandbox"
RUN_SECONDS = 60.0
# llm-sandbox runs scripts with this Python in its pool's containers, and with the first Python on the PATH elsewhere.
DOCKERFILE = """
FROM {image}
USER root
RUN mkdir /sandbox && ln -s /opt/sandbox /sandbox/.sandbox-venv
ENV PATH=/opt/sandbox/bin:/usr/local/bin:/usr/bin:/bin
CMD ["python"]
"""
SCRIPT = """
import base64, sys, types
module = sys.modules["inside"] = types.ModuleType("inside")
exec(compile({source!r}, "inside.py", "exec"), module.__dict__)
answers = []
module.answer_all(module.read_payload(base64.b64decode({sent!r})), answers.append)
print(base64.b64encode(b"".join(answers)).decode())
"""
# By default, it sets no limits; these do not slow anything down, and they protect the machine from attacks. The engine
# may have no bridge network.
SETTINGS = {
    "network_mode": "none",
    "mem_limit": "2g",
    "pids_limit": 128,
    "environment": {"OMP_NUM_THREADS": "1"},
}
Open = Callable[[], Any]


def missing() -> str:
    """Return why llm-sandbox cannot be measured here, or ""."""
    return "" if importlib.util.find_spec("llm_sandbox") else "it is not installed; `make bench` installs it"


def version() -> str:
    """Return which version is measured."""
    return importlib.metadata.version(NAME)


@contextmanager
def peer() -> Iterator[dict[str, Open]]:
    """Return a function that opens its sessions: "pool" in a warm pool's container, "own" and "stopping" in their own.

    Raises docker.errors.DockerException if its image cannot be built.
    """
    from llm_sandbox import SandboxSession
    from llm_sandbox.pool import PoolConfig, create_pool_manager

    client = docker.from_env(timeout=2 * int(RUN_SECONDS))
    text = DOCKERFILE.format(image=image_tag()).encode()
    client.images.build(fileobj=io.BytesIO(text), tag=IMAGE, network_mode="none", rm=True)
    given = {"client": client, "lang": "python", "image": IMAGE, "skip_environment_setup": True}
    try:
        size = PoolConfig(max_pool_size=1, min_pool_size=1)
        pool = create_pool_manager(config=size, runtime_configs=SETTINGS, **given)
        try:
            yield {
                "pool": lambda: SandboxSession(pool=pool, lang="python"),
                "own": lambda: SandboxSession(runtime_configs=SETTINGS, **given),
                # An init process lets the container exit on SIGTERM, so that closing does not take 10 s.
                "stopping": lambda: SandboxSession(runtime_configs={**SETTINGS, "init": True}, **given),
            }
        finally:
            pool.close()
    finally:
        for left in client.containers.list(all=True, filters={"ancestor": IMAGE}):
            with suppress(docker.errors.NotFound):
                left.remove(force=True)
        client.images.remove(IMAGE, force=True)
        client.close()


def script_of(sent: bytes) -> str:
    """Return a script that feeds the payload to our runner and prints the result as text."""
    return SCRIPT.format(source=Path(execution.__file__).read_text(encoding="utf-8"), sent=base64.b64encode(sent))


def judged(plan: Plan, output: str) -> list[Verdict]:
    """Return the verdict of each case from a script's output; none if the output is incomplete."""
    ready = execution.frame({"run": 0, "status": "ready", "lacks": "", "torch": "", "python": ""})
    reader = Reader(record_run_indices(plan.runs), BYTES_MAX)
    with suppress(ValueError):  # the last line may come from the submission instead of our runner
        reader.feed(ready + base64.b64decode(output.strip().rpartition("\n")[2], validate=True))
    if reader.error or not reader.is_complete:
        return []
    records = by_run(reader.records, len(plan.runs))
    return [case.outcome.verdict for case in judge(plan, expectations(plan), records, None)]


def verdicts(task: Task, source: str, open_session: Open) -> tuple[list[Verdict], dict[str, float], str]:
    """Return the verdicts on a submission whose outputs are printed and compared here, and the output.

    Units: milliseconds of opening, running and closing, and of everything up to the verdict.
    """
    began = time.perf_counter()
    plan = fresh_plan(task)
    session = open_session()
    script = script_of(payload(plan, plan.runs, source, Setting(bytes_max=BYTES_MAX)))
    asked = time.perf_counter()
    session.open()
    try:
        opened = time.perf_counter()
        output = session.run(script, timeout=RUN_SECONDS).stdout
        ran = time.perf_counter()
        case_verdicts = judged(plan, output)
        done = time.perf_counter()
    finally:
        closing = time.perf_counter()
        session.close()
    steps = {"open": opened - asked, "run": ran - opened, "close": time.perf_counter() - closing, "all": done - began}
    return case_verdicts, {name: seconds * 1e3 for name, seconds in steps.items()}, output


def timed(task: Task, open_session: Open) -> dict[str, float]:
    """Return the milliseconds of each step of grading the reference once."""
    case_verdicts, steps, output = verdicts(task, task.reference, open_session)
    assert set(case_verdicts) == {Verdict.PASSED}, f"{task.id}: {NAME} gave {case_verdicts}; it printed {output[-500:]}"
    return steps
