"""The gate for the user's own questions and tasks: the same proofs as for what ships, complaints about theirs only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from interviewer.authoring.check import check_questions
from interviewer.bank.load import load_questions
from interviewer.bank.own import OwnQuestions, read_own_questions
from interviewer.config import Folders
from interviewer.session.question import Question
from tasks.own import read_own_tasks


def check_own(folders: Folders) -> int:
    """Prove everything in the user's folders; drafts are counted, because they are not asked unless they are named."""
    if not folders.questions.exists() and not folders.tasks.exists():
        return 0
    questions, tasks = read_own_questions(folders.questions), read_own_tasks(folders.tasks)
    for line in tasks.problems:
        click.echo(line)
    failed = _tell(questions, questions.questions, questions.problems, [one.id for one in tasks.tasks])
    failed |= 1 if tasks.problems else 0
    drafts = len(questions.drafts) + len(questions.forms)
    if drafts:
        click.echo(f"  {drafts} drafts are not proven; interviewer check FILE lists what one of them lacks")
    return failed | (_prove([one.folder for one in tasks.tasks]) if tasks.tasks else 0)


def check_own_questions(folders: Folders, path: Path) -> int:
    """Prove the user's questions at or below a path in their folder; a draft that is named is proven like any other."""
    own = read_own_questions(folders.questions)
    chosen = [one for one in (*own.questions, *own.drafts, *own.forms) if own.path_of(one).is_relative_to(path)]
    problems = [line for line in own.problems if _is_about(line, path)]
    if not chosen and not problems:
        problems = [f"{path}: no question; expected {folders.questions}/<area>/<slug>.toml"]
    return _tell(own, chosen, problems, [one.id for one in read_own_tasks(folders.tasks).tasks])


def check_own_tasks(folders: Folders, path: Path) -> int:
    """Prove the user's tasks at or below a path in their folder."""
    own = read_own_tasks(folders.tasks)
    problems = [line for line in own.problems if _is_about(line, path)]
    chosen = [one.folder for one in own.tasks if one.folder.is_relative_to(path)]
    if not chosen and not problems:
        problems = [f"{path}: no task; expected {folders.tasks}/<area>/<slug>/task.toml"]
    for line in problems:
        click.echo(line)
    return (1 if problems else 0) | (_prove(chosen) if chosen else 0)


def _tell(own: OwnQuestions, chosen: Sequence[Question], problems: Sequence[str], tasks: list[str]) -> int:
    # Own questions are neighbours of one another too, so all that are asked listen to each other's answers.
    among = list({one.id: one for one in (*own.questions, *chosen)}.values())
    found = check_questions(among, load_questions(), tasks)
    names = {f"{one.area}/{one.id}.toml: " for one in chosen}
    complaints = [f"{own.folder}/{line}" for line in found if any(line.startswith(name) for name in names)]
    for line in (*problems, *complaints):
        click.echo(line)
    click.echo(f"your own questions: {len(chosen)} read, {len(problems) + len(complaints)} complaints")
    return 1 if problems or complaints else 0


def _is_about(problem: str, path: Path) -> bool:
    """Return whether a problem, which begins with its file, is about this path or something below it."""
    return problem.startswith((f"{path}:", f"{path}/"))


def _prove(folders: list[Path]) -> int:
    # torch is needed to prove tasks, and only in the gate may it be imported into the app's own process.
    from graders.gate.check import main as check_tasks

    return check_tasks([str(folder) for folder in folders])
