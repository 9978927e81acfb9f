"""Plots for a terminal as plain lines: blocks show the course, and the numbers beside them say the same."""

from __future__ import annotations

from collections.abc import Sequence

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.trends import TopicTrend
from interviewer.session.phrases import counted

BARS = "▁▂▃▄▅▆▇█"
DEPTH_MAX = 5
# As many boxes as a phone shows beside each other; the page and the terminal show the same ones.
POINTS_MAX = 20


def sparkline(values: Sequence[float], top: float = DEPTH_MAX) -> str:
    """Return one block for each value between 0 and top; the last 20 when there are more."""
    last = len(BARS) - 1
    return "".join(BARS[max(0, min(last, round(value / top * last)))] for value in values[-POINTS_MAX:])


def topic_lines(topics: Sequence[TopicTrend]) -> list[str]:
    """Return a line for each topic: its depth over time as blocks, first and last as numbers, and its verdicts."""
    with_depth = [topic for topic in topics if topic.depths]
    width = max((len(topic.name) for topic in topics), default=0)
    bars = max((min(POINTS_MAX, len(topic.depths)) for topic in with_depth), default=0)
    lines = []
    for topic in topics:
        depths, attempts = topic.depths, topic.attempts
        course = f"{depths[0]:.1f} → {depths[-1]:.1f}" if len(depths) > 1 else f"{depths[0]:.1f}" if depths else ""
        said = f"depth {course} over {counted(len(depths), 'answer')}" if depths else ""
        passed = sum(one.report.verdict is Verdict.PASSED for one in attempts)
        verdicts = f"{passed} of {counted(len(attempts), 'submission')} passed" if attempts else ""
        told = "; ".join(word for word in (said, verdicts) if word)
        lines.append(f"{topic.name.ljust(width)}  {sparkline(depths).ljust(bars)}  {told}")
    return lines


def verdict_line(attempts: Sequence[LoggedAttempt]) -> str:
    """Return attempts as marks in order, ✓ passed and ✗ not, with the last verdict in words."""
    marks = "".join("✓" if one.report.verdict is Verdict.PASSED else "✗" for one in attempts[-POINTS_MAX:])
    return f"{marks}  {attempts[-1].report.verdict.value}" if attempts else ""
