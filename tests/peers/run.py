"""Grades functions of public trainers on the tasks that they fit, and writes docs/peers.md."""

from __future__ import annotations

import argparse
import importlib
import sys
import textwrap
import tomllib
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import torch

from graders.grade import grade, prepare
from graders.plan import make_plan
from graders.verdict import Report, Verdict
from tasks.load import find_task
from tests.graders.build import ForkSandbox
from tests.peers import stubs

SEED = 1
WIDTH = 120
HERE = Path(__file__).parent
JUDGEMENTS = HERE / "judgements.toml"
INTRODUCTION = HERE / "introduction.md"
DOCUMENT = HERE.parents[1] / "docs" / "peers.md"
KINDS = {
    "same": "the same",
    "formula": "a different formula",
    "convention": "a convention",
    "corner": "a corner rule",
    "name": "the grader's name is wrong",
}


@dataclass(frozen=True)
class Row:
    """What the grader says about one function: unchanged, and with inputs as its own trainer would pass them."""

    adapter: Any
    cases: int
    as_called: Report
    cleaned: Report


def grade_adapter(adapter: Any) -> Row:
    """Return the row of one adapter, graded on the cases whose options its library supports."""
    task = find_task(adapter.task)
    plan = make_plan(task, SEED)
    cases = tuple(case for case in plan.cases if adapter.takes(case.args))
    names = {case.name for case in cases}
    runs = tuple(run for run in plan.runs if run.case.name in names and adapter.takes(run.args))
    prepared = prepare(replace(plan, cases=cases, runs=runs))
    sources = (
        f"from tests.peers.adapters import {adapter.name} as {task.entry}\n",
        f"from tests.peers.adapters import cleaned\n{task.entry} = cleaned({adapter.name!r})\n",
    )
    as_called, tidy = (grade(task, source, ForkSandbox(), prepared=prepared) for source in sources)
    return Row(adapter, len(plan.cases), as_called, tidy)


def read_judgements() -> dict[str, dict[str, Any]]:
    """Return, for each adapter, what a reader of both programs decided, and what a candidate can learn from it."""
    return tomllib.loads(JUDGEMENTS.read_text(encoding="utf-8"))


def verdict_of(report: Report) -> str:
    """Return the verdict and how many cases passed."""
    return f"{report.verdict.value} {report.passed_count}/{len(report.cases)}"


def said_of(row: Row) -> str:
    """Return the names and symptoms that the grader reported, those for cleaned inputs first."""
    said: dict[str, None] = {}
    for report in (row.cleaned, row.as_called):
        said |= dict.fromkeys(f"`{mistake.id}`" for mistake in report.mistakes)
        said |= dict.fromkeys(f"*{symptom.id}*" for symptom in report.symptoms)
    return ", ".join(said)


def document(rows: Sequence[Row], judgements: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of docs/peers.md."""
    yield INTRODUCTION.read_text(encoding="utf-8").rstrip()
    yield ""
    libraries = sorted({row.adapter.library for row in rows})
    versions = ", ".join(f"{library} {metadata.version(library)}" for library in libraries)
    yield f"Versions: {versions}. Cases: seed {SEED}."
    yield ""
    yield "## Verdicts"
    yield ""
    yield "| task | function | cases | as called | cleaned inputs | the grader said | deviation |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        adapter = row.adapter
        kinds = ", ".join(KINDS[kind] for kind in judgements[adapter.name]["deviation"])
        yield (
            f"| {adapter.task} | `{adapter.function}` | {len(row.as_called.cases)} of {row.cases} "
            f"| {verdict_of(row.as_called)} | {verdict_of(row.cleaned)} | {said_of(row)} | {kinds} |"
        )
    yield ""
    yield "## What to learn from each deviation"
    task = ""
    for row in rows:
        if row.adapter.task != task:
            task = row.adapter.task
            yield f"\n### {find_task(task).title}\n"
        judgement = judgements[row.adapter.name]
        sentences = " ".join(judgement[key] for key in ("learn", "wrong_name") if key in judgement)
        lesson = f"- `{row.adapter.function}`: {sentences}"
        yield textwrap.fill(lesson, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def stale(row: Row, judgement: dict[str, Any]) -> bool:
    """Return whether the verdict and the reader disagree about whether there is a deviation."""
    is_same = bool(judgement["deviation"] == ["same"])
    return (row.as_called.verdict is Verdict.PASSED) != is_same


def main(words: Sequence[str] | None = None) -> int:
    """Grade the adapters, print what the grader says, and write the document with --write."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers.run", description="Grade functions of trainers.")
    parser.add_argument("adapters", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true", help=f"write docs/{DOCUMENT.name}")
    choice = parser.parse_args(words)
    if choice.write and choice.adapters:
        parser.error("--write needs all adapters")
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    stubs.prepare()
    adapters = importlib.import_module("tests.peers.adapters").ADAPTERS
    judgements = read_judgements()
    rows = []
    for adapter in sorted(adapters.values(), key=lambda known: (known.task, known.library, known.name)):
        if choice.adapters and adapter.name not in choice.adapters:
            continue
        row = grade_adapter(adapter)
        rows.append(row)
        print_row(row, is_stale=stale(row, judgements[adapter.name]))
    if choice.write:
        DOCUMENT.write_text("\n".join(document(rows, judgements)) + "\n", encoding="utf-8")
    return int(any(stale(row, judgements[row.adapter.name]) for row in rows))


def print_row(row: Row, is_stale: bool) -> None:
    """Print the verdicts of one adapter, and each failing case with cleaned inputs."""
    verdicts = f"as called {verdict_of(row.as_called)}, cleaned inputs {verdict_of(row.cleaned)}"
    sys.stdout.write(f"{row.adapter.task} {row.adapter.name}: {verdicts} {said_of(row)}\n")
    for case in row.cleaned.cases:
        if case.verdict is not Verdict.PASSED:
            sys.stdout.write(f"    {case.name}: {case.verdict.value}: {case.message}\n")
    if is_stale:
        sys.stdout.write(f"    {JUDGEMENTS.name} says something else: judge this function again\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
