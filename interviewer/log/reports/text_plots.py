"""Plain-text plots for the terminal: block characters show the trend, and numbers give the exact values."""

from __future__ import annotations

from collections.abc import Sequence

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.trends import TopicTrend
from interviewer.session.phrases import pluralize, verdict_text

BARS = "▁▂▃▄▅▆▇█"
DEPTH_MAX = 5
# How many attempts (one box each) fit on a phone screen. The HTML report and the terminal have the same limit.
POINTS_MAX = 20


def sparkline(values: Sequence[float], top: float = DEPTH_MAX) -> str:
    """Return one block character for each value, scaled from 0 to `top`; only the last 20 if there are more."""
    last = len(BARS) - 1
    return "".join(BARS[max(0, min(last, round(value / top * last)))] for value in values[-POINTS_MAX:])


def topic_lines(topics: Sequence[TopicTrend]) -> list[str]:
    """Return a line for each topic: depth over time as a sparkline, first and last depth, and verdicts."""
    with_depth = [topic for topic in topics if topic.depths]
    width = max((len(topic.name) for topic in topics), default=0)
    bars = max((min(POINTS_MAX, len(topic.depths)) for topic in with_depth), default=0)
    lines = []
    for topic in topics:
        depths, attempts = topic.depths, topic.attempts
        course = f"{depths[0]:.1f} → {depths[-1]:.1f}" if len(depths) > 1 else f"{depths[0]:.1f}" if depths else ""
        depth = f"depth {course} over {pluralize(len(depths), 'answer')}" if depths else ""
        passed = sum(attempt.report.verdict is Verdict.PASSED for attempt in attempts)
        verdicts = f"{passed} of {pluralize(len(attempts), 'submission')} passed" if attempts else ""
        facts = "; ".join(fact for fact in (depth, verdicts) if fact)
        lines.append(f"{topic.name.ljust(width)}  {sparkline(depths).ljust(bars)}  {facts}")
    return lines


def verdict_line(attempts: Sequence[LoggedAttempt]) -> str:
    """Return attempts as a row of marks, ✓ if passed and ✗ if not, followed by the last verdict."""
    marks = "".join("✓" if attempt.report.verdict is Verdict.PASSED else "✗" for attempt in attempts[-POINTS_MAX:])
    return f"{marks}  {verdict_text(attempts[-1].report.verdict)}" if attempts else ""
