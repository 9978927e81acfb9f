"""List the questions and tasks, or show one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from graders.gate.mutate import mutants
from interviewer.bank.parse import Draft
from interviewer.cli.options import AS_JSON, open_context
from interviewer.cli.output import print_json, table
from interviewer.errors import OK
from interviewer.interview.challenge import mistakes_text
from interviewer.interview.context import AppContext
from interviewer.log.errors import LogError
from interviewer.session.question import Question
from tasks.task import Task

_ALL_TOPICS = "Leave out --topic to list everything. To see each question's topics, run interviewer questions."


@click.command()
@click.argument("name", required=False, metavar="[ID]")
@click.option("--topic", help="Only questions with this topic.")
@AS_JSON
def questions(name: str | None, topic: str | None, as_json: bool) -> int:
    """List the questions, or show one with its rungs and answers."""
    with open_context() as context:
        own = context.own_questions
        known = (*context.questions, *own.drafts, *own.forms)
        on_topic = [question for question in known if not topic or _has_topic(question.topics, topic)]
        chosen = [context.question(name)] if name else on_topic
    _print_left_out(own.problems)
    if as_json:
        print_json({"questions": [question_json(question) for question in chosen]})
    elif name:
        click.echo(question_text(chosen[0]))
    else:
        click.echo(table(question_rows(chosen)) or f"No question has the topic {topic}. {_ALL_TOPICS}")
    return OK


@click.command()
@click.argument("name", required=False, metavar="[ID]")
@click.option("--topic", help="Only tasks with this topic.")
@AS_JSON
@click.option("--markdown", is_flag=True, help="Print the table for docs/tasks.md.")
def tasks(name: str | None, topic: str | None, as_json: bool, markdown: bool) -> int:
    """List the coding tasks, or show the statement of one.

    Once you have passed a task, its topics and known mistakes are shown, too. --topic matches a repair task that you
    have not passed only by its area, because its topics name the bug.
    """
    with open_context() as context:
        passed = _passed_tasks(context) if (name or topic) and not as_json else set()

        def topics(task: Task) -> tuple[str, ...]:
            return task.topics if as_json else task.topics_shown(has_passed=task.id in passed) or (task.area,)

        known = [context.task(name)] if name else context.full_tasks
        chosen = [task for task in known if name or not topic or _has_topic(topics(task), topic)]
        problems = context.own_tasks.problems
    _print_left_out(problems)
    if as_json:
        print_json({"tasks": [task_json(task) for task in chosen]})
    elif markdown:
        click.echo(task_markdown(chosen))
    elif name:
        click.echo(task_text(chosen[0], has_passed=chosen[0].id in passed))
    else:
        click.echo(table(task_rows(chosen)) or f"No task has the topic {topic}. {_ALL_TOPICS}")
    return OK


def _passed_tasks(context: AppContext) -> set[str]:
    """Return the ids of passed tasks; empty if the log cannot be read, because listing tasks works without the log."""
    try:
        return context.history().passed_tasks()
    except LogError as error:
        click.echo(f"note: {error.message}", err=True)
        return set()


def _print_left_out(problems: Sequence[str]) -> None:
    """Print on stderr the user's own content that was left out, so that nothing is omitted silently."""
    for line in problems:
        click.echo(f"left out: {line}", err=True)


def question_json(question: Question) -> dict[str, Any]:
    """Return the object for a question in `questions --json`, with counts of points, rungs, checks and so on."""
    return {
        "id": question.id,
        "title": question.title,
        "area": question.area,
        "level": question.level,
        "topics": list(question.topics),
        "seeds": list(question.seeds),
        "points": len(question.points),
        "rungs": len(question.rungs),
        "probes": len(question.probes),
        "checks": len(question.checks),
        "misconceptions": len(question.misconceptions),
        "sources": list(question.source),
        "draft": isinstance(question, Draft),
    }


