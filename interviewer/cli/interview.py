"""Run a mock interview, new or resumed, in the app or in plain mode."""

from __future__ import annotations

from typing import Any

import click

from interviewer.cli.launch import open_app, require_terminal
from interviewer.cli.options import EXAMINER, MINUTES, MODEL, SANDBOX, open_context
from interviewer.cli.output import echo
from interviewer.cli.plain.challenge import run_plain_challenge
from interviewer.cli.plain.interview import PassedTaskHooks, run_plain_interview, say_summary
from interviewer.config import Settings
from interviewer.errors import OK, BadInput
from interviewer.interview.challenge import Challenge
from interviewer.interview.context import AppContext
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import new_interview, resume_interview
from interviewer.interview.teaching import Teacher
from interviewer.session.plan import CODING_MINUTES_MIN, PlanRequest


@click.command()
@click.option("--plain", is_flag=True, help="Read lines from stdin and print to stdout, without the full-screen app.")
@click.option("--minutes", type=MINUTES, help="Length of the interview.")
@click.option("--focus", default="", help="Topics to draw questions from, separated by commas.")
@click.option("--role", metavar="ROLE", help="Role: any, algorithm, infrastructure or full_stack.")
@click.option("--level", metavar="LEVEL", help="Level: any, new_grad, senior or staff.")
@click.option("--coding", metavar="SHARE", help="Share of coding tasks: auto, none, third, half or most.")
@click.option("--question", "questions", multiple=True, metavar="ID", help="Ask this question. Can be repeated.")
@click.option("--task", "tasks", multiple=True, metavar="ID", help="Include this coding task. Can be repeated.")
@click.option("--examiner", type=EXAMINER, help="Which examiner judges the answers.")
@MODEL
@SANDBOX
@click.option("--persona", metavar="NAME", help="How the interviewer talks: friendly, neutral or skeptical.")
@click.option("--style", metavar="NAME", help="Kind of company: plain, research_lab, startup_infra or quant.")
@click.option(
    "--strictness",
    metavar="NAME",
    help="How strictly the interviewer keeps to its question, without a lead-in: lenient, standard or strict. Does not "
    "affect judging.",
)
@click.option("--spend-cap", "spend_cap_usd", type=float, metavar="USD", help="Maximum cost of model calls; 0: no cap.")
@click.option(
    "--resume", is_flag=False, flag_value="latest", metavar="[ID]", help="Resume a session. Default: the latest."
)
@click.option("--seed", type=int, help="Seed for the plan: the same seed gives the same plan.")
@click.option("--live", is_flag=True, help="Allow an observer to join with the token shown; see interviewer observe.")
def interview(plain: bool, resume: str | None, seed: int | None, live: bool, **flags: Any) -> int:
    """Start a mock interview."""
    if not plain:
        require_terminal()
    wishes = {name: flags.pop(name) for name in ("focus", "questions", "tasks")}
    with open_context(**flags) as context:
        started = _resumed(context, resume) if resume else _new(context, seed, **wishes)
        if live:
            started.go_live()
        is_named = bool(resume or wishes["questions"] or wishes["tasks"])
        note = "" if is_named else _too_short_for_code(context.settings)
        if not plain:
            return open_app(context, started, note)
        if note:
            echo(f"note: {note}", is_error=True)
        context.warm_up()
        if isinstance(started, Challenge):
            run_plain_challenge(context, started, context.progress())
        elif run_plain_interview(started, hooks=PassedTaskHooks(started, context)):
            say_summary(Teacher(context), started.session)
    return OK


def _too_short_for_code(wished: Settings) -> str:
    if wished.coding != "auto" or wished.minutes >= CODING_MINUTES_MIN:
        return ""
    return f"No coding task fits in a {wished.minutes:g}-minute interview; --coding third adds one."


def _resumed(context: AppContext, name: str) -> Interview:
    """Return the session with this id, or the latest open session for "latest".

    Raises BadInput if no session matches.
    """
    if name != "latest":
        return resume_interview(context, name)
    line = context.log.unfinished()
    if line is None:
        raise BadInput(
            "there is no open session to resume", "To start a session, run interviewer interview.", "session"
        )
    return resume_interview(context, line.id)


def _new(
    context: AppContext, seed: int | None, *, focus: str, questions: tuple[str, ...], tasks: tuple[str, ...]
) -> Interview:
    topics = tuple(topic.strip() for topic in focus.split(",") if topic.strip())
    wished = context.settings
    request = PlanRequest(wished.minutes, topics, questions, tasks, wished.role, wished.level, wished.coding)
    return new_interview(context, request, seed)
