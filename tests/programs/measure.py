"""Grades programs that nobody prepared for, and counts how often the grader's statements about them are true.

Each program under unseen/ was written from a task's statement alone, by someone who knew neither the reference nor the
known mistakes. Its first lines say whether it is right, or in which way it is wrong. labels.toml lists, for each wrong
one, the mistakes on file that it makes; a reader who had not seen what the grader says of it decided so. No
mistake or symptom may be changed because of one of these programs, because the measurement would lose its meaning. A
program for which a case was added becomes a known mistake and is no longer counted; docs/tasks.md says so.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import torch

from graders.errors import GradingError
from graders.grade import grade, prepare
from graders.plan import make_plan
from graders.verdict import Verdict
from tasks.load import find_task
from tests.graders.build import ForkSandbox

UNSEEN = Path(__file__).parent / "unseen"
LABELS = Path(__file__).parent / "labels.toml"
RESULTS = Path(__file__).parent / "results.json"
SEED = 1
RIGHT = "# expect: right"


@dataclass(frozen=True)
class Result:
    """What the grader said about one program: its verdict, the mistakes that it named, and the symptoms."""

    task: str
    program: str
    is_right: bool
    verdict: str
    passed: int
    cases: int
    names: tuple[str, ...] = ()
    symptoms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figures:
    """The counts that docs/tasks.md shows."""

    right: int
    right_accepted: int
    wrong: int
    wrong_refused: int
    named: int
    named_truly: int
    on_file: int
    on_file_named: int
    explained: int


def grade_task(task_id: str) -> list[Result]:
    """Return what the grader says about the programs for one task, all with one seed."""
    torch.set_num_threads(1)
    task = find_task(task_id)
    prepared = prepare(make_plan(task, SEED))
    results = []
    for path in sorted((UNSEEN / task_id).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        try:
            report = grade(task, source, ForkSandbox(), prepared=prepared)
        except GradingError as error:
            results.append(Result(task_id, path.stem, source.startswith(RIGHT), f"error: {error}", 0, 0))
            continue
        names = tuple(mistake.id for mistake in report.mistakes)
        said = tuple(symptom.says for symptom in report.symptoms)
        results.append(
            Result(
                *(
                    task_id,
                    path.stem,
                    source.startswith(RIGHT),
                    report.verdict.value,
                    report.passed_count,
                    len(report.cases),
                ),
                *(names, said),
            )
        )
    return results


def read_labels() -> dict[str, dict[str, list[str]]]:
    """Return, for each task and wrong program, the ids of the known mistakes that it makes."""
    return tomllib.loads(LABELS.read_text(encoding="utf-8"))


def figures_of(results: Sequence[Result], labels: dict[str, dict[str, list[str]]]) -> Figures:
    """Return the counts. A name is true if the program makes that mistake; of two names, both must be true."""
    right = [result for result in results if result.is_right]
    refused = [result for result in results if not result.is_right and result.verdict != Verdict.PASSED]
    named = [result for result in refused if result.names]
    true = [result for result in named if set(result.names) <= set(labels[result.task][result.program])]
    on_file = [result for result in refused if labels[result.task][result.program]]
    return Figures(
        right=len(right),
        right_accepted=sum(result.verdict == Verdict.PASSED for result in right),
        wrong=len(results) - len(right),
        wrong_refused=len(refused),
        named=len(named),
        named_truly=len(true),
        on_file=len(on_file),
        on_file_named=sum(result in true for result in on_file),
        explained=len(true) + sum(bool(result.symptoms) and not result.names for result in refused),
    )


def lines_of(figures: Figures) -> Iterator[str]:
    """Yield the figures as lines to read."""
    yield f"right programs accepted: {figures.right_accepted} of {figures.right}"
    yield f"wrong programs refused: {figures.wrong_refused} of {figures.wrong}"
    yield f"naming precision: {figures.named_truly} of {figures.named} names are true"
    yield f"naming recall: {figures.on_file_named} of {figures.on_file} refused programs whose mistake is on file"
    yield f"refused programs with a true name or a symptom: {figures.explained} of {figures.wrong_refused}"


def main(words: Sequence[str] | None = None) -> int:
    """Grade the programs, print each misjudged program and the figures, and write them with --write."""
    parser = argparse.ArgumentParser(prog="python -m tests.programs.measure", description="Grade unseen programs.")
    parser.add_argument("tasks", nargs="*", metavar="ID")
    parser.add_argument("--write", action="store_true", help=f"keep what was said in {RESULTS.name}")
    choice = parser.parse_args(words)
    tasks = choice.tasks or sorted(folder.name for folder in UNSEEN.iterdir() if folder.is_dir())
    labels = read_labels()
    results: list[Result] = []
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for task_results in pool.imap(grade_task, tasks):
            results += task_results
            for result in task_results:
                is_judged_right = (result.verdict == Verdict.PASSED) == result.is_right
                if not is_judged_right:
                    sys.stdout.write(f"{result.task}/{result.program}: {result.verdict}, {result.passed} passed\n")
                elif not set(result.names) <= set(labels.get(result.task, {}).get(result.program, [])):
                    sys.stdout.write(f"{result.task}/{result.program}: named {', '.join(result.names)}\n")
    figures = figures_of(results, labels)
    sys.stdout.write("\n".join(lines_of(figures)) + "\n")
    if choice.write:
        kept = {"figures": asdict(figures), "programs": [asdict(result) for result in results]}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
