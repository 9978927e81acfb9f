"""Draws plots as SVG; color is never the only cue: every mark also has a number, a letter or a title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import LoggedDrill
from interviewer.log.reports.markup import Html, tag
from interviewer.log.reports.overview import local_date
from interviewer.log.reports.text_plots import DEPTH_MAX, POINTS_MAX
from interviewer.session.phrases import pluralize, verdict_text
from interviewer.session.state import Session

# Sizes are in SVG user units; the drawing is narrow, so text remains readable on a phone that is 360 pixels wide.
WIDTH, LEFT, RIGHT = 400.0, 34.0, 392.0
DEPTH_TOP, DEPTH_BOTTOM = 24.0, 124.0
MINUTES_TOP, MINUTES_BOTTOM = 156.0, 196.0
DATE_WIDTH = 62.0
MARK = 15.0
ROW = 38.0
BAR_ROW = 22.0
DOT_STEP = 0.2  # rungs


def timeline(sessions: Sequence[Session], drills: Sequence[LoggedDrill]) -> Html:
    """Plot the sessions over time: on top, each question's depth with its interval; below, each session's minutes.

    Assumes: there is at least one session.
    """
    times = [session.started_at for session in sessions]
    first, last = min(times), max(times)

    def across(at: float) -> float:
        return LEFT + 12 + (RIGHT - LEFT - 24) * ((at - first) / (last - first) if last > first else 0.5)

    judged = [past for past in drills if past.depth]
    pieces = [*_depth_grid(), *(_depth_mark(across(past.session.started_at), past) for past in judged)]
    pieces += _minutes(sessions, across)
    dates = [first, last] if across(last) - across(first) > DATE_WIDTH else [last]
    pieces += [
        _text(min(max(across(at), LEFT + 28), RIGHT - 28), MINUTES_BOTTOM + 14, local_date(at), "middle")
        for at in dates
    ]
    label = (
        f"{pluralize(len(sessions), 'session')} from {local_date(first)} to {local_date(last)}; {len(judged)} depths"
    )
    return _svg(MINUTES_BOTTOM + 20, label, pieces)


def _depth_grid() -> list[Html]:
    pieces = [_text(2, 11, "depth", "start")]
    for depth in range(DEPTH_MAX + 1):
        height = _height(depth)
        pieces += [tag("line", x1=LEFT, x2=RIGHT, y1=height, y2=height, class_="grid")]
        pieces += [_text(LEFT - 6, height + 3, str(depth), "end")]
    return pieces


def _height(depth: float) -> float:
    return round(DEPTH_BOTTOM - (DEPTH_BOTTOM - DEPTH_TOP) * min(depth, DEPTH_MAX) / DEPTH_MAX, 1)


def _depth_mark(x: float, past: LoggedDrill) -> Html:
    depth = past.depth
    if depth is None:
        return Html("")
    x = round(x, 1)
    title = f"{local_date(past.at)} {past.question.title}: {depth}"
    return tag(
        "g",
        tag("title", title),
        tag("line", x1=x, x2=x, y1=_height(depth.low), y2=_height(depth.high), class_="interval"),
        tag("circle", cx=x, cy=_height(depth.mean), r=3.5, class_="mark"),
    )


def _minutes(sessions: Sequence[Session], across: Callable[[float], float]) -> list[Html]:
    longest = max(60.0, *(session.elapsed_seconds for session in sessions))
    pieces = [
        _text(2, MINUTES_TOP - 12, "minutes", "start"),
        _text(LEFT - 6, MINUTES_TOP + 4, f"{longest / 60:.0f}", "end"),
    ]
    pieces += [tag("line", x1=LEFT, x2=RIGHT, y1=MINUTES_BOTTOM, y2=MINUTES_BOTTOM, class_="axis")]
    for session in sessions:
        height = max(1.0, (MINUTES_BOTTOM - MINUTES_TOP) * session.elapsed_seconds / longest)
        bar = tag("rect", tag("title", f"{local_date(session.started_at)}: {session.elapsed_seconds / 60:.0f} minutes"),
                  x=round(across(session.started_at) - 2.5, 1), y=round(MINUTES_BOTTOM - height, 1), width=5,
                  height=round(height, 1), class_="bar")  # fmt: skip
        pieces.append(bar)
    return pieces


def depth_rows(rows: Sequence[tuple[str, Sequence[float], float]]) -> Html:
    """Return a row for each label: a dot for each depth that occurs, labeled with its count, and a line at the median.

    Assumes: there is at least one row, and each row has at least one depth.
    """
    pieces = []
    for place, (label, depths, median) in enumerate(rows):
        top = place * ROW
        base = top + ROW - 8
        pieces += [_text(2, top + 11, f"{label}, median {median:.1f}", "start")]
        pieces += [tag("line", x1=LEFT, x2=RIGHT, y1=base, y2=base, class_="grid")]
        middle = round(_across(median), 1)
        pieces += [tag("line", x1=middle, x2=middle, y1=base, y2=base + 7, class_="axis")]
        steps = Counter(round(depth / DOT_STEP) for depth in depths)
        for step, count in sorted(steps.items()):
            x, title = round(_across(step * DOT_STEP), 1), f"{label}: {count} at about {step * DOT_STEP:.1f}"
            dot = tag("circle", cx=x, cy=base, r=3.5, class_="mark")
            pieces += [tag("g", tag("title", title), dot, _text(x, base - 6, str(count), "middle"))]
    bottom = len(rows) * ROW
    pieces += [_text(_across(depth), bottom + 8, str(depth), "middle") for depth in range(DEPTH_MAX + 1)]
    summary = f"depths in a class, {pluralize(len(rows), 'row')}: {rows[0][0]} to {rows[-1][0]}"
    return _svg(bottom + 12, summary, pieces)


def _across(depth: float) -> float:
    return LEFT + (RIGHT - LEFT - 8) * min(depth, DEPTH_MAX) / DEPTH_MAX


def bar_chart(bars: Sequence[tuple[str, float, str]], label: str) -> Html:
    """Return a horizontal bar for each label and amount, with the amount as text; `label` describes the whole chart.

    Assumes: there is at least one bar.
    """
    largest = max(1.0, *(amount for _, amount, _ in bars))
    pieces = []
    for place, (name, amount, number) in enumerate(bars):
        top = place * BAR_ROW
        width = round((RIGHT - 2) * max(0.0, amount) / largest, 1)
        bar = tag("rect", tag("title", f"{name}: {number}"), x=2, y=top + 13, width=width, height=6, class_="bar")
        pieces += [_text(2, top + 10, f"{name}: {number}", "start"), bar]
    return _svg(len(bars) * BAR_ROW + 2, label, pieces)


def verdict_strip(attempts: Sequence[LoggedAttempt]) -> Html:
    """Return the latest attempts at one task as a row of boxes: a check mark if passed, else a cross."""
    shown = attempts[-POINTS_MAX:]
    pieces = []
    for place, attempt in enumerate(shown):
        has_passed = attempt.report.verdict is Verdict.PASSED
        x = place * (MARK + 3)
        box = tag("rect", x=x, y=1, width=MARK, height=MARK, rx=3, class_="passed" if has_passed else "failed")
        letter = _text(x + MARK / 2, MARK - 2.5, "✓" if has_passed else "✗", "middle")
        title = tag("title", f"{local_date(attempt.at)} {attempt.origin}: {verdict_text(attempt.report.verdict)}")
        pieces.append(tag("g", title, box, letter))
    width = len(shown) * (MARK + 3)
    label = f"{pluralize(len(attempts), 'attempt')}, last verdict {verdict_text(attempts[-1].report.verdict)}"
    return tag("svg", *pieces, viewBox=f"0 0 {width:g} {MARK + 2:g}", width=width, height=MARK + 2, role="img",
               aria_label=label, class_="strip")  # fmt: skip


def _text(x: float, y: float, words: str, anchor: str) -> Html:
    return tag("text", words, x=round(x, 1), y=round(y, 1), text_anchor=anchor)


def _svg(height: float, label: str, pieces: Sequence[Html]) -> Html:
    return tag("svg", *pieces, viewBox=f"0 0 {WIDTH:g} {height:g}", role="img", aria_label=label, class_="chart")
