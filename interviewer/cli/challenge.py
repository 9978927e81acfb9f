"""What `challenge` and `watch` do once they are parsed; returns the exit code, raises Failure when something fails."""

from __future__ import annotations

import random
import time
from pathlib import Path

import click

from graders.errors import GradingError
from interviewer.cli.commands import failures, log_attempt, report_text
from interviewer.cli.launch import open_app
from interviewer.cli.plain.challenge import hold_plain
from interviewer.cli.watch import Saved, watch_file
from interviewer.errors import BadInput
from interviewer.exits import OK
from interviewer.interview.challenge import SETS, Challenge, set_tasks, weakest_first
from interviewer.interview.context import Kit
from interviewer.interview.sessions import new_challenge
from interviewer.log.progress import Progress

WEAKEST, CHANCE = "weakest", "random"
CHOICES = (WEAKEST, CHANCE, *(one.id for one in SETS))


def challenge(kit: Kit, task: str | None, pick: str, minutes: float | None, *, device: str, is_plain: bool) -> int:
    """Hold a timed challenge, in the app or on plain lines."""
    with failures():
        practice = kit.practice()
        tasks, planned = _chosen(kit, task, pick, practice)
        started = new_challenge(kit, tasks, minutes or planned, device)
    if not is_plain:
        return open_app(kit, started)
    assert isinstance(started, Challenge)
    kit.warm_up()
    with failures():
        hold_plain(kit, started, practice)
    return OK


def _chosen(kit: Kit, task: str | None, pick: str, practice: Progress) -> tuple[list[str], float]:
    """Return the tasks of a challenge and its minutes. Raises: BadInput."""
    if task:
        return [task], float(kit.task(task).minutes)
    chance = random.Random()
    if task_set := next((one for one in SETS if one.id == pick), None):
        found = [one.id for one in set_tasks(task_set, kit.tasks, practice, chance)]
        if not found:
            raise BadInput(f"no task belongs to the set {pick}", "interviewer tasks lists them.", "plan")
        return found, task_set.minutes
    ordered = weakest_first(kit.tasks, practice, chance)
    one = ordered[0] if pick == WEAKEST else chance.choice(ordered)
    return [one.id], one.minutes


def watch(kit: Kit, task: str, file: Path, *, device: str) -> int:
    """Grade a file on every save, until interrupted."""
    with failures():
        found = kit.task(task, device)
        kit.grader_client.start(kit.settings.sandbox, kit.settings.image)
        kit.grader_client.prepare(str(found.folder))
    click.echo(f"Watching {file} for {found.id}. Save it to grade it; ctrl+c ends.")
    for saved in watch_file(file):
        click.echo(f"\n{time.strftime('%H:%M:%S')} ", nl=False)
        if saved.problem:
            click.echo(saved.problem)
        else:
            _grade_saved(kit, str(found.folder), saved, device)
    return OK


def _grade_saved(kit: Kit, folder: str, saved: Saved, device: str) -> None:
    click.echo("grading …")
    try:
        report = kit.grader_client.grade(
            folder, saved.source, device=device, sandbox=kit.settings.sandbox, image=kit.settings.image
        )
    except GradingError as error:
        # Ours, and it may pass: an engine that is started meanwhile is found by the next save.
        click.echo(f"The grader failed, not your code: {error.message} {error.fix}")
        return
    click.echo(report_text(report))
    log_attempt(kit, report, saved.source, "watch")
