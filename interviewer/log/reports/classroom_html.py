"""Formats the class summary as rows and sentences for the terminal, and as one HTML file without names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from interviewer.log.reports.classroom import ClassSummary, MistakeStats, TopicDepths
from interviewer.log.reports.html import html_document
from interviewer.log.reports.markup import Html, joined, tag
from interviewer.log.reports.overview import local_date
from interviewer.log.reports.svg import depth_rows
from interviewer.sanitize import one_line
from interviewer.session.phrases import UNCALIBRATED, pluralize

Rows = list[list[str]]
SENTENCE_CHARACTERS_MAX = 300
NUMBERED = "People are numbered in the order of their files' hashes, so the same files always get the same numbers."
DEPTH_MEANS = (
    "Each person's latest depth. Results from different examiners are never combined. Unclear: people without "
    "enough evidence; they are not included in any median."
)
TITLE = "Class summary"


def people_text(count: int) -> str:
    """Return a number of people as text."""
    return "1 person" if count == 1 else f"{count} people"


def counts_line(summary: ClassSummary) -> str:
    """Return all counts in one line, including the number of files left out."""
    people = summary.people
    counts = ", ".join(
        (
            people_text(len(people)),
            pluralize(sum(person.session_count for person in people), "session"),
            f"{pluralize(sum(person.answered for person in people), 'question')} answered",
            f"{pluralize(summary.submissions, 'submission')} graded",
        )
    )
    unfollowed = sum(person.unfollowed for person in people)
    left_out = f" Skipped: {pluralize(summary.left_out, 'unreadable file')}." if summary.left_out else ""
    not_counted = (
        f" Not included: {pluralize(unfollowed, 'session')} that cannot be replayed under the current rules."
        if unfollowed
        else ""
    )
    return f"{counts}.{left_out}{not_counted}"


def examiner_lines(summary: ClassSummary) -> Iterator[str]:
    """Yield a line for each examiner: the number of answers and people it judged, and whether it was calibrated."""
    for examiner in sorted({judge for person in summary.people for judge in person.judged}):
        people = [person for person in summary.people if examiner in person.judged]
        answers = sum(person.judged[examiner] for person in people)
        calibrated = sum(examiner in person.calibrated for person in people)
        quality = f"calibrated for {calibrated} of them" if calibrated else UNCALIBRATED
        yield one_line(f"{examiner}: {pluralize(answers, 'answer')} of {people_text(len(people))}; {quality}")


def people_rows(summary: ClassSummary, labels: Sequence[str]) -> Rows:
    """Return a header row and a row for each person."""
    rows = [["person", "sessions", "answered", "submissions", "tasks passed"]]
    for label, person in zip(labels, summary.people, strict=True):
        passed = sum(result.has_passed for result in person.tried.values())
        submissions = sum(result.submissions for result in person.tried.values())
        figures = (person.session_count, person.answered, submissions)
        rows.append([one_line(label), *map(str, figures), f"{passed} of {len(person.tried)}"])
    return rows


def topic_rows(summary: ClassSummary) -> Rows:
    """Return a header row and a row for each topic and examiner, lowest median first."""
    rows = [["topic", "judged by", "people", "unclear", "median", "lowest"]]
    for topic in summary.topics:
        figures = ["-", "-"] if topic.median is None else [f"{topic.median:.1f}", f"{topic.depths[0]:.1f}"]
        people = f"{topic.people} of {summary.people_by_topic[topic.topic]}"
        rows.append([one_line(topic.topic), one_line(topic.examiner), people, str(topic.unclear_count), *figures])
    return rows


def chart_label(topic: TopicDepths) -> str:
    """Return the label for a row in the plot."""
    return one_line(f"{topic.topic} · {topic.examiner} · {people_text(len(topic.depths))}")


def task_rows(summary: ClassSummary) -> Rows:
    """Return a header row and a row for each task that anyone tried."""
    rows = [["task", "tried by", "passed by", "submissions"]]
    title_of = summary.catalog.names.title_of
    return rows + [
        [one_line(title_of(task.task)), *map(str, (task.tried, task.passed, task.submissions))]
        for task in summary.tasks
    ]


def mistake_line(summary: ClassSummary, mistake: MistakeStats) -> str:
    """Return one mistake or misconception as a line: its question or task, its description, and its frequency."""
    examiners = ", ".join(f"heard by {judge}: {count}" for judge, count in sorted(mistake.heard_by.items()))
    how = f"{people_text(mistake.people)}, " + (examiners or pluralize(mistake.submissions, "submission"))
    title = summary.catalog.names.title_of(mistake.key.of.id)
    return one_line(f"{title}: {one_line(mistake.says)[:SENTENCE_CHARACTERS_MAX]} ({how})")


def unmet_line(summary: ClassSummary) -> str:
    """Return the number of questions, tasks and topics that were never given."""
    known = Counter(item.kind for item in summary.catalog.topics)
    unmet = Counter(item.kind for item in summary.unmet)
    topics = len({topic for item_topics in summary.catalog.topics.values() for topic in item_topics})
    return (
        f"{unmet['question']} of {pluralize(known['question'], 'question')}, {unmet['task']} of "
        f"{pluralize(known['task'], 'task')}, {len(summary.unmet_topics)} of {pluralize(topics, 'topic')}."
    )


def unmet_areas(summary: ClassSummary) -> list[str]:
    """Return the areas from which no question or task was ever given."""
    areas, unmet = summary.catalog.areas, set(summary.unmet)
    return sorted(set(areas.values()) - {area for item, area in areas.items() if item not in unmet})


def class_page(summary: ClassSummary, labels: Sequence[str], made_at: float) -> str:
    """Return the summary as HTML; `labels` are the people's labels. `made_at` is in seconds since 1970."""
    body = joined(
        tag("h1", TITLE),
        tag("p", counts_line(summary)),
        _list("Answers judged by", list(examiner_lines(summary))),
        _depths(summary),
        _table("Tasks", task_rows(summary)),
        _mistakes(summary, "Most frequent mistakes", summary.mistakes),
        _mistakes(summary, "Most frequent misconceptions", summary.misconceptions),
        _table("People", people_rows(summary, labels), NUMBERED),
        *_unmet(summary),
        tag("footer", tag("p", f"Generated by interviewer on {local_date(made_at)} from exported practice logs.")),
    )
    return html_document(TITLE, body)


