"""The report as one HTML file: no script, no request, nothing of the user's that a browser would obey."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interviewer.log.charts import timeline
from interviewer.log.evidence import drill_section, task_section, unjudged
from interviewer.log.history import DrillPast, History
from interviewer.log.markup import Html, joined, tag
from interviewer.log.overview import NOTHING_YET, day, due_words, summary
from interviewer.log.plots import DEPTH_MAX
from interviewer.log.schedule import Due
from interviewer.log.trends import Agreement, Topic, agreement
from interviewer.session.assessment import State

# The browser itself then refuses every request and script, whatever a mistake of ours lets through.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_SHARES = (0.25, 0.5, 0.75)


def page(history: History, topics: Sequence[Topic], due: Sequence[Due], title: str, made_at: float) -> str:
    """Return the whole report as HTML. `made_at` is in seconds since 1970."""
    if not history.sessions and not history.loose_attempts:
        body = joined(tag("h1", title), tag("p", NOTHING_YET))
    else:
        drills = history.drills()
        body = joined(
            tag("h1", title),
            tag("p", summary(history)),
            _due(due),
            _map(topics),
            _timeline(history, drills),
            _tasks(history),
            _answers(drills),
            _agreement(agreement(history)),
            unjudged(drills),
            *(tag("p", f"Left out: {one}", class_="soft") for one in history.unreadable),
            tag("footer", tag("p", f"Made by interviewer on {day(made_at)} from the practice log on this machine.")),
        )
    return document(title, body)


def document(title: str, body: Html) -> str:
    """Return a whole page with this body: the one place where a page gets its style and is forbidden to ask."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Html(Path(__file__).with_name("page.css").read_text(encoding="utf-8"))),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', body), lang='en')}\n"


def _due(due: Sequence[Due]) -> Html:
    items = [tag("li", due_words(one), tag("code", one.start)) for one in due]
    return joined(tag("h2", "What next"), tag("ul", *items) if items else tag("p", "Nothing is due."))


def _map(topics: Sequence[Topic]) -> Html:
    with_rungs = [topic for topic in topics if topic.rungs]
    if not with_rungs:
        return Html("")
    columns = range(1, max(DEPTH_MAX, *(max(topic.rungs) for topic in with_rungs)) + 1)
    heading = tag(
        "tr",
        tag("th", "topic, rung"),
        *(tag("th", str(one), class_="number") for one in columns),
        tag("th", "depth now"),
    )
    rows = [
        tag("tr", tag("th", topic.name), *(_cell(topic, rung) for rung in columns), tag("td", topic.depth_now))
        for topic in with_rungs
    ]
    said = "2/3: the rung held twice of three times it was judged. Deeper rungs stand to the right."
    table = tag("div", tag("table", heading, *rows), class_="scroll")
    return joined(tag("h2", "Topics and depth"), tag("p", said, class_="soft"), table)


def _cell(topic: Topic, rung: int) -> Html:
    held, judged = topic.rungs.get(rung, (0, 0))
    if not judged:
        return tag("td", "–", class_="number")
    shade = sum(held / judged >= share for share in _SHARES)
    return tag("td", f"{held}/{judged}", class_=f"number h{shade}")


def _timeline(history: History, drills: Sequence[DrillPast]) -> Html:
    if not history.sessions:
        return Html("")
    said = "A dot is a question's depth, the bar through it its interval; below, the minutes of each session."
    return joined(tag("h2", "Timeline"), timeline(history.sessions, drills), tag("p", said, class_="soft"))


def _tasks(history: History) -> Html:
    tasks = sorted({one.task for one in history.attempts()})
    if not tasks:
        return Html("")
    return joined(tag("h2", "Tasks"), *(task_section(task, history.attempts(task)) for task in tasks))


def _answers(drills: Sequence[DrillPast]) -> Html:
    latest: dict[str, DrillPast] = {}
    for past in drills:
        if past.is_graded or past.question.id not in latest:
            latest[past.question.id] = past
    if not latest:
        return Html("")
    said = "Each question as it was judged last. Not heard is not wrong: the offline examiner listens for phrasings."
    sections = [drill_section(past) for past in sorted(latest.values(), key=lambda one: -one.at)]
    return joined(tag("h2", "Evidence"), tag("p", said, class_="soft"), *sections)


def _agreement(found: Agreement) -> Html:
    if not found.points:
        return Html("")
    own_states = [state for state in State if any(own is state for _, own in found.table)]
    rows = [tag("tr", tag("th", "machine"), *(tag("th", f"own: {own.value}") for own in own_states))]
    for machine in State:
        if any(one is machine for one, _ in found.table):
            counts = [str(found.table.get((machine, own), 0)) for own in own_states]
            rows.append(tag("tr", tag("th", machine.value), *(tag("td", count) for count in counts)))
    return joined(
        tag("h2", "Your own marks and the machine's"),
        tag("div", tag("table", *rows), class_="scroll"),
        tag("p", str(found), class_="soft"),
    )