def task_json(task: Task) -> dict[str, Any]:
    """Return the object for a task in `tasks --json`, with counts of cases and mistakes."""
    return {
        "id": task.id,
        "title": task.title,
        "kind": task.kind,
        "area": task.area,
        "level": task.level,
        "minutes": task.minutes,
        "devices": list(task.devices),
        "topics": list(task.topics),
        "seeds": list(task.seeds),
        "entry": task.entry,
        "signature": task.signature,
        "cases": len(task.case_names),
        "mistakes": len(task.mistakes),
    }


def question_rows(questions: Sequence[Question]) -> list[list[str]]:
    """Return a row for each question: id, area, level (or "draft"), and topics."""
    return [[question.id, question.area, _level(question), ", ".join(question.topics)] for question in questions]


def _level(question: Question) -> str:
    if isinstance(question, Draft):
        return "draft" if question.points else "draft, no points yet"
    return f"level {question.level}"


def question_text(question: Question) -> str:
    """Format a question for an interviewer or author, with rungs and answers."""
    lines = [f"{question.id} ({question.area}, {_level(question)}; {', '.join(question.topics)})", ""]
    lines += [question.prompt, "", "Points:"]
    lines += [f"  {point.id}: {point.for_judge}" for point in question.points]
    for number, rung in enumerate(question.rungs, 1):
        lines += ["", f"Rung {number}: {rung.ask}", f"  {rung.answer}", f"  wants: {', '.join(rung.points)}"]
    lines += ["", "Misconceptions:"]
    lines += [f"  {belief.id}: {belief.says} Follow-up question: {belief.ask}" for belief in question.misconceptions]
    seeds = ", ".join(question.seeds) or "none"
    lines += ["", f"Seeds: {seeds}", f"Sources: {'; '.join(question.sources_with_versions)}"]
    return "\n".join(lines)


def task_text(task: Task, *, has_passed: bool) -> str:
    """Return a task's statement, and after a pass also its topics and known mistakes, which reveal solutions."""
    if not has_passed:
        return task.statement
    return f"{task.statement.rstrip()}\n\nTopics: {', '.join(task.topics)}\n\n{mistakes_text(task)}\n"


def _has_topic(topics: Sequence[str], wanted: str) -> bool:
    """Return whether these topics include the wanted topic, ignoring case."""
    return wanted.casefold() in (topic.casefold() for topic in topics)


def task_rows(tasks: Sequence[Task]) -> list[list[str]]:
    """Return a row for each task: id, kind, level, minutes, title."""
    return [[task.id, task.kind, f"level {task.level}", f"{task.minutes} min", task.title] for task in tasks]


def task_markdown(tasks: Sequence[Task]) -> str:
    """Return the table in docs/tasks.md with each task's gate results.

    Assumes: the gate passes, so every mutant that is not listed as equivalent is caught.
    """
    lines = [
        "| task | kind | level | minutes | what it is | cases | known mistakes | mutants caught |",
        "|---|---|---|---|---|---|---|---|",
    ]
    caught = {task.id: sum(1 for _ in mutants(task.reference)) - len(task.equivalents) for task in tasks}
    lines += [
        f"| `{task.id}` | {task.kind} | {task.level} | {task.minutes} | {task.title} | {len(task.case_names)} |"
        f" {len(task.mistakes)} | {caught[task.id]} |"
        for task in tasks
    ]
    mistakes, equivalent = sum(len(task.mistakes) for task in tasks), sum(len(task.equivalents) for task in tasks)
    lines += [
        "",
        f"{len(tasks)} tasks. Each of the {mistakes} known mistakes fails exactly its listed cases, on 20 seeds.",
        f"The references were mutated automatically. Of {sum(caught.values()) + equivalent} mutants,"
        f" {sum(caught.values())} are caught; the other {equivalent} are listed as equivalent, each with a reason.",
        "`interviewer check --all` checks these numbers and prints which cases each mistake fails (the kill matrix).",
    ]
    return "\n".join(lines)
