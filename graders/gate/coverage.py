"""Lists, for each sentence of a statement, the case that fails if only that sentence is violated, or why no case does.

A task's coverage.toml lists the sentences in the statement's order. If an entry names mistakes, the gate proves that
each of these mistakes fails exactly the cases in its `caught_by`. If an entry names cases, those cases must exist. The
statement's example and introductory story are not listed.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.errors import TaskError
from tasks.fields import Fields
from tasks.load import find_task, load_tasks
from tasks.task import Task

FILE = "coverage.toml"
LEFT_OUT = ("Example",)
_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+|\|")
_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z`\[(*\"])")


def plain_words(text: str) -> str:
    """Collapse a text to one line with single spaces."""
    return " ".join(text.split())


@dataclass(frozen=True)
class Covered:
    """One entry of coverage.toml: how the cases cover one sentence of the statement, or why no case can fail.

    `broken_by` lists the known mistakes that violate only this sentence, and `cases` lists other cases that fail if it
    is violated. `not_graded` is the reason why no case can fail.
    """

    begins: str
    broken_by: tuple[str, ...]
    cases: tuple[str, ...]
    not_graded: str


def sentences_of(statement: str) -> list[str]:
    """Return the sentences below a statement's headings, excluding its example, one per line.

    A table row counts as a sentence; a code block does not.
    """
    sections = re.split(r"^## (.*)$", _BLOCK.sub("", statement), flags=re.MULTILINE)
    bodies = [body for title, body in zip(sections[1::2], sections[2::2], strict=True) if title not in LEFT_OUT]
    return [sentence for body in bodies for unit in _units(body) for sentence in _split(unit)]


def _split(unit: str) -> Iterator[str]:
    """Yield the sentences of a unit; a single leading word, such as "`loss`.", is joined to the next sentence."""
    head = ""
    for sentence in _END.split(unit):
        if " " not in sentence and not head:
            head = f"{sentence} "
            continue
        yield head + sentence
        head = ""
    if head:
        yield head.strip()


def _units(body: str) -> Iterator[str]:
    """Yield paragraphs, list items and table rows as single lines."""
    lines: list[str] = []
    for line in (*body.splitlines(), ""):
        if lines and (not line.strip() or _ITEM.match(line)):
            yield plain_words(" ".join(lines))
            lines = []
        if line.strip() and not re.fullmatch(r"[|\s:-]+", line):
            marker = None if lines or line.startswith("|") else _ITEM.match(line)
            lines.append(line[marker.end() :] if marker else line)


def read_coverage(task: Task) -> list[Covered] | None:
    """Return the declarations in coverage.toml; None if the task has no such file. Raises: TaskError if invalid."""
    path = task.folder / FILE
    if not path.exists():
        return None
    try:
        fields = Fields(FILE, tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TaskError(f"{path}: {error}") from None
    mistakes = [mistake.id for mistake in task.mistakes]
    declared = []
    for table in fields.tables("sentence"):
        covered = Covered(
            begins=plain_words(table.text("begins")),
            broken_by=table.texts("broken_by", mistakes, is_optional=True),
            cases=table.texts("cases", task.case_names, is_optional=True),
            not_graded=table.text("not_graded", is_optional=True),
        )
        table.reject_unknown_keys()
        if bool(covered.not_graded) == bool(covered.broken_by or covered.cases):
            raise TaskError(f"{table.place}: expected broken_by, cases, or not_graded with a reason")
        declared.append(covered)
    fields.reject_unknown_keys()
    return declared


def match_sentences(task: Task) -> list[tuple[str, list[Covered]]]:
    """Return each sentence of the statement with the coverage.toml entries that match its start. Raises: TaskError."""
    declared = read_coverage(task) or []
    return [
        (sentence, [covered for covered in declared if sentence.startswith(covered.begins)])
        for sentence in sentences_of(task.statement)
    ]


def find_coverage_problems(task: Task) -> Iterator[str]:
    """Yield the sentences missing from coverage.toml, and its entries that match no sentence.

    Raises: TaskError. Yields nothing for a task without coverage.toml.
    """
    declared = read_coverage(task)
    if declared is None:
        return
    matches = match_sentences(task)
    for sentence, entries in matches:
        if len(entries) != 1:
            yield f"{FILE}: {len(entries)} entries begin the sentence {sentence[:60]!r}; expected 1"
    for covered in declared:
        if not any(covered in entries for _, entries in matches):
            yield f"{FILE}: {covered.begins!r} starts no sentence of the statement; copy a sentence's first words"


def count_uncovered(task: Task) -> int:
    """Return the number of the statement's sentences that no entry in coverage.toml matches."""
    return sum(not entries for _, entries in match_sentences(task))


def coverage_table(task: Task) -> str:
    """Return one line per sentence: the cases that fail if it is violated, or why it is not graded."""
    caught_by = {mistake.id: mistake.caught_by for mistake in task.mistakes}
    lines = [f"{task.area}/{task.id}"]
    for sentence, entries in match_sentences(task):
        if not entries:
            said = "NO CASE"
        elif entries[0].not_graded:
            said = f"not graded: {entries[0].not_graded}"
        else:
            failing = [case for mistake in entries[0].broken_by for case in caught_by[mistake]]
            said = ", ".join(dict.fromkeys((*failing, *entries[0].cases)))
        lines += [f"  {sentence}", f"      {said}"]
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> int:
    """Print which cases cover each sentence of the statements, for the named tasks or for all tasks.

    Return 1 if any sentence matches no entry in coverage.toml.
    """
    parser = argparse.ArgumentParser(
        prog="python -m graders.gate.coverage",
        description="List the sentences of a statement with the cases that cover them.",
    )
    parser.add_argument("tasks", nargs="*", metavar="ID")
    chosen = parser.parse_args(words).tasks
    tasks = [find_task(name) for name in chosen] if chosen else load_tasks()
    for task in tasks:
        sys.stdout.write(coverage_table(task) + "\n")
    uncovered = sum(count_uncovered(task) for task in tasks)
    sys.stdout.write(f"{uncovered} sentences without a case\n")
    return 1 if uncovered else 0


if __name__ == "__main__":
    sys.exit(main())
