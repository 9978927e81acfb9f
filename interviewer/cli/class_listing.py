"""How the summary of a class is printed: one JSON object, and its twin as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interviewer.cli.listing import table
from interviewer.log.reports.classroom import ClassSummary, MistakeStats, TopicDepths
from interviewer.log.reports.classroom_html import (
    DEPTH_MEANS,
    NUMBERED,
    Rows,
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

SHOWN_MAX = 20
OFTEN_MAX = 10
_MORE = "--json and --html have all of it"


def class_lines(summary: ClassSummary, labels: Sequence[str]) -> Iterator[str]:
    """Yield the summary as text for a terminal; long lists are cut, and say so."""
    yield counts_line(summary)
    yield from _listed("Answers judged by", list(examiner_lines(summary)))
    yield from _rows("Depth by topic, lowest median first", topic_rows(summary), DEPTH_MEANS, SHOWN_MAX)
    yield from _rows("Tasks", task_rows(summary), "", len(summary.tasks))
    yield from _listed("Mistakes made most often", [mistake_line(one) for one in summary.mistakes])
    yield from _listed("Misconceptions held most often", [mistake_line(one) for one in summary.misconceptions])
    yield from _rows("People", people_rows(summary, labels), NUMBERED, len(labels))
    yield from ("", f"Met by nobody: {unmet_line(summary)}")
    if areas := unmet_areas(summary):
        yield f"  whole areas: {', '.join(areas)}"
    if summary.unmet:
        yield f"  {_MORE}."


def _rows(heading: str, rows: Rows, said: str, most: int) -> Iterator[str]:
    if len(rows) > 1:
        yield from ("", f"{heading}:", *([said] if said else []), table(rows[: most + 1]))
        yield from _left(len(rows) - 1 - most)


def _listed(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"{heading}:", *(f"- {line}" for line in lines[:OFTEN_MAX]))
        yield from _left(len(lines) - OFTEN_MAX)


def _left(count: int) -> Iterator[str]:
    if count > 0:
        yield f"… and {count} more; {_MORE}."


def class_object(summary: ClassSummary, labels: Sequence[str]) -> dict[str, Any]:
    """Return what `class --json` says; depths are in rungs, None where too little was heard."""
    people = summary.people
    return {
        "people": len(people),
        "left_out": summary.left_out,
        "sessions": sum(len(one.sessions) for one in people),
        "sessions_not_followed": sum(one.unfollowed for one in people),
        "answered": sum(one.answered for one in people),
        "submissions": summary.submissions,
        "persons": list(_persons(summary, labels)),
        "examiners": list(_examiners(summary)),
        "topics": list(_topics(summary)),
        "tasks": [vars(one) for one in summary.tasks],
        "mistakes": [
            {"task": one.slip.of.id, "submissions": one.submissions, **_often(one)} for one in summary.mistakes
        ],
        "misconceptions": [
            {"question": one.slip.of.id, "heard_by": _printable_keys(one.heard_by), **_often(one)}
            for one in summary.misconceptions
        ],
        "nobody_met": {
            "questions": [item.id for item in summary.unmet if item.kind == "question"],
            "tasks": [item.id for item in summary.unmet if item.kind == "task"],
            "topics": list(summary.unmet_topics),
        },
    }


def _persons(summary: ClassSummary, labels: Sequence[str]) -> Iterator[dict[str, Any]]:
    for label, one in zip(labels, summary.people, strict=True):
        yield {
            "person": one_line(label),
            "sessions": len(one.sessions),
            "answered": one.answered,
            "submissions": sum(tried.submissions for tried in one.tried.values()),
            "tried": len(one.tried),
            "passed": sum(tried.has_passed for tried in one.tried.values()),
        }


def _examiners(summary: ClassSummary) -> Iterator[dict[str, Any]]:
    for examiner in sorted({judge for one in summary.people for judge in one.judged}):
        judged = [one for one in summary.people if examiner in one.judged]
        yield {
            "examiner": one_line(examiner),
            "people": len(judged),
            "answers": sum(one.judged[examiner] for one in judged),
            "calibrated_for": sum(examiner in one.calibrated for one in judged),
        }


def _topics(summary: ClassSummary) -> Iterator[dict[str, Any]]:
    by_topic: dict[str, list[TopicDepths]] = {}
    for one in summary.topics:
        by_topic.setdefault(one.topic, []).append(one)
    for topic, found in by_topic.items():
        by_examiner = [
            {
                "examiner": one_line(one.examiner),
                "people": one.people,
                "unclear": one.unclear_count,
                "median": None if one.median is None else round(one.median, 2),
                "lowest": round(one.depths[0], 2) if one.depths else None,
            }
            for one in found
        ]
        yield {"topic": one_line(topic), "people": summary.people_by_topic[topic], "by_examiner": by_examiner}


def _often(one: MistakeStats) -> dict[str, Any]:
    return {"id": one_line(one.slip.id), "says": one_line(one.says), "people": one.people}


def _printable_keys(found: Any) -> dict[str, int]:
    return {one_line(name): count for name, count in found.items()}
