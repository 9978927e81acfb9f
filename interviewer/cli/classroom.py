"""Summarize a class: combine many exported logs into a single summary. The user's own log is never opened."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from interviewer.cli.files import files_in, why_not_plain, write_file
from interviewer.cli.options import AS_JSON, FILE, FOLDER, open_context
from interviewer.cli.output import echo, print_json, table
from interviewer.errors import OK, BadInput
from interviewer.interview.context import AppContext
from interviewer.log.errors import NotAnExport
from interviewer.log.reports.classroom import (
    Catalog,
    ClassSummary,
    Item,
    MistakeKey,
    MistakeStats,
    Person,
    TopicDepths,
    read_person,
    summarize_class,
)
from interviewer.log.reports.classroom_html import (
    DEPTH_MEANS,
    NUMBERED,
    Rows,
    class_page,
    counts_line,
    examiner_lines,
    mistake_line,
    people_rows,
    task_rows,
    topic_rows,
    unmet_areas,
    unmet_line,
)
from interviewer.sanitize import one_line
from tasks.task import TaskNames

EXPORT_BYTES_MAX = 2**28
SHOWN_MAX = 20
OFTEN_MAX = 10
_MORE = "--json and --html list them all"


@click.command("class")
@click.argument("folder", type=FOLDER)
@click.option("--html", type=FILE, metavar="FILE", help="Write a self-contained HTML page instead.")
@click.option("--names", "has_names", is_flag=True, help="Label people by file name instead of as person 1, person 2.")
@AS_JSON
def class_(folder: Path, html: Path | None, has_names: bool, as_json: bool) -> int:
    """Summarize a class. FOLDER contains one exported practice log (*.jsonl) per person.

    Shows depth by topic and examiner, tasks tried and passed, the most frequent mistakes and misconceptions, and what
    nobody has practiced. The summary never shows the text of an answer. People are numbered in the order of their
    files' hashes. Your own log is neither read nor changed. Unreadable files are listed on standard error and skipped.
    """
    files = files_in(folder, ".jsonl")
    with open_context() as context:
        catalogue = _catalogue(context)
    people, left_out = _read(files, catalogue.names)
    if not people:
        message = f"none of the {len(files)} files in {folder} can be read"
        raise BadInput(
            message, "Each file must be one person's log, exported with interviewer export FILE --format jsonl."
        )
    summary = summarize_class(people, left_out, catalogue)
    labels = [
        Path(person.file).stem if has_names else f"person {number}" for number, person in enumerate(summary.people, 1)
    ]
    if html:
        write_file(html, class_page(summary, labels, time.time()).encode("utf-8"))
    if as_json:
        print_json(class_object(summary, labels))
    else:
        echo(str(html) if html else "\n".join(class_lines(summary, labels)))
    return OK


def _read(files: list[Path], names: TaskNames) -> tuple[list[Person], int]:
    """Return one person's data for each readable file, and the number of unreadable files.

    Problems are printed on stderr.
    """
    people: dict[str, Person] = {}
    holder: dict[str, str] = {}
    left_out = 0
    for file in files:
        try:
            person = _person(file, names)
        except NotAnExport as error:
            left_out += 1
            _note(file, f"left out: {error.message}")
            continue
        if person.digest in people:
            _note(file, f"the same file as {people[person.digest].file}, counted once")
            continue
        people[person.digest] = person
        for other in sorted({holder[session] for session in person.sessions if session in holder}):
            _note(file, f"has sessions that are also in {other}; the files still count as two people")
        holder.update(dict.fromkeys(person.sessions, file.name))
        if person.unfollowed:
            _note(
                file,
                f"{person.unfollowed} of its sessions cannot be replayed under the current rules and are left out",
            )
    return list(people.values()), left_out


def _person(file: Path, names: TaskNames) -> Person:
    if why := why_not_plain(file):
        raise NotAnExport(why, "")
    try:
        with file.open("rb") as opened:
            data = opened.read(EXPORT_BYTES_MAX + 1)
    except OSError as error:
        raise NotAnExport(error.strerror or str(error), "") from None
    if len(data) > EXPORT_BYTES_MAX:
        raise NotAnExport(f"larger than {EXPORT_BYTES_MAX // 2**20} MiB", "")
    try:
        return read_person(file.name, data, names)
    except NotAnExport:
        raise
    except Exception as error:
        # A manually edited export can fail in unforeseen ways; the other files must still be read.
        raise NotAnExport(f"cannot be read ({type(error).__name__}: {error})", "") from None


def _note(file: Path, message: str) -> None:
    echo(one_line(f"{file.name}: {message}"), is_error=True)


def _catalogue(context: AppContext) -> Catalog:
    topics, areas, says = {}, {}, {}
    for question in context.questions:
        item = Item("question", question.id)
        topics[item], areas[item] = question.topics, question.area
        says.update({MistakeKey(item, belief.id): belief.says for belief in question.misconceptions})
    for task in context.full_tasks:
        item = Item("task", task.id)
        topics[item], areas[item] = task.topics, task.area
        says.update({MistakeKey(item, mistake.id): mistake.wrong for mistake in task.mistakes})
    return Catalog(topics, areas, says, context.task_names)


def class_lines(summary: ClassSummary, labels: Sequence[str]) -> Iterator[str]:
    """Yield the summary as text for a terminal; truncated lists are marked as truncated."""
    yield counts_line(summary)
    yield from _listed("Answers judged by", list(examiner_lines(summary)))
    yield from _rows("Depth by topic, lowest median first", topic_rows(summary), DEPTH_MEANS, SHOWN_MAX)
    yield from _rows("Tasks", task_rows(summary), "", len(summary.tasks))
    yield from _listed("Most frequent mistakes", [mistake_line(summary, mistake) for mistake in summary.mistakes])
    beliefs = [mistake_line(summary, belief) for belief in summary.misconceptions]
    yield from _listed("Most frequent misconceptions", beliefs)
    yield from _rows("People", people_rows(summary, labels), NUMBERED, len(labels))
    yield from ("", f"Not practiced by anyone: {unmet_line(summary)}")
    if areas := unmet_areas(summary):
        yield f"  whole areas: {', '.join(areas)}"
    if summary.unmet:
        yield f"  {_MORE}."


def _rows(heading: str, rows: Rows, note: str, most: int) -> Iterator[str]:
    if len(rows) > 1:
        yield from ("", f"{heading}:", *([note] if note else []), table(rows[: most + 1]))
        yield from _left(len(rows) - 1 - most)


def _listed(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"{heading}:", *(f"- {line}" for line in lines[:OFTEN_MAX]))
        yield from _left(len(lines) - OFTEN_MAX)


def _left(count: int) -> Iterator[str]:
    if count > 0:
        yield f"… and {count} more; {_MORE}."


def class_object(summary: ClassSummary, labels: Sequence[str]) -> dict[str, Any]:
    """Return the object for `class --json`; depths are in rungs, None if there is not enough evidence."""
    people = summary.people
    return {
        "people": len(people),
        "left_out": summary.left_out,
        "sessions": sum(person.session_count for person in people),
        "sessions_not_followed": sum(person.unfollowed for person in people),
        "answered": sum(person.answered for person in people),
        "submissions": summary.submissions,
        "persons": list(_persons(summary, labels)),
        "examiners": list(_examiners(summary)),
        "topics": list(_topics(summary)),
        "tasks": [vars(task) for task in summary.tasks],
        "mistakes": [
            {"task": mistake.key.of.id, "submissions": mistake.submissions, **_often(mistake)}
            for mistake in summary.mistakes
        ],
        "misconceptions": [
            {"question": belief.key.of.id, "heard_by": _printable_keys(belief.heard_by), **_often(belief)}
            for belief in summary.misconceptions
        ],
        "nobody_met": {
            "questions": [item.id for item in summary.unmet if item.kind == "question"],
            "tasks": [item.id for item in summary.unmet if item.kind == "task"],
            "topics": list(summary.unmet_topics),
        },
    }


def _persons(summary: ClassSummary, labels: Sequence[str]) -> Iterator[dict[str, Any]]:
    for label, person in zip(labels, summary.people, strict=True):
        yield {
            "person": one_line(label),
            "sessions": person.session_count,
            "answered": person.answered,
            "submissions": sum(tried.submissions for tried in person.tried.values()),
            "tried": len(person.tried),
            "passed": sum(tried.has_passed for tried in person.tried.values()),
        }


def _examiners(summary: ClassSummary) -> Iterator[dict[str, Any]]:
    for examiner in sorted({judge for person in summary.people for judge in person.judged}):
        judged = [person for person in summary.people if examiner in person.judged]
        yield {
            "examiner": one_line(examiner),
            "people": len(judged),
            "answers": sum(person.judged[examiner] for person in judged),
            "calibrated_for": sum(examiner in person.calibrated for person in judged),
        }


def _topics(summary: ClassSummary) -> Iterator[dict[str, Any]]:
    by_topic: dict[str, list[TopicDepths]] = {}
    for depths in summary.topics:
        by_topic.setdefault(depths.topic, []).append(depths)
    for topic, several in by_topic.items():
        by_examiner = [
            {
                "examiner": one_line(depths.examiner),
                "people": depths.people,
                "unclear": depths.unclear_count,
                "median": None if depths.median is None else round(depths.median, 2),
                "lowest": round(depths.depths[0], 2) if depths.depths else None,
            }
            for depths in several
        ]
        yield {"topic": one_line(topic), "people": summary.people_by_topic[topic], "by_examiner": by_examiner}


def _often(often: MistakeStats) -> dict[str, Any]:
    return {"id": one_line(often.key.id), "says": one_line(often.says), "people": often.people}


def _printable_keys(counts: Mapping[str, int]) -> dict[str, int]:
    return {one_line(name): count for name, count in counts.items()}
