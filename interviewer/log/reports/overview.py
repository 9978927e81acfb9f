"""The practice history as Markdown: work done, depth of the answers, due reviews; every number comes with its count."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from graders.verdict import Verdict
from interviewer.log.history import History, drills_of, last_active_at
from interviewer.log.reports.text_plots import sparkline, verdict_line
from interviewer.log.schedule import DueItem
from interviewer.log.transcript import transcript_lines
from interviewer.log.trends import Agreement, TopicTrend, best_seconds, mark_agreement
from interviewer.sanitize import printable
from interviewer.session import events
from interviewer.session.assessment import State
from interviewer.session.debrief import debrief, escape_markdown, practice_lines
from interviewer.session.phrases import NOT_SUBMITTED, UNCALIBRATED, pluralize, verdict_text
from interviewer.session.results import PracticeItem, judge_name, judges, model_sentence, practice_items
from interviewer.session.state import Session

NOTHING_YET = "No entries yet. Start an interview with interviewer interview, or grade a file with interviewer grade."


def overview(history: History, topics: Sequence[TopicTrend], due: Sequence[DueItem]) -> str:
    """Return the whole practice history as Markdown, then what to practice next; calibration is a note at the end."""
    sections = (_body(history, topics, due), practice_lines(practice_next(history)), _notes(history))
    texts = ["\n".join(lines).strip() for lines in sections]
    return printable("\n\n".join(text for text in texts if text) + "\n")


def practice_next(history: History) -> list[PracticeItem]:
    """Return the practice list of the latest session that has one, without the items that have gone well since then.

    The latest session is the one in which the candidate was active last.
    """
    tasks = {attempt.task for attempt in history.loose_attempts if attempt.has_loaded}
    passed = {task for task in tasks if history.attempts(task)[-1].report.verdict is Verdict.PASSED}
    sessions = sorted(history.sessions, key=last_active_at)
    for start in reversed(range(len(sessions))):
        if items := practice_items(sessions[start:], passed):
            return items
    return []


def _body(history: History, topics: Sequence[TopicTrend], due: Sequence[DueItem] | None) -> list[str]:
    """Return the lines of the overview without its notes; if `due` is None, also without the due reviews."""
    if history.is_empty:
        return ["# Practice", "", NOTHING_YET]
    note = " (note 1)" if judge_figures(history) else ""
    lines = ["# Practice", "", escape_markdown(summary(history, note)), ""]
    lines += [] if due is None else _due(history, due)
    lines += [*_topics(topics), *_tasks(history), *_beliefs(history), *_observed(history)]
    lines += _agreement(mark_agreement(history))
    return lines + [f"Skipped: {escape_markdown(reason)}" for reason in history.unreadable]


def _notes(history: History) -> Iterator[str]:
    if figures := judge_figures(history):
        yield from ("", "## Notes", "", f"1. {escape_markdown(figures)}")


def summary(history: History, note: str = "") -> str:
    """Return a sentence with counts, and a sentence that lists who judged the answers and ends with `note`."""
    minutes = sum(session.elapsed_seconds for session in history.sessions) / 60
    drills = sum(1 for past in history.drills() if past.drill.answers)
    times = [session.started_at for session in history.sessions] + [attempt.at for attempt in history.loose_attempts]
    days = sorted({local_date(at) for at in times})
    names = sorted({name for past in history.drills() for name in judges(past.session, [past.drill])})
    judged = f" Answers judged by: {'; '.join(names)}{note}." if names else ""
    counts = (
        pluralize(len(history.sessions), "session"),
        pluralize(round(minutes), "minute"),
        f"{pluralize(drills, 'question')} answered",
        f"{pluralize(len(history.attempts()), 'submission')} graded",
    )
    return f"{', '.join(counts)}; {' to '.join(dict.fromkeys((days[0], days[-1])))}.{judged}"


def judge_figures(history: History) -> str:
    """Return the latest calibration of each examiner that judged an answer, one sentence each; "" if none did."""
    figures: dict[str, str] = {}
    for past in history.drills():
        calibrations = {calibration.examiner: str(calibration) for calibration in past.session.calibrations}
        for answer in past.drill.answers:
            judge = answer.assessment.judge
            if answer.assessment.is_graded:
                name = judge_name(past.session, judge)
                figures[name] = f"{name}: {calibrations.get(judge, UNCALIBRATED)}."
    return " ".join(figures[name] for name in sorted(figures))


def session_results(session: Session) -> str:
    """Return the depth of each question and the last verdict of each task, in one line."""
    results = [
        f"{past.question.title}: {past.depth or ('ungraded' if past.drill.answers else 'not answered')}"
        for past in drills_of(session)
    ]
    for work in session.works:
        verdicts = [verdict_text(attempt.report.verdict) for attempt in work.submissions if attempt.report]
        last = verdicts[-1] if verdicts else "ungraded" if work.submissions else NOT_SUBMITTED
        results.append(f"{session.task(work.task).title}: {last}")
    return "; ".join(results)


def local_date(at: float) -> str:
    """Convert seconds since 1970 to a local date, for example 2026-11-21."""
    return time.strftime("%Y-%m-%d", time.localtime(at))


def _due(history: History, due: Sequence[DueItem]) -> Iterator[str]:
    yield "## Due"
    yield ""
    yield from (f"- {escape_markdown(due_text(history, item))}: `{item.start_command}`" for item in due)
    if not due:
        yield "Nothing is due today."
    yield ""


def due_text(history: History, due: DueItem) -> str:
    """Return a due item as text: its title, its due date, and the last result of its most overdue card."""
    rungs = f", rung{'s' * (len(due.rungs) > 1)} {', '.join(map(str, due.rungs))}" if due.rungs else ""
    own = "" if due.last.own is None else f", your own marks {due.last.own:.0%}"
    title = history.title_of(due.id)
    return f"{title}{rungs} (due {local_date(due.due_at)}; {local_date(due.last.at)}: {due.last.why}{own})"


def _topics(topics: Sequence[TopicTrend]) -> Iterator[str]:
    if topics:
        yield "## Topics"
        yield ""
        yield "| topic | depth over time | last | questions | submissions |"
        yield "|---|---|---|---|---|"
        for topic in topics:
            counts = f"{len(topic.drills)} | {len(topic.attempts)}"
            yield f"| {escape_markdown(topic.name)} | {sparkline(topic.depths)} | {topic.depth_now} | {counts} |"
        yield ""


def _tasks(history: History) -> Iterator[str]:
    tasks = sorted({attempt.task for attempt in history.attempts()})
    if tasks:
        yield "## Tasks"
        yield ""
        yield "| task | verdicts, latest spelled out | submissions | best time |"
        yield "|---|---|---|---|"
        for task in tasks:
            attempts = history.attempts(task)
            title = escape_markdown(history.title_of(task))
            yield f"| {title} | {verdict_line(attempts)} | {len(attempts)} | {duration_text(best_seconds(attempts))} |"
        yield ""


def duration_text(seconds: float | None) -> str:
    """Return a duration in minutes and seconds; "not measured" for None."""
    return "not measured" if seconds is None else f"{int(seconds) // 60} min {int(seconds) % 60:02} s"


def _beliefs(history: History) -> Iterator[str]:
    held = [(past, belief) for past in history.drills() for belief in past.drill.beliefs]
    if held:
        yield "## Misconceptions heard"
        yield ""
        for past, belief in held:
            says = past.question.misconception(belief.id).says
            quote = escape_markdown(belief.quote)
            title = escape_markdown(past.question.title)
            yield f"- {local_date(past.at)}, {title}: {escape_markdown(says)} You said: “{quote}”"
        yield ""


def _observed(history: History) -> Iterator[str]:
    marked = [(past, point) for past in history.drills() for point in past.question.points if point.id in past.observed]
    if marked:
        yield "## Observer marks"
        yield ""
        yield "| day | question | point | examiner | own | observer |"
        yield "|---|---|---|---|---|---|"
    for past, point in marked:
        credit, mark = past.drill.credit_of(point.id), past.observed[point.id]
        own = next(
            (own_mark.state.value for own_mark in past.drill.self_marks or () if own_mark.point == point.id), "-"
        )
        machine = credit.state.value if credit else "not heard"
        by = f"{mark.state.value} ({escape_markdown(mark.who)})"
        says = escape_markdown(model_sentence(point).says)
        yield f"| {local_date(past.at)} | {escape_markdown(past.question.title)} | {says} | {machine} | {own} | {by} |"
    if marked:
        yield ""


def _agreement(agreement: Agreement) -> Iterator[str]:
    if agreement.points:
        yield "## Your own marks compared with the examiner's"
        yield ""
        yield from agreement_lines(agreement)
        yield ""


def agreement_lines(agreement: Agreement) -> Iterator[str]:
    """Yield a Markdown table of the examiner's findings versus the candidate's own marks, and the kappa."""
    own_states = [state for state in State if any(own is state for _, own in agreement.table)]
    yield f"| heard by the examiner | {' | '.join(f'own: {state.value}' for state in own_states)} |"
    yield "|---" * (len(own_states) + 1) + "|"
    for machine in State:
        if any(state is machine for state, _ in agreement.table):
            counts = [str(agreement.table.get((machine, own), 0)) for own in own_states]
            yield f"| {machine.value} | {' | '.join(counts)} |"
    yield ""
    yield str(agreement)


def log_markdown(
    history: History, session_events: Sequence[Sequence[events.Event]], topics: Sequence[TopicTrend]
) -> str:
    """Return the whole log as Markdown: the overview, the debrief and transcript of each session, and the notes.

    `session_events` contains the masked events of each session in `history`, in the same order.
    """
    pieces = ["\n".join(_body(history, topics, None)).rstrip() + "\n"]
    for session, session_history in zip(history.sessions, session_events, strict=True):
        pieces.append(f"\n---\n\nSession {session.id}, {local_date(session.started_at)}\n\n{debrief(session)}")
        pieces.append(f"## Transcript\n\n{_as_block(transcript_lines(session_history))}")
    for attempt in history.loose_attempts:
        title = escape_markdown(history.title_of(attempt.task))
        heading = f"{title}, {local_date(attempt.at)}, {attempt.origin}: {verdict_text(attempt.report.verdict)}"
        pieces.append(f"\n---\n\n## {heading}\n\n{_as_block([attempt.source])}")
    if notes := list(_notes(history)):
        pieces.append("\n".join(["---", *notes]) + "\n")
    return printable("\n".join(pieces))


def _as_block(texts: Iterable[str]) -> str:
    """Return the texts indented by four spaces, because text can close a fenced code block but not an indented one."""
    return "".join(f"    {line}\n" for text in texts for line in text.splitlines())
