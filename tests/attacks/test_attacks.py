"""No attack passes, harms the machine or makes the grader fail; no honest program that looks like one is rejected."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from graders.grade import grade
from graders.verdict import Report, Verdict
from sandbox.docker import forkserver
from sandbox.docker.forkserver import ForkServer
from sandbox.job import Job
from tasks.load import find_task
from tasks.task import Limits, Task
from tests.attacks.ahead import OneCell, Row
from tests.attacks.conftest import IN_DOCKER, IS_FULL, MEMORY_MIB, SECRET, SHIPPED, Field, Graded, withheld
from tests.attacks.load import FOLDER, Program, load_all, source_of
from tests.recorded import Subject, kernel, machine

# A cell may take more than a minute to become ready on a busy machine.
pytestmark = pytest.mark.timeout(300)

ATTACKS, TWINS = load_all()
NEIGHBORS = [program for program in ATTACKS if program.family == "neighbor"]
LINES = 84
# Characters that a terminal may interpret: control characters, surrogates, and marks that reorder text.
UNSHOWABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]")
TEXT_CHARACTERS_MAX = 8 * 2**10
END_SECONDS = 2.0
# Sources that are too unusual to be stored in a file.
GENERATED = {
    "brackets": "(" * 100_000,
    "a giant number": "x = " + "9" * 100_000,
    "a giant file": "#" * (2**20 + 1),
    "NUL": "x = '\x00'\n",
    "half a character": "x = '\udcff'\n",
    "a false encoding": "# -*- coding: utf-7 -*-\nx = +AGEAYg-\n",
    "deep blocks": "".join(" " * depth + "if 1:\n" for depth in range(150)),
}


def check_report(report: Report) -> None:
    """Check that every case is reported, and that no text can affect a screen or a log, or contains a key."""
    assert len({case.name for case in report.cases}) == len(report.cases) > 0
    exported = report.to_json()
    json.dumps(exported, ensure_ascii=False).encode()
    for text in texts_of(exported):
        assert UNSHOWABLE.findall(text) == []
        assert len(text) <= TEXT_CHARACTERS_MAX
        assert SECRET not in text


def texts_of(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from texts_of(item)


def check(program: Program, graded: Graded) -> None:
    """Check what must hold for every program."""
    if IS_FULL:  # on an idle machine; on a busy one, a program that never ends fails because of the test's own limit
        assert graded.took_seconds < program.wall_seconds + END_SECONDS
    check_report(graded.report)


def _subject(params: dict[str, Any]) -> Subject:
    program, level = params["program"], params["level"]
    used = (FOLDER / "forge.py", FOLDER / f"{program.name}.py", *(find_task(name).folder for name in SHIPPED))
    return Subject(f"{level}-{program.name}", used, f"{IS_FULL} {machine() if level in IN_DOCKER else kernel()}")


@pytest.mark.recorded(subject_of=_subject)
@pytest.mark.slow
@pytest.mark.parametrize("program", ATTACKS, ids=lambda program: program.name)
def test_an_attack_never_passes(program: Program, level: str, field: Field) -> None:
    if why := withheld(program, level):
        pytest.skip(why)
    graded = field.graded(program)
    report = graded.report
    evidence = [(case.name, case.verdict.value, case.message[:300]) for case in report.cases], report.stdout[-1000:]
    assert report.verdict in program.verdicts, evidence
    assert report.score < 1.0
    assert "REACHED" not in report.stdout, evidence
    check(program, graded)


def careless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return fork servers that neither remove nor compare anything after a submission, and use one user for all."""
    make = forkserver.server_program

    def make_careless(job: Job, first_user: int) -> str:
        program = make(job, first_user)
        for careful, changed in (
            ("range(first_user, first_user + jobs)", "[first_user] * jobs"),
            ("            kill_user(user)\\n", ""),
            ("            reap(others)\\n", ""),
            ("            kill_all()\\n", "            pass\\n"),
            ("        is_clean = is_taken and ", "        is_clean = True  # "),
            ("is_clean and sockets_are_gone()", "True"),
            ("    os.mkdir(FOLDER, 0o770)", "    os.makedirs(FOLDER, 0o770, exist_ok=True)"),
        ):
            assert program.count(careful) == 1, careful
            program = program.replace(careful, changed)
        return program

    monkeypatch.setattr(forkserver, "server_program", make_careless)


