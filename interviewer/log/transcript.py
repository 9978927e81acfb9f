"""A session as plain text: every event in order, with assessments, marks and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interviewer.session import events
from interviewer.session.assessment import CheckResult
from interviewer.session.phrases import verdict_lead
from interviewer.session.results import summary_line

_CHECKED = {
    CheckResult.RIGHT: "check answered correctly",
    CheckResult.WRONG: "check answered incorrectly",
    CheckResult.HALF: "check partially answered",
    CheckResult.UNREAD: "the answer to the check does not contain exactly one result",
}
_SHORT: dict[type, str] = {
    events.AnswerTakenBack: "You retracted your last answer; it does not count.",
    events.HintAsked: "You asked for a hint.",
    events.SkipAsked: "You skipped this part.",
    events.EndAsked: "You ended the session.",
    events.QuestionAdded: "You accepted one more question.",
    events.Resumed: "Resumed. Time away from the interview does not count.",
}


def transcript_lines(history: Iterable[events.Event]) -> Iterator[str]:
    """Yield one paragraph per event: its number, the minutes and seconds since the start, and its text."""
    started_at = None
    for number, event in enumerate(history):
        started_at = event.at if started_at is None else started_at
        seconds = max(0, round(event.at - started_at))
        yield f"{number:3} {seconds // 60:3}:{seconds % 60:02} {event_text(event)}"


def event_text(event: events.Event) -> str:
    """Return an event as text."""
    match event:
        case events.SessionStarted():
            titles = {("question", question.id): question.title for question in event.questions}
            titles |= {("task", task.id): task.title for task in event.tasks}
            parts = ", ".join(f"{part.kind} {titles.get((part.kind, part.id), part.id)}" for part in event.plan.parts)
            return f"Session {event.session} ({event.examiner}, seed {event.seed}): {parts}"
        case events.InterviewerSaid():
            return f"Interviewer ({event.move.value}): {event.text}" + (" [cut]" if event.is_cut else "")
        case events.CandidateSaid():
            return f"You: {event.text}"
        case events.Assessed():
            return _assessed(event)
        case events.SelfMarked():
            marks = ", ".join(f"{mark.point} {mark.state.value}" for mark in event.marks)
            return f"Your own marks: {marks or 'none'}"
        case events.Appealed() | events.Summarized() | events.Explained() | events.Practiced():
            return _after_the_end(event)
        case events.Submitted():
            return f"You submitted:\n{event.source}"
        case events.Graded():
            return f"Verdict: {verdict_lead(event.report)}"
        case events.GradingFailed():
            return f"The grader failed: {event.message} {event.fix}"
        case events.ExaminerChanged():
            return f"Examiner from here on: {event.examiner} ({event.why})"
        case events.ObserverAsked() | events.ObserverMarked():
            return _observed(event)
    return _SHORT.get(type(event), type(event).__name__)


def _assessed(event: events.Assessed) -> str:
    judged = event.assessment
    if not judged.is_graded:
        return f"Heard by {judged.judge}: not judged ({judged.why_not})"
    points = [
        f"{point.id} {point.state.value}" + (f" “{' '.join(point.quote.split())}”" if point.quote else "")
        for point in judged.points
        if point.state.credit or point.quote
    ]
    beliefs = [f"misconception {belief.id} “{' '.join(belief.quote.split())}”" for belief in judged.misconceptions]
    flags = [f"({', '.join(judged.flags)})"] if judged.flags else []
    checked = [_CHECKED[judged.check]] if judged.check else []
    return f"Heard by {judged.judge}: " + ("; ".join([*checked, *points, *beliefs, *flags]) or "none of the points")


def _after_the_end(event: events.Appealed | events.Summarized | events.Explained | events.Practiced) -> str:
    if isinstance(event, events.Summarized):
        lines = [summary_line(sentence) for sentence in (*event.summary.sentences, *event.summary.plan)]
        return f"Summary, not scored, by {event.summary.author}: {' '.join(lines) or 'nothing to show'}"
    if isinstance(event, events.Explained):
        ref = event.explanation.ref
        return f"{_words(ref.question)} {ref.point}, explained by {event.explanation.author}: {event.explanation.text}"
    if isinstance(event, events.Practiced):
        tried = event.attempt
        told = _assessed(events.Assessed(event.at, tried.assessment))
        return f"Practice, not scored: {_words(tried.ref.question)} rung {tried.rung}. You: {tried.text}\n{told}"
    text = f"You appealed: {event.why}" if event.why else "You withdrew your appeal."
    return f"{_words(event.question)} {event.point}: {text}"


def _observed(event: events.ObserverAsked | events.ObserverMarked) -> str:
    if isinstance(event, events.ObserverAsked):
        return f"Observer {event.who} queued a question: {event.text}"
    marks = ", ".join(f"{_words(mark.question)} {mark.point} {mark.state.value}" for mark in event.marks)
    return f"Observer's marks: {marks}"


def _words(question: str) -> str:
    """Return a question id as readable text, because the event does not contain the title."""
    return question.replace("_", " ")
