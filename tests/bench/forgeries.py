"""Counts the forgeries that each grading method accepts; all of them run in a container, including the bare method."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import tasks.task
from graders.client import GraderClient
from graders.verdict import Verdict
from sandbox.docker.sandbox import DockerSandbox
from sandbox.job import Job
from tasks.load import find_task
from tasks.task import Task
from tests.attacks.load import Program, load_all, source_of
from tests.bench import naive, peer

FAMILIES = ("forgery", "deserialisation")
RUN_SECONDS = 60.0
MEMORY_BYTES = 2**30
RESULT_BYTES_MAX = 2**20
# Attacks on our grader only: they use the runner's format, or take the runner's own module apart.
OUR_MODULE = "graders.runner.execution"


class Tried(NamedTuple):
    """Whether a submission was graded as correct, and whether it found an answer or a seed."""

    is_accepted: bool
    has_found: bool


Way = Callable[[Task, str], Tried]


def by_us(client: GraderClient) -> Way:
    """Return the app's method."""

    def tried(task: Task, source: str) -> Tried:
        report = client.grade(task.id, source, sandbox="docker")
        return Tried(report.verdict is Verdict.PASSED, _has_found(report.stdout))

    return tried


def bare(task: Task, source: str) -> Tried:
    """Grade in a single interpreter; accepted if it reports success, and a grader that was killed reports nothing."""
    script, token = naive_script(task, source)
    job = Job(
        "import sys; exec(sys.stdin.read())",
        script.encode(),
        RUN_SECONDS,
        MEMORY_BYTES,
        result_bytes_max=RESULT_BYTES_MAX,
    )
    finished = DockerSandbox().run(job)
    return Tried(token.encode() in finished.result.split(), _has_found(finished.result.decode(errors="replace")))


def by_peer(open_session: peer.Open) -> Way:
    """Return the llm-sandbox method with everything in one script; accepted if the script exits with code 0."""

    def tried(task: Task, source: str) -> Tried:
        with open_session() as session:
            output = session.run(naive_script(task, source)[0], timeout=RUN_SECONDS)
        return Tried(bool(output.success()), _has_found(output.stdout))

    return _unless_late(tried)


def by_peer_outside(open_session: peer.Open) -> Way:
    """Return the llm-sandbox method that is timed: it only runs the submission, and its output is compared here."""

    def tried(task: Task, source: str) -> Tried:
        verdicts, _, output = peer.verdicts(task, source, open_session)
        return Tried(set(verdicts) == {Verdict.PASSED}, _has_found(output))

    return _unless_late(tried)


def _unless_late(way: Way) -> Way:
    def tried(task: Task, source: str) -> Tried:
        from llm_sandbox.exceptions import SandboxTimeoutError

        try:
            return way(task, source)
        except SandboxTimeoutError:
            return Tried(False, False)

    return tried


def naive_script(task: Task, source: str) -> tuple[str, str]:
    """Return the naive grader with everything it needs, and the word that it prints if every case is right."""
    read = [Path(str(module.__file__)).read_text(encoding="utf-8") for module in (naive, tasks.task)]
    token, tolerance = secrets.token_hex(8), task.tolerance["float32"]
    sources = {"task": read[1], "cases": task.cases_source, "reference": task.reference, "submission": source}
    given = sources, task.entry, secrets.randbelow(2**31), tolerance.rtol, tolerance.atol, token
    return f"{read[0]}\n\nmain(*{given!r})\n", token


def _has_found(text: str) -> bool:
    return "REACHED" in text


def speaks_ours(program: Program) -> bool:
    """Return whether only our grader can be attacked in this way."""
    return "forge" in program.uses or OUR_MODULE in program.text


def count(name: str, way: Way, programs: list[Program]) -> dict[str, Any]:
    """Return the number of programs that a method accepts. Raises AssertionError if it rejects a right program."""
    for task in {program.task: find_task(program.task) for program in programs}.values():
        assert way(task, task.reference).is_accepted, f"{name} refuses the reference of {task.id}"
    attempts = {}
    for program in programs:
        task = find_task(program.task)
        attempts[program.name] = way(task, source_of(program, task.entry, task.reference))
    return {
        "way": name,
        "of": len(programs),
        "accepted": [name for name, tried in attempts.items() if tried.is_accepted],
        "found": [name for name, tried in attempts.items() if tried.has_found],
    }


def counts(client: GraderClient, stopping: peer.Open | None) -> Iterator[dict[str, Any]]:
    """Yield the number of forgeries that each method accepts, ours first; attacks on our format count only for ours."""
    attacks = [attack for attack in load_all()[0] if attack.name.partition("/")[0] in FAMILIES]
    common = [attack for attack in attacks if not speaks_ours(attack)]
    yield count("ours", by_us(client), common)
    yield count("ours, attacks on its own format", by_us(client), [attack for attack in attacks if speaks_ours(attack)])
    yield count("bare, one interpreter, torch.allclose", bare, common)
    if stopping is not None:
        yield count("llm-sandbox, all in one script, exit code", by_peer(stopping), common)
        yield count("llm-sandbox, outputs printed, compared outside", by_peer_outside(stopping), common)
