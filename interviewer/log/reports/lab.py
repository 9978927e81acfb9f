"""Formats memory lab results as text and HTML, and stores the latest result for each task for the report.

Every bar has its number next to it, so no result depends on color or on the terminal width.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from graders.lab.result import Figure, LabResult, Setup, result_from_json
from interviewer.log.reports.markup import Html, joined, tag
from interviewer.log.reports.overview import local_date
from interviewer.log.reports.svg import bar_chart
from interviewer.session.phrases import pluralize

FOLDER = "lab"
BAR_CELLS = 24
ROUNDING = 1e-6
HEADINGS = ("memory", "figure", "difference from measured")


@dataclass(frozen=True)
class KeptLab:
    """The latest memory lab result of a task, with its time (seconds since 1970) and whose estimate it contains."""

    at: float
    whose: str
    result: LabResult


def save_lab(data: Path, kept: KeptLab) -> None:
    """Write a result to the data folder, replacing the previous one for its task.

    Raises OSError if the result cannot be written.
    """
    file = data / FOLDER / f"{kept.result.task}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_suffix(".half")
    half.write_text(json.dumps(asdict(kept)), encoding="utf-8")
    half.replace(file)


def load_labs(data: Path) -> list[KeptLab]:
    """Return the stored results, sorted by task id. Unreadable files are skipped, because a new run replaces them."""
    labs = []
    for file in sorted((data / FOLDER).glob("*.json")):
        try:
            plain = json.loads(file.read_text(encoding="utf-8"))
            labs.append(KeptLab(float(plain["at"]), str(plain["whose"]), result_from_json(plain["result"])))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return labs


def forget_labs(data: Path) -> int:
    """Delete all stored results; return how many there were. Raises OSError if a file cannot be deleted."""
    files = list((data / FOLDER).glob("*"))
    for file in files:
        file.unlink()
    return len(files)


def lab_text(result: LabResult, title: str, whose: str, bar: str = "█") -> str:
    """Return the whole result as text. `whose` says which estimate is labeled "yours"; "" if no estimate is."""
    lines = [title, f"Measured on {_device(result)}. {result.method}", _whose(whose)]
    for setup in result.setups:
        lines += ["", setup.name, f"  {setup.args}", *(f"  {line}" for line in _table(setup, result.unit, bar))]
        lines += [f"  Note: {setup.note}"] if setup.note else []
    return "\n".join([*lines, "", agreement_text(result)] if result.has_submission else lines)


def agreement_text(result: LabResult) -> str:
    """Return one sentence about how often the submission agrees with the reference, and where it is furthest off.

    The submission is compared with the reference because a real model may use a little more memory than the task's
    rules account for.
    """
    judged = [
        (setup.name, figure) for setup in result.setups for figure in setup.figures if figure.reference is not None
    ]
    off = [(name, figure) for name, figure in judged if not _is_as_reference(figure)]
    if not off:
        return f"Your estimates match the reference for all {pluralize(len(judged), 'figure')}."
    name, worst = max(off, key=lambda pair: _distance(pair[1]))
    difference = worst.difference() + ("" if worst.yours is None else " from the measurement")
    agreement = f"Your estimates match the reference for {len(judged) - len(off)} of {len(judged)} figures."
    return f"{agreement} Furthest off: {name}, {worst.phase}: {difference}."


def _is_as_reference(figure: Figure) -> bool:
    """Return whether the submission's estimate equals the reference's, up to rounding."""
    yours, right = figure.yours, figure.reference
    return yours is not None and right is not None and math.isclose(yours, right, rel_tol=ROUNDING)


def _distance(figure: Figure) -> float:
    """Return the relative error of the submission's estimate against the measurement; infinity without an estimate."""
    return math.inf if figure.yours is None else abs(figure.yours - figure.measured) / max(1, figure.measured)


