"""The summary of a class as one HTML file, with the style and the safety of the report; who is who stays outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.log.charts import depth_rows
from interviewer.log.class_summary import ClassSummary, Often
from interviewer.log.class_words import (
    DEPTH_MEANS,
    NUMBERED,
    Rows,
    chart_label,
    counts_line,
    examiner_lines,
    often_line,
    people_rows,
    task_rows,
    topic_rows,
    unmet_line,
)
from interviewer.log.markup import Html, joined, tag
from interviewer.log.overview import day
from interviewer.log.page import document

TITLE = "A class in one summary"


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
        tag("footer", tag("p", f"Made by interviewer on {day(made_at)} from exported practice logs.")),
    )
    return document(TITLE, body)


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


def _often(heading: str, found: Sequence[Often]) -> Html:
    return _list(heading, [often_line(one) for one in found])


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
