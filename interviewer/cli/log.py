"""Print the practice log: its sessions, a single session, a search, the attempts at a task, or trends over time.

Secrets are masked in all output, and unreadable entries are reported on stderr.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from interviewer.cli.options import open_context
from interviewer.cli.output import echo, local_time, print_json, table
from interviewer.errors import OK, BadInput
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import load_session
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, LoggedDrill, attempts_of, drills_of
from interviewer.log.progress import SearchMatch, search
from interviewer.log.reports.overview import NOTHING_YET, agreement_lines, duration_text, session_results
from interviewer.log.reports.text_plots import topic_lines
from interviewer.log.store import SessionRow
from interviewer.log.transcript import transcript_lines
from interviewer.log.trends import (
    Agreement,
    AttemptComparison,
    TopicTrend,
    best_seconds,
    compare_attempts,
    mark_agreement,
    topic_trends,
)
from interviewer.sanitize import masker
from interviewer.session.debrief import plain_debrief
from interviewer.session.engine import fold
from interviewer.session.events import dump_event
from interviewer.session.phrases import pluralize, verdict_text
from interviewer.session.state import Session

# Shown if there are entries, but no trends.
NOTHING_JUDGED = (
    "Nothing to show yet: a trend needs a judged answer or a submission, and a bug hunt counts once you have passed it."
)


def history_of(context: AppContext) -> History:
    """Return the whole masked history; print a notice on stderr for each unreadable entry.

    Raises LogError if the log cannot be used.
    """
    history = context.history()
    for notice in history.unreadable:
        echo(f"note: {notice}", is_error=True)
    return history


def topics_of(context: AppContext, history: History) -> list[TopicTrend]:
    """Return trends by topic. Tasks are loaded only to look up the topics of attempts outside interviews."""
    known = {task.id: task.topics for task in context.full_tasks} if history.loose_attempts else {}
    return topic_trends(history, known)


@click.command()
@click.argument("session", required=False)
@click.option("--transcript", is_flag=True, help="With SESSION: print the transcript instead of the debrief.")
@click.option("--search", "text", metavar="TEXT", help="Search questions, answers and code.")
@click.option("--task", metavar="TASK", help="List the attempts at one task.")
@click.option(
    "--compare", "pair", nargs=2, type=click.IntRange(min=1), metavar="N M", help="With --task: compare two attempts."
)
@click.option(
    "--trends", is_flag=True, help="Depth and verdicts by topic, and your own marks compared with the examiner's."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print a single JSON object; with SESSION, including all its events."
)
def log(
    session: str | None,
    transcript: bool,
    text: str | None,
    task: str | None,
    pair: tuple[int, int] | None,
    trends: bool,
    as_json: bool,
) -> int:
    """List sessions, show a session's debrief, search, or show trends."""
    if sum(mode is not None for mode in (session, text, task, trends or None)) > 1:
        raise click.UsageError("Choose only one of SESSION, --search, --task and --trends.")
    if (transcript and not session) or (pair and not task):
        raise click.UsageError("--transcript needs SESSION; --compare needs --task.")
    with open_context() as context:
        if session:
            _print_session(context, session, is_transcript=transcript, as_json=as_json)
        elif text is not None:
            _print_matches(context, text, as_json=as_json)
        elif task:
            _print_attempts(context, task, pair, as_json=as_json)
        elif trends:
            _print_trends(context, as_json=as_json)
        else:
            _print_sessions(context, as_json=as_json)
    return OK


def _print_sessions(context: AppContext, *, as_json: bool) -> None:
    """List the sessions with their results."""
    history = history_of(context)
    lines = context.log.sessions()
    if as_json:
        print_json({"sessions": session_objects(lines, history)})
    elif not lines:
        echo("No sessions yet. To start an interview, run interviewer interview.")
    else:
        echo(table(session_rows(lines, history)))


def _print_session(context: AppContext, name: str, *, is_transcript: bool, as_json: bool) -> None:
    """Show a session: its debrief, its moves, or all its events."""
    events = context.log.whole(name, masker(context.environ))
    if not events or not (as_json or is_transcript):
        # A session can be shown move by move even if the rules have changed since then; only the debrief needs the
        # session's state.
        load_session(context.log, name)
    if as_json:
        # Early versions stored infinite errors as Infinity, which is not JSON.
        plain = [json.loads(dump_event(event), parse_constant=lambda _: None) for event in events]
        print_json({"session": name, "events": plain})
    elif is_transcript:
        echo("\n".join(transcript_lines(events)))
    else:
        session = fold(events)
        if not session.is_over:
            resume = "" if session.is_challenge else f" To resume it, run interviewer interview --resume {name}"
            echo(f"This session is still open; the output below covers the session so far.{resume}\n")
        echo(plain_debrief(session))


def _print_matches(context: AppContext, text: str, *, as_json: bool) -> None:
    """Search questions, answers and code."""
    history = history_of(context)
    matches = search(history, text)
    if as_json:
        print_json({"found": [vars(match) for match in matches]})
    elif not matches:
        echo(f"No matches for “{text}” in the log.")
    else:
        echo(table(match_rows(matches, history)))