def in_a_row(programs: Sequence[Program], tasks: dict[str, Task]) -> tuple[list[Report], int]:
    """Return the reports on programs that run one after another in a shared container, and the number of containers."""
    with closing(ForkServer(size=1)) as server:
        reports = []
        for program in programs:
            task = tasks[program.task]
            source = source_of(program, task.entry, task.reference)
            reports.append(grade(replace(task, limits=Limits(program.wall_seconds, MEMORY_MIB)), source, server))
        return reports, server.container_count


def _neighbors(params: dict[str, Any]) -> Subject:
    return _subject({**params, "level": "shared"})


@pytest.mark.docker
@pytest.mark.recorded(subject_of=_neighbors)
@pytest.mark.slow
@pytest.mark.parametrize("program", NEIGHBORS, ids=lambda program: program.name)
def test_a_submission_reaches_none_before_it_and_disturbs_none_after_it(
    program: Program, tasks: dict[str, Task]
) -> None:
    (twin,) = (twin for twin in TWINS if twin.name == program.twin)
    reports, _ = in_a_row([program, program, twin], tasks)
    assert reports[2].verdict is Verdict.PASSED
    for report in reports[:2]:
        assert report.verdict in program.verdicts
        assert "REACHED" not in report.stdout, report.stdout[-1000:]
    assert all(report.isolation.startswith("shared container, separate users") for report in reports)


def _in_shared(params: dict[str, Any]) -> Subject:
    (program,) = (program for program in [*ATTACKS, *TWINS] if program.name == params["name"])
    return _subject({"program": program, "level": "shared"})


@pytest.mark.docker
@pytest.mark.recorded(subject_of=_in_shared)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "neighbor/twin_tidy",
        "neighbor/twin_closes_its_port",
        "neighbor/twin_starts_a_child",
        "distributed/twin_gathers",
        "distributed/twin_gathers_with_own_seed",
    ],
)
def test_honest_submissions_share_one_container(name: str, tasks: dict[str, Task]) -> None:
    twin = next(twin for twin in TWINS if twin.name == name)
    reports, count = in_a_row([twin] * 3, tasks)
    assert {report.verdict for report in reports} == {Verdict.PASSED}
    assert count == 1


@pytest.mark.docker
@pytest.mark.recorded(subject_of=_in_shared)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "neighbor/73_leaves_files",
        "neighbor/74_leaves_a_process",
        "neighbor/75_leaves_shared_memory",
        "neighbor/82_changes_the_streams",
        "neighbor/83_leaves_a_port_open",
        "neighbor/84_haunts_the_interpreters",
    ],
)
def test_where_nothing_is_removed_a_neighbor_is_reached(
    name: str, tasks: dict[str, Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    careless(monkeypatch)
    program = next(program for program in NEIGHBORS if program.name == name)
    reports, count = in_a_row([program, program], tasks)
    assert count == 1
    assert "REACHED" not in reports[0].stdout
    assert "REACHED" in reports[1].stdout


@pytest.mark.recorded(subject_of=_subject)
@pytest.mark.slow
@pytest.mark.parametrize("program", TWINS, ids=lambda program: program.name)
def test_an_honest_twin_passes(program: Program, level: str, field: Field) -> None:
    if why := withheld(program, level):
        pytest.skip(why)
    graded = field.graded(program)
    cases = graded.report.cases
    assert [(case.name, case.message) for case in cases if case.verdict is not Verdict.PASSED] == []
    assert graded.report.score == 1.0
    check(program, graded)


@pytest.mark.slow
@pytest.mark.parametrize("source", GENERATED.values(), ids=list(GENERATED))
def test_an_odd_source_is_not_loaded(source: str, row: Row, tasks: dict[str, Task]) -> None:
    with row.turn:
        report = grade(replace(tasks["gae"], limits=Limits(10, MEMORY_MIB)), source, OneCell(row))
    check_report(report)
    assert {case.verdict for case in report.cases} == {Verdict.NOT_LOADED}


def test_every_line_of_the_list_has_an_attack_and_enough_twins_are_honest() -> None:
    assert {attack.line for attack in ATTACKS} == set(range(1, LINES + 1))
    assert len(TWINS) >= 30