def _device(result: LabResult) -> str:
    return f"{'the GPU' if result.device == 'cuda' else 'the CPU'} with torch {result.torch}"


def _whose(whose: str) -> str:
    without = "No estimate from you yet: pass --file FILE, or grade a submission first."
    return f"Yours: {whose}." if whose else without


def _rows(figure: Figure) -> Iterator[tuple[str, float | None, str]]:
    """Yield a source ("measured", "reference" or "yours"), its number, and the difference from the measured number."""
    yield "measured", figure.measured, ""
    if figure.reference is not None:
        yield "reference", figure.reference, _difference(figure.reference, figure.measured)
        if figure.yours is not None or figure.problem:
            yield "yours", figure.yours, figure.difference()


def _difference(estimate: float, measured: int) -> str:
    return Figure("", measured, yours=estimate).difference()


def _largest(setup: Setup) -> float:
    """Return the largest number in a setup, or 1 if all numbers are smaller."""
    return max([1.0, *(amount for figure in setup.figures for _, amount, _ in _rows(figure) if amount is not None)])


def _table(setup: Setup, unit: str, bar: str) -> list[str]:
    """Return the lines of a setup's table: one for each number, each with a bar."""
    largest = _largest(setup)
    rows = [(HEADINGS[0], "", unit, "", HEADINGS[2])]
    for figure in setup.figures:
        for place, (who, amount, difference) in enumerate(_rows(figure)):
            number = "" if amount is None else f"{amount:,.0f}"
            cells = bar * round(BAR_CELLS * max(0.0, amount or 0.0) / largest)
            rows.append(("" if place else figure.phase, who, number, cells, difference))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return [
        f"{phase:{widths[0]}}  {who:{widths[1]}}  {number:>{widths[2]}}  {cells:{widths[3]}}  {difference}".rstrip()
        for phase, who, number, cells, difference in rows
    ]


def lab_page(kept: KeptLab, title: str) -> Html:
    """Return one result as the body of an HTML page."""
    return joined(tag("h1", "Memory lab"), _section(kept, title), tag("footer", "Generated by interviewer lab."))


def labs_section(labs: Sequence[KeptLab], titles: Sequence[str]) -> Html:
    """Return the stored results as a section of the report; empty if there are none."""
    if not labs:
        return Html("")
    sections = (_section(kept, title) for kept, title in zip(labs, titles, strict=True))
    return joined(tag("h2", "Memory lab"), *sections)


def _section(kept: KeptLab, title: str) -> Html:
    result = kept.result
    pieces = [
        tag("h3", title),
        tag("p", f"Measured on {local_date(kept.at)} on {_device(result)}. {result.method}"),
        tag("p", _whose(kept.whose)),
    ]
    for setup in result.setups:
        bars = [
            (f"{figure.phase}, {who}", amount, f"{amount:,.0f}")
            for figure in setup.figures
            for who, amount, _ in _rows(figure)
            if amount is not None
        ]
        pieces += [
            tag("p", tag("b", setup.name), " ", tag("code", setup.args)),
            tag("div", _html_table(setup, result.unit), class_="scroll"),
            bar_chart(bars, f"{setup.name}, in {result.unit}"),
        ]
        pieces += [tag("p", setup.note, class_="soft")] if setup.note else []
    pieces += [tag("p", agreement_text(result))] if result.has_submission else []
    return tag("section", *pieces, class_="part")


def _html_table(setup: Setup, unit: str) -> Html:
    names = ("memory", f"measured ({unit})", "reference", "yours", "yours vs. measured")
    rows = [tag("tr", *(tag("th", name) for name in names))]
    for figure in setup.figures:
        amounts = (figure.measured, figure.reference, figure.yours)
        numbers = (tag("td", "–" if amount is None else f"{amount:,.0f}") for amount in amounts)
        rows.append(tag("tr", tag("th", figure.phase), *numbers, tag("td", figure.difference())))
    return tag("table", *rows)
