"""Walk the user through setting up a language model and fixing any problem that a single command can fix.

This is `doctor --fix`. Questions are asked one at a time. Without a terminal, nothing is asked and nothing is changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import click

from interviewer.cli.calibrate import print_calibration
from interviewer.cli.output import echo, table
from interviewer.interview.context import AppContext
from interviewer.interview.model_setup import (
    EXAMPLE_COST,
    Candidate,
    FoundModels,
    calibration_cost,
    context_with,
    find_models,
    save_model,
    try_model,
)
from sandbox.docker.image import DEFAULT_BASE, build_image

IMAGE, GPU_IMAGE = "image", "gpu image"
NONE = "-"
MATCHES_MAX = 30


class _Repair(NamedTuple):
    """A repair: what it does, what it costs, and the device that the image is for."""

    does: str
    costs: str
    device: str


_REPAIRS = {
    IMAGE: _Repair("Build the sandbox image", "1.1 GB, and 4 GiB of disk space during the build", "cpu"),
    GPU_IMAGE: _Repair("Build the sandbox image for GPUs", "several gigabytes", "cuda"),
}


class Repairable(Protocol):
    """The result of a check, with the repair that `doctor --fix` may offer."""

    @property
    def repair(self) -> str:
        """Return the name of the repair that `doctor --fix` may offer; "" if there is none."""
        ...


def offer_fixes(context: AppContext, checks: Sequence[Repairable]) -> None:
    """Offer each step and run the accepted steps; without a terminal, only print the offers.

    Raises InterviewerError if a step fails.
    """
    if not sys.stdin.isatty():
        echo("\nStandard input is not a terminal, so nothing was changed. In a terminal, --fix offers these steps:")
        for line in planned_fixes(context, checks):
            echo(f"  {line}")
        return
    _set_up_model(context)
    for repair in _repairs(checks):
        if click.confirm(f"\n{repair.does}? It takes {repair.costs}.", default=False):
            built = build_image(context.settings.image or None, DEFAULT_BASE, None, _report, repair.device)
            echo(f"Built {built}.")


def planned_fixes(context: AppContext, checks: Sequence[Repairable]) -> list[str]:
    """Return what `doctor --fix` would offer in a terminal. Only servers on this machine are contacted."""
    found = find_models(context.environ)
    lines = [*found.summary]
    if found.candidates:
        lines += [f"Offer {candidate.name}: {candidate.about}" for candidate in found.candidates]
        lines.append("Try one judgment with the chosen model, save the model as a setting, and offer to calibrate it.")
    return lines + [f"Offer to: {repair.does} ({repair.costs})." for repair in _repairs(checks)]


def _repairs(checks: Sequence[Repairable]) -> Iterator[_Repair]:
    return (_REPAIRS[check.repair] for check in checks if check.repair)


def _report(line: str) -> None:
    echo(line, is_error=True)


def _set_up_model(context: AppContext) -> None:
    """Let the user choose, try, save and calibrate a model."""
    echo("\nLooking for API keys and for model servers on this machine …")
    found = find_models(context.environ)
    for line in found.summary:
        echo(line)
    while True:
        chosen = _choose(context, found)
        if chosen is None:
            return
        trial = None
        if click.confirm(f"Try {chosen.name} now? {EXAMPLE_COST}", default=True):
            trial = try_model(context, chosen.name)
            echo(str(trial))
        if trial is None or trial.is_usable or not click.confirm("Choose a different model?", default=True):
            break
    if not click.confirm(f"Use {chosen.name} from now on?", default=trial is None or trial.is_usable):
        return
    for line in save_model(context, chosen):
        echo(line)
    if trial is not None and trial.is_usable:
        echo(calibration_cost(context, trial, runs_on=chosen.runs_on))
        if click.confirm("Calibrate now? Without a calibration, scores are shown as uncalibrated.", default=False):
            with context_with(context, chosen.name) as calibrated:
                print_calibration(calibrated, as_json=False)


def _choose(context: AppContext, found: FoundModels) -> Candidate | None:
    """Ask until exactly one model is chosen; return None to keep the current setting."""
    everything = (*found.candidates, *found.more)
    shown: Sequence[Candidate] = found.candidates
    while True:
        _print_candidates(shown)
        names = [candidate.name for candidate in shown]
        current = context.settings.model
        preset = str(names.index(current) + 1) if current in names else "1" if names and not current else NONE
        text = (
            f"Choose a number, enter a model's name (PROVIDER/MODEL), or type words to search {len(everything)} models"
        )
        reply = click.prompt(f"{text}; {NONE} changes nothing", default=preset).strip()
        if reply == NONE:
            return None
        if reply.isdecimal() and 1 <= int(reply) <= len(shown):
            return shown[int(reply) - 1]
        if "/" in reply:
            return found.named(reply)
        words = reply.casefold().split()
        matches = [candidate for candidate in everything if all(word in candidate.name.casefold() for word in words)]
        if not matches:
            echo("No matches. Try fewer words.")
        elif len(matches) > MATCHES_MAX:
            echo(f"{len(matches)} matches; the first {MATCHES_MAX} are shown. Try more words.")
        shown = matches[:MATCHES_MAX] or shown


def _print_candidates(candidates: Sequence[Candidate]) -> None:
    rows = [
        [str(number), candidate.name, candidate.context, candidate.price, candidate.source]
        for number, candidate in enumerate(candidates, 1)
    ]
    if rows:
        echo(table([["", "model", "context", "price per million tokens", "from"], *rows]))
