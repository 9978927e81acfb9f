"""What `questions`, `tasks`, `log` and `judge` print: the contract's JSON objects and their plain-text twins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graders.gate.mutate import mutants
from interviewer.bank.parse import Draft
from interviewer.log.store import SessionRow
from interviewer.session.assessment import Assessment, score
from interviewer.session.codec import to_plain
from interviewer.session.move import Move
from interviewer.session.policy import decide
from interviewer.session.question import Question
from interviewer.session.scoring import absorb
from interviewer.session.state import Drill
from tasks.task import Task


def question_json(question: Question) -> dict[str, Any]:
    """Return what `questions --json` says of one question; points, rungs, probes and misconceptions are counts."""
    return {
        "id": question.id,
        "area": question.area,
        "level": question.level,
        "topics": list(question.topics),
        "seeds": list(question.seeds),
        "points": len(question.points),
        "rungs": len(question.rungs),
        "probes": len(question.probes),
        "misconceptions": len(question.misconceptions),
        "sources": list(question.source),
        "draft": isinstance(question, Draft),
    }


def task_json(task: Task) -> dict[str, Any]:
    """Return what `tasks --json` says of one task; cases and mistakes are counts."""
    return {
        "id": task.id,
        "title": task.title,
        "kind": task.kind,
        "area": task.area,
        "level": task.level,
        "minutes": task.minutes,
        "devices": list(task.devices),
        "topics": list(task.topics),
        "seeds": list(task.seeds),
        "entry": task.entry,
        "signature": task.signature,
        "cases": len(task.case_names),
        "mistakes": len(task.mistakes),
    }


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows as text columns, each as wide as its widest cell."""
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def question_rows(questions: Sequence[Question]) -> list[list[str]]:
    """Return a line for each question: id, area, level (or that it is a draft), topics."""
    return [[one.id, one.area, _level(one), ", ".join(one.topics)] for one in questions]


def _level(question: Question) -> str:
    if isinstance(question, Draft):
        return "draft" if question.points else "draft, no points yet"
    return f"level {question.level}"


def task_rows(tasks: Sequence[Task]) -> list[list[str]]:
    """Return a line for each task: id, kind, level, minutes, title."""
    return [[one.id, one.kind, f"level {one.level}", f"{one.minutes} min", one.title] for one in tasks]


def task_markdown(tasks: Sequence[Task]) -> str:
    """Return the README's table of tasks with what the gate proves of each.

    Assumes: the gate is green, so every mutant that is not listed as equivalent is caught.
    """
    lines = [
        "| task | kind | level | minutes | what it is | cases | mistakes named | mutants caught |",
        "|---|---|---|---|---|---|---|---|",
    ]
    caught = {task.id: sum(1 for _ in mutants(task.reference)) - len(task.equivalents) for task in tasks}
    lines += [
        f"| `{task.id}` | {task.kind} | {task.level} | {task.minutes} | {task.title} | {len(task.case_names)} |"
        f" {len(task.mistakes)} | {caught[task.id]} |"
        for task in tasks
    ]
    mistakes, equivalent = sum(len(task.mistakes) for task in tasks), sum(len(task.equivalents) for task in tasks)
    lines += [
        "",
        f"{len(tasks)} tasks. Each of the {mistakes} mistakes on file fails exactly the cases it names, on 20 seeds.",
        f"Of {sum(caught.values()) + equivalent} small wrong changes that are made to the references automatically,"
        f" {sum(caught.values())} are caught; the other {equivalent} are listed as equivalent, each with its reason.",
        "`make content` proves it and prints the kill matrix.",
    ]
    return "\n".join(lines)


def session_json(line: SessionRow) -> dict[str, Any]:
    """Return what `log --json` says of one session; times are seconds since 1970."""
    return {
        "id": line.id,
        "started_at": line.started_at,
        "ended_at": line.ended_at,
        "examiner": line.examiner,
        "parts": line.parts.split(", "),
    }


def question_text(question: Question) -> str:
    """Return a question as an interviewer or author reads it, with rungs and answers."""
    lines = [f"{question.id} ({question.area}, {_level(question)}; {', '.join(question.topics)})", ""]
    lines += [question.prompt, "", "Points:"]
    lines += [f"  {point.id}: {point.says}" for point in question.points]
    for number, rung in enumerate(question.rungs, 1):
        lines += ["", f"Rung {number}: {rung.ask}", f"  {rung.answer}", f"  wants: {', '.join(rung.points)}"]
    lines += ["", "Misconceptions:"]
    lines += [f"  {one.id}: {one.says} Asked then: {one.ask}" for one in question.misconceptions]
    seeds = ", ".join(question.seeds) or "none"
    return "\n".join([*lines, "", f"Seeds: {seeds}", f"Sources: {'; '.join(question.source)}"])


def judged_json(
    question: Question, asked: Move, answer: str, assessment: Assessment, *, is_calibrated: bool
) -> dict[str, Any]:
    """Return what `judge --json` says: states with quotes, the score that code computed, and the move that follows."""
    wanted = question.rungs[asked.rung - 1].points if asked.rung else tuple(point.id for point in question.points)
    drill = absorb(question, Drill(question.id, rung=asked.rung), asked, answer, assessment)
    move = decide(question, drill, asked).move
    return {
        "question": question.id,
        "rung": asked.rung,
        "examiner": assessment.judge,
        "calibrated": is_calibrated,
        "graded": assessment.is_graded,
        "score": score(assessment, wanted),
        "points": [to_plain(point) for point in assessment.points],
        "misconceptions": [belief.id for belief in assessment.misconceptions],
        "flags": list(assessment.flags),
        "why_not": assessment.why_not,
        "move": move.kind.value if move else "next",
        "next": move.text if move else "",
    }