def _print_attempts(context: AppContext, task: str, pair: tuple[int, int] | None, *, as_json: bool) -> None:
    """List the attempts at a task, or compare two of them by number."""
    task = context.task_names.id_of(task)
    past = history_of(context).attempts(task)
    if not past:
        context.task(task)
    if pair and max(pair) > len(past):
        raise BadInput(f"--compare {max(pair)}: {task} has {len(past)} attempts")
    if pair:
        compared = compare_attempts(past[pair[0] - 1], past[pair[1] - 1])
        if as_json:
            print_json(comparison_object(compared))
        else:
            echo(comparison_text(compared))
    elif as_json:
        print_json({"task": task, "attempts": [attempt_object(attempt) for attempt in past]})
    else:
        echo(
            table(attempt_rows(past))
            or f"No attempts at {context.task(task).title} yet. To start, run interviewer start {task}"
        )


def _print_trends(context: AppContext, *, as_json: bool) -> None:
    """Show depth and verdicts by topic, and compare the user's own marks with the examiner's."""
    history = history_of(context)
    by_topic = topics_of(context, history)
    if as_json:
        print_json(trends_object(by_topic, mark_agreement(history)))
    else:
        nothing = NOTHING_YET if history.is_empty else NOTHING_JUDGED
        echo("\n".join(trend_lines(by_topic, mark_agreement(history))) or nothing)


def session_objects(lines: Sequence[SessionRow], history: History) -> list[dict[str, Any]]:
    """Return the sessions for `log --json`; minutes and results are omitted for unreadable sessions."""
    read = {session.id: session for session in history.sessions}
    return [{**session_json(line), **(_results(read[line.id]) if line.id in read else {})} for line in lines]


def session_json(line: SessionRow) -> dict[str, Any]:
    """Return the object for a session in `log --json`; times are seconds since 1970."""
    return {
        "id": line.id,
        "started_at": line.started_at,
        "ended_at": line.ended_at,
        "examiner": line.examiner,
        "parts": line.parts.split(", "),
    }


def _results(session: Session) -> dict[str, Any]:
    questions = [_drill_object(past) for past in drills_of(session)]
    tasks = [attempt_object(attempt) for attempt in attempts_of(session)]
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
    """Return a row for each session: id, time, minutes, state, examiner, and the result of each part."""
    read = {session.id: session for session in history.sessions}
    return [
        [
            line.id,
            local_time(line.started_at),
            f"{read[line.id].elapsed_seconds / 60:.0f} min" if line.id in read else "?",
            "finished" if line.ended_at else "open",
            line.examiner,
            session_results(read[line.id])
            if line.id in read
            else f"cannot be read: {history.names.titles_of(line.parts)}",
        ]
        for line in lines
    ]


def match_rows(matches: Sequence[SearchMatch], history: History) -> list[list[str]]:
    """Return a row for each match: session, time, part, speaker, and excerpt."""
    return [
        [match.where, local_time(match.at), history.title_of(match.part), match.kind, match.excerpt]
        for match in matches
    ]


def attempt_object(attempt: LoggedAttempt) -> dict[str, Any]:
    """Return an attempt without its source code."""
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
    """Return a row for each attempt, with the number for --compare."""
    rows = [
        [
            str(number),
            local_time(attempt.at),
            attempt.origin,
            verdict_text(attempt.report.verdict),
            f"score {attempt.report.score:.2f}",
            duration_text(attempt.wall_seconds),
            pluralize(attempt.hints, "hint"),
            f"seed {attempt.report.seed}",
        ]
        for number, attempt in enumerate(attempts, 1)
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
    """Return the comparison of two attempts as text."""
    lines = []
    for name, attempt in (("before", compared.before), ("after ", compared.after)):
        lines.append(
            f"{name}: {attempt.id}, {local_time(attempt.at)}: {verdict_text(attempt.report.verdict)},"
            f" score {attempt.report.score:.2f}"
        )
        lines += [f"        mistake {mistake.id}: {mistake.wrong}" for mistake in attempt.report.mistakes]
        lines += [f"        {symptom.says}" for symptom in attempt.report.symptoms]
    changed = [
        f"  {name}: {verdict_text(before) if before else 'no result'} → {verdict_text(after) if after else 'no result'}"
        for name, before, after in compared.verdicts
    ]
    return "\n".join(
        [*lines, "", *(changed or ["  no case has a different verdict"]), "", compared.diff or "(same code)"]
    )


def trends_object(topics: Sequence[TopicTrend], marks: Agreement) -> dict[str, Any]:
    """Return depth and verdicts by topic over time, and how often the user's own marks agree with the examiner's."""
    by_topic = [
        {
            "topic": topic.name,
            "depths": [{"at": past.at, **_drill_object(past)} for past in topic.drills],
            "attempts": [
                {"at": attempt.at, "task": attempt.task, "verdict": attempt.report.verdict.value}
                for attempt in topic.attempts
            ],
            "rungs": {str(rung): {"held": held, "judged": judged} for rung, (held, judged) in topic.rungs.items()},
        }
        for topic in topics
    ]
    cells = [
        {"machine": machine.value, "own": own.value, "points": count} for (machine, own), count in marks.table.items()
    ]
    why = {"why_no_kappa": marks.why_no_kappa} if marks.kappa is None else {}
    return {"topics": by_topic, "own_marks": {"points": marks.points, "cells": cells, "kappa": marks.kappa, **why}}


def trend_lines(topics: Sequence[TopicTrend], marks: Agreement) -> Iterator[str]:
    """Yield the trends as text; nothing if there has been no practice."""
    yield from topic_lines(topics)
    if marks.points:
        yield from ("", "Your own marks compared with the examiner's:", "", *agreement_lines(marks))
