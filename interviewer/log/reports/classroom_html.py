"""Format the summary of a class as rows and sentences, for the terminal and as one HTML file without names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from interviewer.log.reports.classroom import ClassSummary, MistakeStats, TopicDepths
from interviewer.log.reports.html import html_document
from interviewer.log.reports.markup import Html, joined, tag
from interviewer.log.reports.overview import local_date
from interviewer.log.reports.svg import depth_rows
from interviewer.sanitize import one_line
from interviewer.session.phrases import UNCALIBRATED, counted

Rows = list[list[str]]
SENTENCE_CHARACTERS_MAX = 300
NUMBERED = "Numbered by a hash of each file's content: the same files give the same numbers, names have no say."
DEPTH_MEANS = (
    "The latest depth of each person; what different examiners found is never put into one figure. Unclear: people "
    "of whom too little was heard; they are in no median."
)
TITLE = "A class in one summary"


def people_text(count: int) -> str:
    """Return a number of people in words."""
    return "1 person" if count == 1 else f"{count} people"


def counts_line(summary: ClassSummary) -> str:
    """Return what there is in one line of counts, with what was left out."""
    people = summary.people
    said = ", ".join(
        (
            people_text(len(people)),
            counted(sum(len(one.sessions) for one in people), "session"),
            f"{counted(sum(one.answered for one in people), 'question')} answered",
            f"{counted(summary.submissions, 'submission')} graded",
        )
    )
    unfollowed = sum(one.unfollowed for one in people)
    left = f" Left out: {counted(summary.left_out, 'file')} that cannot be read." if summary.left_out else ""
    told = f" Not counted in: {counted(unfollowed, 'session')} that today's rules refuse." if unfollowed else ""
    return f"{said}.{left}{told}"


def examiner_lines(summary: ClassSummary) -> Iterator[str]:
    """Yield who judged how many answers of how many people, and for how many of them it was calibrated."""
    for examiner in sorted({judge for one in summary.people for judge in one.judged}):
        judged = [one for one in summary.people if examiner in one.judged]
        answers = sum(one.judged[examiner] for one in judged)
        good = sum(examiner in one.calibrated for one in judged)
        known = f"calibrated for {good} of them" if good else UNCALIBRATED
        yield one_line(f"{examiner}: {counted(answers, 'answer')} of {people_text(len(judged))}; {known}")


def people_rows(summary: ClassSummary, labels: Sequence[str]) -> Rows:
    """Return a heading and a row for each person."""
    rows = [["person", "sessions", "answered", "submissions", "tasks passed"]]
    for label, one in zip(labels, summary.people, strict=True):
        passed = sum(tried.has_passed for tried in one.tried.values())
        submissions = sum(tried.submissions for tried in one.tried.values())
        figures = (len(one.sessions), one.answered, submissions)
        rows.append([one_line(label), *map(str, figures), f"{passed} of {len(one.tried)}"])
    return rows


def topic_rows(summary: ClassSummary) -> Rows:
    """Return a heading and a row for each topic and examiner, the lowest median first."""
    rows = [["topic", "judged by", "people", "unclear", "median", "lowest"]]
    for one in summary.topics:
        figures = ["-", "-"] if one.median is None else [f"{one.median:.1f}", f"{one.depths[0]:.1f}"]
        people = f"{one.people} of {summary.people_by_topic[one.topic]}"
        rows.append([one_line(one.topic), one_line(one.examiner), people, str(one.unclear_count), *figures])
    return rows


def chart_label(one: TopicDepths) -> str:
    """Return what a row of the plot is called."""
    return one_line(f"{one.topic} · {one.examiner} · {people_text(len(one.depths))}")


def task_rows(summary: ClassSummary) -> Rows:
    """Return a heading and a row for each task that anybody tried."""
    rows = [["task", "tried by", "passed by", "submissions"]]
    return rows + [[one.task, *map(str, (one.tried, one.passed, one.submissions))] for one in summary.tasks]


def mistake_line(one: MistakeStats) -> str:
    """Return one mistake or misconception: how often, of what, and its sentence."""
    heard = ", ".join(f"heard by {judge}: {count}" for judge, count in sorted(one.heard_by.items()))
    how = f"{people_text(one.people)}, " + (heard or counted(one.submissions, "submission"))
    return one_line(f"{one.slip.of.id}: {one_line(one.says)[:SENTENCE_CHARACTERS_MAX]} ({how})")


def unmet_line(summary: ClassSummary) -> str:
    """Return how much of what there is nobody met."""
    there = Counter(item.kind for item in summary.catalogue.topics)
    unmet = Counter(item.kind for item in summary.unmet)
    topics = len({topic for found in summary.catalogue.topics.values() for topic in found})
    return (
        f"{unmet['question']} of {counted(there['question'], 'question')}, {unmet['task']} of "
        f"{counted(there['task'], 'task')}, {len(summary.unmet_topics)} of {counted(topics, 'topic')}."
    )


def unmet_areas(summary: ClassSummary) -> list[str]:
    """Return the areas of which nobody met a question or a task."""
    areas, unmet = summary.catalogue.areas, set(summary.unmet)
    return sorted(set(areas.values()) - {area for item, area in areas.items() if item not in unmet})


def class_page(summary: ClassSummary, labels: Sequence[str], made_at: float) -> str:
    """Return the summary as HTML; `labels` are what the people are called. `made_at` is in seconds since 1970."""
    body = joined(
        tag("h1", TITLE),
        tag("p", counts_line(summary)),
        _list("Answers judged by", list(examiner_lines(summary))),
        _depths(summary),
        _table("Tasks", task_rows(summary)),
        _often("Mistakes made most often", summary.mistakes),
        _often("Misconceptions held most often", summary.misconceptions),
        _table("People", people_rows(summary, labels), NUMBERED),
        *_unmet(summary),
        tag("footer", tag("p", f"Made by interviewer on {local_date(made_at)} from exported practice logs.")),
    )
    return html_document(TITLE, body)


def _depths(summary: ClassSummary) -> Html:
    if not summary.topics:
        return Html("")
    drawn = [(chart_label(one), one.depths, one.median) for one in summary.topics if one.median is not None]
    said = "A dot tells how many people are about as deep; the stroke is the median. The lowest median stands first."
    plot = joined(depth_rows(drawn), tag("p", said, class_="soft")) if drawn else Html("")
    return joined(_table("Topics and depth", topic_rows(summary), DEPTH_MEANS), plot)


def _table(heading: str, rows: Rows, said: str = "") -> Html:
    if len(rows) == 1:
        return Html("")
    lines = [tag("tr", *(tag("th", cell) for cell in rows[0]))]
    lines += [tag("tr", tag("th", row[0]), *(tag("td", cell) for cell in row[1:])) for row in rows[1:]]
    soft = tag("p", said, class_="soft") if said else Html("")
    return joined(tag("h2", heading), soft, tag("div", tag("table", *lines), class_="scroll"))


def _often(heading: str, found: Sequence[MistakeStats]) -> Html:
    return _list(heading, [mistake_line(one) for one in found])


def _list(heading: str, lines: Sequence[str]) -> Html:
    return joined(tag("h2", heading), tag("ul", *(tag("li", line) for line in lines))) if lines else Html("")


def _unmet(summary: ClassSummary) -> Iterator[Html]:
    yield tag("h2", "Met by nobody")
    yield tag("p", unmet_line(summary))
    for area in sorted({summary.catalogue.areas[item] for item in summary.unmet}):
        for kind in ("question", "task"):
            if found := summary.unmet_in(area, kind):
                yield tag("p", tag("b", f"{area}, {kind}s: "), ", ".join(found))
    if summary.unmet_topics:
        yield tag("p", tag("b", "topics: "), ", ".join(summary.unmet_topics))