def _depths(summary: ClassSummary) -> Html:
    if not summary.topics:
        return Html("")
    rows = [(chart_label(topic), topic.depths, topic.median) for topic in summary.topics if topic.median is not None]
    caption = (
        "The label on each dot is the number of people at approximately that depth. The line marks the median. "
        "Lowest median first."
    )
    plot = joined(depth_rows(rows), tag("p", caption, class_="soft")) if rows else Html("")
    return joined(_table("Topics and depth", topic_rows(summary), DEPTH_MEANS), plot)


def _table(heading: str, rows: Rows, note: str = "") -> Html:
    if len(rows) == 1:
        return Html("")
    lines = [tag("tr", *(tag("th", cell) for cell in rows[0]))]
    lines += [tag("tr", tag("th", row[0]), *(tag("td", cell) for cell in row[1:])) for row in rows[1:]]
    soft = tag("p", note, class_="soft") if note else Html("")
    return joined(tag("h2", heading), soft, tag("div", tag("table", *lines), class_="scroll"))


def _mistakes(summary: ClassSummary, heading: str, mistakes: Sequence[MistakeStats]) -> Html:
    return _list(heading, [mistake_line(summary, mistake) for mistake in mistakes])


def _list(heading: str, lines: Sequence[str]) -> Html:
    return joined(tag("h2", heading), tag("ul", *(tag("li", line) for line in lines))) if lines else Html("")


def _unmet(summary: ClassSummary) -> Iterator[Html]:
    yield tag("h2", "Not practiced by anyone")
    yield tag("p", unmet_line(summary))
    for area in sorted({summary.catalog.areas[item] for item in summary.unmet}):
        for kind in ("question", "task"):
            if ids := summary.unmet_in(area, kind):
                yield tag("p", tag("b", f"{area}, {kind}s: "), ", ".join(ids))
    if summary.unmet_topics:
        yield tag("p", tag("b", "topics: "), ", ".join(summary.unmet_topics))
