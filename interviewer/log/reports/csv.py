"""Exports the log as CSV that is safe to open in a spreadsheet: one row per question asked or submission graded."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, LoggedDrill
from interviewer.sanitize import printable
from interviewer.session.results import (
    improvised_questions,
    judges,
    missed_points,
    model_sentence,
    practice_items,
    question_result,
    questions_after_pass,
)
from interviewer.session.state import Session

COLUMNS = (
    "at_utc",
    "id",
    "origin",
    "kind",
    "name",
    "topics",
    "depth",
    "depth_low",
    "depth_high",
    "rungs",
    "broke_at",
    "verdict",
    "score",
    "own_share",
    "observer_marked",
    "hints",
    "wall_seconds",
    "judged_by",
    "seed",
    "last_words",
    "result",
    "missed",
    "judges",
    "improvised",
    "practice_next",
)
WORDS_MAX = 500
# A spreadsheet evaluates a cell that starts with one of these as a formula; a leading apostrophe makes it text.
_RUNS = ("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠")


def csv_text(history: History) -> str:
    """Return the whole log as CSV with a header row and the earliest entries first."""
    topics, hidden = history.topics_of_task(), history.tasks_with_hidden_topics()
    rows = [(past.at, _drill_row(past)) for past in history.drills()]
    asked = {
        f"{session.id}-{task}": " ".join(said).strip()
        for session in history.sessions
        for task, said in questions_after_pass(session).items()
    }
    for attempt in history.attempts():
        row = _attempt_row(attempt, () if attempt.task in hidden else topics.get(attempt.task, ()))
        if attempt.report.verdict is Verdict.PASSED and attempt.origin == "interview":
            row["improvised"] = asked.get(attempt.id.rpartition("-")[0], "")
        rows.append((attempt.at, row))
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for _, row in sorted(rows, key=lambda timed: (timed[0], timed[1]["id"])):
        writer.writerow({name: safe_cell(value) for name, value in row.items()})
    return out.getvalue()


def safe_cell(text: str) -> str:
    """Return the text without control characters, prefixed with an apostrophe if it looks like a formula."""
    # Check after cleaning: a leading control character would hide the "=" from this check, but not from a spreadsheet.
    cell = printable(text)
    return f"'{cell}" if cell.lstrip(" ").startswith(_RUNS) else cell


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _drill_row(past: LoggedDrill) -> dict[str, str]:
    drill, depth = past.drill, past.depth
    question, session = past.question, past.session
    own = past.own_share(tuple(point.id for point in question.points))
    beyond = [
        f"{text} {reply}".strip()
        for part, text, reply in improvised_questions(session)
        if session.plan.parts[part].id == question.id
    ]
    return {
        "at_utc": _when(past.at),
        "id": past.session.id,
        "origin": "interview",
        "kind": "question",
        "name": past.question.id,
        "topics": " ".join(past.question.topics),
        "depth": f"{depth.mean:.2f}" if depth else "",
        "depth_low": f"{depth.low:.2f}" if depth else "",
        "depth_high": f"{depth.high:.2f}" if depth else "",
        "rungs": str(len(past.question.rungs)),
        "broke_at": str(drill.broke_at or ""),
        "own_share": "" if own is None else f"{own:.2f}",
        "observer_marked": " ".join(f"{mark.point}={mark.state.value}" for mark in past.observed.values()),
        "hints": str(len(drill.hints)),
        "judged_by": drill.answers[-1].assessment.judge if drill.answers else "",
        "seed": str(past.session.seed),
        "last_words": drill.answers[-1].text[:WORDS_MAX] if drill.answers else "",
        "result": question_result(session, drill),
        "missed": " ".join(model_sentence(question.point(point)).says for point in missed_points(question, drill)),
        "judges": "; ".join(judges(session, [drill])),
        "improvised": " ".join(beyond),
        "practice_next": _practice_next(session, question.id),
    }


def _practice_next(session: Session, part: str) -> str:
    """Return the debrief's line about practicing this question or task next; "" if there is none."""
    items = [item for item in practice_items([session]) if item.id == part]
    return f"{items[0].says} ({items[0].start_command})" if items else ""


def _attempt_row(attempt: LoggedAttempt, topics: tuple[str, ...]) -> dict[str, str]:
    seconds = attempt.wall_seconds
    return {
        "at_utc": _when(attempt.at),
        "id": attempt.id,
        "origin": attempt.origin,
        "kind": "task",
        "name": attempt.task,
        "topics": " ".join(topics),
        "verdict": attempt.report.verdict.value,
        "score": f"{attempt.report.score:.3f}",
        "hints": str(attempt.hints),
        "wall_seconds": "" if seconds is None else f"{seconds:.0f}",
        "judged_by": attempt.report.sandbox,
        "seed": str(attempt.report.seed),
    }
