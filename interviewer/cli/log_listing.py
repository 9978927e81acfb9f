"""How the looks at the practice log are printed: JSON objects, and their twins as plain text."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from interviewer.cli.listing import session_json
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, LoggedDrill, attempts_of, drills_of
from interviewer.log.reports.overview import agreement_lines, due_text, duration_text, session_results
from interviewer.log.reports.text_plots import topic_lines
from interviewer.log.schedule import DueItem
from interviewer.log.search import SearchMatch
from interviewer.log.store import SessionRow
from interviewer.log.trends import Agreement, AttemptComparison, TopicTrend, best_seconds
from interviewer.session.phrases import counted
from interviewer.session.state import Session


def local_time(at: float) -> str:
    """Return a time as people here write it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def session_objects(lines: Sequence[SessionRow], history: History) -> list[dict[str, Any]]:
    """Return what `log --json` says of each session; minutes and results are missing where it cannot be read."""
    read = {session.id: session for session in history.sessions}
    return [{**session_json(line), **(_results(read[line.id]) if line.id in read else {})} for line in lines]


def _results(session: Session) -> dict[str, Any]:
    questions = [_drill_object(past) for past in drills_of(session)]
    tasks = [attempt_object(one) for one in attempts_of(session)]
    return {"minutes": round(session.elapsed_seconds / 60, 1), "questions": questions, "attempts": tasks}


def _drill_object(past: LoggedDrill) -> dict[str, Any]:
    depth = past.depth
    return {
        "question": past.question.id,
        "depth": round(depth.mean, 2) if depth else None,
        "low": round(depth.low, 2) if depth else None,
        "high": round(depth.high, 2) if depth else None,
        "rungs": len(past.question.rungs),
        "broke_at": past.drill.broke_at,
        "own_share": past.own_share(tuple(point.id for point in past.question.points)),
    }


def session_rows(lines: Sequence[SessionRow], history: History) -> list[list[str]]:
    """Return a line for each session: id, when, minutes, state, examiner, and what came of each part."""
    read = {session.id: session for session in history.sessions}
    return [
        [
            line.id,
            local_time(line.started_at),
            f"{read[line.id].elapsed_seconds / 60:.0f} min" if line.id in read else "?",
            "finished" if line.ended_at else "open",
            line.examiner,
            session_results(read[line.id]) if line.id in read else f"cannot be read: {line.parts}",
        ]
        for line in lines
    ]


def found_rows(places: Sequence[SearchMatch]) -> list[list[str]]:
    """Return a line for each place found: session, when, part, who, the words around it."""
    return [[one.where, local_time(one.at), one.part, one.kind, one.excerpt] for one in places]


def attempt_object(attempt: LoggedAttempt) -> dict[str, Any]:
    """Return one attempt without its source."""
    report = attempt.report
    return {
        "id": attempt.id,
        "at": attempt.at,
        "task": attempt.task,
        "origin": attempt.origin,
        "verdict": report.verdict.value,
        "score": report.score,
        "seed": report.seed,
        "device": report.device,
        "isolation": report.isolation,
        "wall_seconds": attempt.wall_seconds,
        "hints": attempt.hints,
        "mistakes": [mistake.id for mistake in report.mistakes],
    }


def attempt_rows(attempts: Sequence[LoggedAttempt]) -> list[list[str]]:
    """Return a line for each attempt, with the number that --compare takes."""
    rows = [
        [
            str(number),
            local_time(one.at),
            one.origin,
            one.report.verdict.value,
            f"score {one.report.score:.2f}",
            duration_text(one.wall_seconds),
            counted(one.hints, "hint"),
            f"seed {one.report.seed}",
        ]
        for number, one in enumerate(attempts, 1)
    ]
    best = best_seconds(attempts)
    return rows + ([["", "", "best time", duration_text(best), "", "", "", ""]] if best is not None else [])


def comparison_object(compared: AttemptComparison) -> dict[str, Any]:
    """Return two attempts, their unified diff, and the cases whose verdict changed."""
    changed = [
        {"case": name, "before": before and before.value, "after": after and after.value}
        for name, before, after in compared.verdicts
    ]
    both = {"before": attempt_object(compared.before), "after": attempt_object(compared.after)}
    return {**both, "diff": compared.diff, "cases": changed}


def comparison_text(compared: AttemptComparison) -> str:
    """Return the same for people."""
    lines = []
    for name, one in (("before", compared.before), ("after ", compared.after)):
        lines.append(
            f"{name}: {one.id}, {local_time(one.at)}: {one.report.verdict.value}, score {one.report.score:.2f}"
        )
        lines += [f"        mistake {mistake.id}: {mistake.wrong}" for mistake in one.report.mistakes]
    changed = [
        f"  {name}: {before.value if before else 'not there'} → {after.value if after else 'not there'}"
        for name, before, after in compared.verdicts
    ]
    return "\n".join([*lines, "", *(changed or ["  no case changed its verdict"]), "", compared.diff or "(same code)"])


def trends_object(topics: Sequence[TopicTrend], found: Agreement) -> dict[str, Any]:
    """Return depth and verdicts by topic over time, and the agreement of own marks with the machine's."""
    by_topic = [
        {
            "topic": topic.name,
            "depths": [{"at": past.at, **_drill_object(past)} for past in topic.drills],
            "attempts": [
                {"at": one.at, "task": one.task, "verdict": one.report.verdict.value} for one in topic.attempts
            ],
            "rungs": {str(rung): {"held": held, "judged": judged} for rung, (held, judged) in topic.rungs.items()},
        }
        for topic in topics
    ]
    cells = [
        {"machine": machine.value, "own": own.value, "points": count} for (machine, own), count in found.table.items()
    ]
    why = {"why_no_kappa": found.why_no_kappa} if found.kappa is None else {}
    return {"topics": by_topic, "own_marks": {"points": found.points, "cells": cells, "kappa": found.kappa, **why}}


def trend_lines(topics: Sequence[TopicTrend], found: Agreement) -> Iterator[str]:
    """Yield the same for people; nothing when nothing was practised."""
    yield from topic_lines(topics)
    if found.points:
        yield from ("", "Your own marks against the machine's:", "", *agreement_lines(found))


def review_object(
    today: Sequence[DueItem], now: float, due_count: int, card_count: int, next_at: float | None
) -> dict[str, Any]:
    """Return what `review --json` says; times are seconds since 1970, `own_share` stands beside the rating."""
    entries = [
        {
            "kind": one.kind,
            "id": one.id,
            "rungs": list(one.rungs),
            "due_at": one.due_at,
            "overdue_days": round(max(0.0, one.overdue_days(now)), 2),
            "last": {"at": one.last.at, "rating": one.last.rating.value, "why": one.last.why},
            "own_share": one.last.own,
            "start": one.start,
        }
        for one in today
    ]
    return {"now": now, "due": entries, "due_count": due_count, "cards": card_count, "next_at": next_at}


def due_lines(today: Sequence[DueItem], now: float) -> Iterator[str]:
    """Yield two lines for each entry: what is due since when, and the command that starts it."""
    for one in today:
        days = int(max(0.0, one.overdue_days(now)))
        late = f"{counted(days, 'day')} overdue" if days else "due today"
        yield f"{late}: {due_text(one)}"
        yield f"    {one.start}"
