"""The figures in docs/tasks.md are the measured ones, and the measurement still gives the same result."""

from __future__ import annotations

import json
import random
from multiprocessing import get_context
from pathlib import Path

import pytest

from graders.gate.coverage import count_uncovered
from graders.verdict import Verdict
from tasks.load import load_tasks
from tests.programs.measure import RESULTS, UNSEEN, Figures, Result, figures_of, grade_task, lines_of, read_labels

PAGE = (Path(__file__).parents[2] / "docs" / "tasks.md").read_text(encoding="utf-8")
TASKS_AGAIN = 2
PROGRAMS_MIN = 6


def recorded() -> list[Result]:
    """Return what --write stored."""
    programs = json.loads(RESULTS.read_text(encoding="utf-8"))["programs"]
    return [
        Result(**{**program, "names": tuple(program["names"]), "symptoms": tuple(program["symptoms"])})
        for program in programs
    ]


def test_every_measured_task_has_programs_and_every_wrong_one_a_label() -> None:
    """Newer tasks have no programs yet; the page says how many tasks have programs."""
    labels = read_labels()
    measured = [task for task in load_tasks() if (UNSEEN / task.id).is_dir()]
    assert {task.id for task in measured} == set(labels) == {folder.name for folder in UNSEEN.iterdir()}
    assert f"for each of {len(measured)} tasks" in PAGE
    for task in measured:
        sources = {path.stem: path.read_text(encoding="utf-8") for path in (UNSEEN / task.id).glob("*.py")}
        wrong = {name for name, source in sources.items() if source.startswith("# expect: wrong\n# mistake: ")}
        right = {name for name, source in sources.items() if source.startswith("# expect: right\n")}
        assert len(sources) >= PROGRAMS_MIN
        assert wrong | right == set(sources)
        assert set(labels[task.id]) == wrong
        assert {name for names in labels[task.id].values() for name in names} <= {m.id for m in task.mistakes}


def test_the_page_shows_what_was_measured() -> None:
    results = recorded()
    assert {(result.task, result.program) for result in results} == {
        (path.parent.name, path.stem) for path in UNSEEN.glob("*/*.py")
    }
    for line in lines_of(figures_of(results, read_labels())):
        assert line in PAGE
    uncovered = sum(count_uncovered(task) for task in load_tasks())
    assert f"sentences of the statements without a case: {uncovered}" in PAGE


@pytest.mark.content
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_what_was_measured_is_still_so() -> None:
    """If they differ, run python -m tests.programs.measure --write, and copy its figures to docs/tasks.md."""
    kept = {(result.task, result.program): result for result in recorded()}
    tasks = random.SystemRandom().sample(sorted({name for name, _ in kept}), TASKS_AGAIN)
    # Each program runs in a fork, and a fork of a process in which earlier tests left threads may never start.
    with get_context("spawn").Pool(1) as pool:
        for task in tasks:
            results = pool.apply(grade_task, (task,))
            # On a machine that stalls, a program may time out; in that case, all programs are run once more.
            if any(is_late(result) and not is_late(kept[result.task, result.program]) for result in results):
                results = pool.apply(grade_task, (task,))
            for result in results:
                assert result == kept[result.task, result.program]


def is_late(result: Result) -> bool:
    """Return whether the program ran out of time."""
    return result.verdict == Verdict.TIMED_OUT.value


def test_a_name_is_true_only_if_the_program_makes_all_that_is_named() -> None:
    def result(program: str, verdict: Verdict, names: tuple[str, ...] = (), symptoms: tuple[str, ...] = ()) -> Result:
        return Result("gae", program, program == "right", verdict.value, 0, 1, names, symptoms)

    results = [
        result("right", Verdict.PASSED),
        result("named", Verdict.WRONG_VALUE, ("a",)),
        result("half_named", Verdict.WRONG_VALUE, ("a", "b")),
        result("symptom", Verdict.WRONG_VALUE, (), ("All values are twice the expected.",)),
        result("nothing", Verdict.RAISED),
        result("accepted", Verdict.PASSED),
    ]
    labels = {"gae": {"named": ["a", "c"], "half_named": ["a"], "symptom": ["d"], "nothing": [], "accepted": ["e"]}}
    assert figures_of(results, labels) == Figures(
        *(1, 1),
        *(5, 4),
        named=2,
        named_truly=1,
        on_file=3,
        on_file_named=1,
        explained=2,
    )
