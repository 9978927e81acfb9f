"""Turns measured values into figures and tables; measures nothing."""

from __future__ import annotations

import statistics
from typing import Any

NAMES = {
    "warm": "submit to verdict, warm cell (ms)",
    "bare": "the same work bare, one process (ms)",
    "cold": "cold `docker run` (ms)",
    "pool_all": "llm-sandbox, warm pool: submit to verdict (ms)",
    "pool_open": "llm-sandbox, warm pool: of that open (ms)",
    "pool_run": "llm-sandbox, warm pool: of that run (ms)",
    "pool_close": "llm-sandbox, warm pool: close, after the verdict (ms)",
    "own_all": "llm-sandbox, own session: submit to verdict (ms)",
    "own_open": "llm-sandbox, own session: of that open (ms)",
    "own_run": "llm-sandbox, own session: of that run (ms)",
    "own_close": "llm-sandbox, own session: close, after the verdict (ms)",
    "inside": "of warm: payload to last result byte (ms)",
    "wait": "of warm: the sandbox's own time (ms)",
    "refill": "verdict to next cell ready (ms)",
    "mib": "idle cell (MiB)",
    "batch": "batch in shared containers: time per verdict (ms)",
    "bare_row": "the same work bare, one after another (ms)",
    "bare_same": "bare, one after another, on cases drawn once (ms)",
}
SLOW_WAYS = {"cold": "cold `docker run`", "pool_all": "llm-sandbox, warm pool", "own_all": "llm-sandbox, own session"}
HEAD = ["| task | what | p50 | p95 | p99 | n |", "|---|---|---|---|---|---|"]
Figures = dict[str, dict[str, float]]


def percentiles(values: list[float]) -> dict[str, float]:
    """Return p50, p95 and p99 with the count; for a single value, that value."""
    cuts = statistics.quantiles(values * 2 if len(values) == 1 else values, n=100, method="inclusive")
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "n": len(values)}


def ratios(figures: Figures) -> dict[str, float]:
    """Return what a warm cell adds to the bare work in ms, and the ratios of the slow methods to it."""
    warm = figures["warm"]
    more = {f"warm cell: {key} above bare (ms)": warm[key] - figures["bare"][key] for key in ("p50", "p95")}
    times = {
        f"{name}: p50 over that of a warm cell (times)": figures[way]["p50"] / warm["p50"]
        for way, name in SLOW_WAYS.items()
        if way in figures
    }
    return {name: round(value, 1) for name, value in (more | times).items()}


def batch_ratios(figures: Figures) -> dict[str, float]:
    """Return the rate of a batch, and its ratios to the rates of the bare methods."""
    batch = figures["batch"]["p50"]
    return {
        "batch: verdicts per second": round(1e3 / batch, 1),
        "batch: rate over bare": round(figures["bare_row"]["p50"] / batch, 2),
        "batch: rate over bare on cases drawn once": round(figures["bare_same"]["p50"] / batch, 2),
    }


def named(figures: Figures) -> Figures:
    """Return the figures under the names that people read, in display order."""
    return {name: figures[way] for way, name in NAMES.items() if way in figures}


def table(figures: dict[str, Any]) -> str:
    """Return all figures as one Markdown table; a row with a single number has it in the first column."""
    lines = list(HEAD)
    for task, ways in figures["tasks"].items():
        for name, figure in ways.items():
            numbers = " | ".join(f"{figure[key]:.1f}" for key in ("p50", "p95", "p99"))
            lines.append(f"| {task} | {name} | {numbers} | {figure['n']} |")
        lines += [f"| {task} | {name} | {value} | | | |" for name, value in figures["ratios"][task].items()]
        if task in figures["grades_per_second"]:
            lines.append(f"| {task} | grades per second, one cell | {figures['grades_per_second'][task]} | | | |")
    for part in ("app", "command"):
        measured = figures.get(part, {"figures": {}, "ratios": {}})
        for name, figure in measured["figures"].items():
            numbers = " | ".join(f"{figure[key]:.1f}" for key in ("p50", "p95", "p99"))
            lines.append(f"| {part} | {name} | {numbers} | {figure['n']} |")
        lines += [f"| {part} | {name} | {value} | | | |" for name, value in measured["ratios"].items()]
    waits = figures.get("model", {"figures": {}, "p90": {}})
    for name, figure in waits["figures"].items():
        numbers = " | ".join(f"{figure[key]:.1f}" for key in ("p50", "p95", "p99"))
        lines.append(f"| model | {name} | {numbers} | {figure['n']} |")
    lines += [f"| model | p90: {name} (s) | {value} | | | |" for name, value in waits["p90"].items()]
    for count in figures["forgeries"]:
        for key, what in (("accepted", "accepted"), ("found", "found an answer or a seed")):
            lines.append(f"| forgeries | {what}: {count['way']} | {len(count[key])} | | | {count['of']} |")
    return "\n".join(lines)
