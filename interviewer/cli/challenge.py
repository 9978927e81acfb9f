"""Run a timed challenge (a task, the weakest task, a random task, or a set) in the app or in plain mode."""

from __future__ import annotations

import random

import click

from interviewer.cli.launch import open_app, require_terminal
from interviewer.cli.options import DEVICE, MINUTES, open_context
from interviewer.cli.plain.challenge import run_plain_challenge
from interviewer.errors import OK, BadInput
from interviewer.interview.challenge import TASK_SETS, Challenge, pick_set_tasks, weakest_first
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_challenge
from interviewer.log.progress import Progress

WEAKEST, RANDOM = "weakest", "random"
PICKS = (WEAKEST, RANDOM, *(task_set.id for task_set in TASK_SETS))


@click.command()
@click.argument("task", required=False)
@click.option(
    "--pick",
    type=click.Choice(PICKS),
    default=WEAKEST,
    show_default=True,
    help="How to choose the task if TASK is omitted.",
)
@click.option("--minutes", type=MINUTES, help="Time limit. Default: the task's own limit.")
@DEVICE
@click.option("--plain", is_flag=True, help="Read lines from stdin and print to stdout, without the full-screen app.")
def challenge(task: str | None, pick: str, minutes: float | None, device: str, plain: bool) -> int:
    """Code against the clock: one TASK, your weakest task, a random one, or a set."""
    if not plain:
        require_terminal()
    with open_context() as context:
        practice = context.progress()
        tasks, planned = _chosen(context, task, pick, practice)
        started = new_challenge(context, tasks, minutes or planned, device)
        if not plain:
            return open_app(context, started)
        assert isinstance(started, Challenge)
        context.warm_up()
        run_plain_challenge(context, started, practice)
    return OK


def _chosen(context: AppContext, task: str | None, pick: str, practice: Progress) -> tuple[list[str], float]:
    """Return a challenge's task ids and its length in minutes. Raises BadInput if a task or set cannot be used."""
    if task:
        return [task], float(context.task(task).minutes)
    chance = random.Random()
    if task_set := next((known for known in TASK_SETS if known.id == pick), None):
        tasks = [brief.id for brief in pick_set_tasks(task_set, context.tasks, practice, chance)]
        if not tasks:
            raise BadInput(f"the set {pick} contains no tasks", "To list all tasks, run interviewer tasks.", "plan")
        return tasks, task_set.minutes
    ordered = weakest_first(context.tasks, practice, chance)
    brief = ordered[0] if pick == WEAKEST else chance.choice(ordered)
    return [brief.id], brief.minutes
