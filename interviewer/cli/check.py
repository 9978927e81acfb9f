"""Check content before use: shipped and user-written questions, tasks, phrasings and seeds.

The user's own content gets the same checks as shipped content, but only errors in the user's files are printed.

`authoring/checked.json` records the shipped questions that passed, each with a digest of its files, of the code that
checks it, and of everything else that affects the result. If no digest has changed, only a random tenth is checked
again, or none with `--changed`. Each question is tested against the answers to all other questions. If any question has
changed, all questions are checked again; with `--changed`, only the changed ones are.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from graders.gate.record import ROOT, code_digest, files_digest
from interviewer.authoring import statements
from interviewer.authoring.check import check_questions
from interviewer.authoring.check import main as check_question_files
from interviewer.authoring.sources import source_files, source_lines, stale_lines
from interviewer.bank.load import (
    QUESTIONS,
    SEEDS,
    load_questions,
    load_source_items,
    read_questions,
    unknown_task_topics,
)
from interviewer.bank.parse import parse_question
from interviewer.bank.user_questions import UserQuestions, load_user_questions
from interviewer.cli.options import FOLDER, FileName
from interviewer.config import Folders, find_folders
from interviewer.errors import BadInput
from interviewer.examiner.calibration.measure import calibrate
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.gold import GoldError, load_gold
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.phrases import pluralize
from interviewer.session.question import Question
from tasks.load import TASKS_FOLDER, load_tasks, task_names
from tasks.user_tasks import load_user_tasks

CHECKED = Path(__file__).parents[1] / "authoring" / "checked.json"
GOLD = Path(__file__).parents[1] / "examiner" / "gold"
SHARE_CHECKED_AGAIN = 0.1
# These modules and all their direct and indirect imports are part of the digests.
_ENTRY_MODULES = (
    "interviewer.authoring.check",
    "interviewer.authoring.statements",
    "interviewer.examiner.calibration.measure",
    "interviewer.examiner.checking_examiner",
    "interviewer.examiner.gold",
)
_OWN_PACKAGES = ("interviewer", "graders", "tasks")


@click.command()
@click.argument("path", required=False, type=FileName())
@click.option(
    "--all",
    "scope",
    flag_value="--all",
    help="Check everything, including content that has not changed since its last recorded check.",
)
@click.option(
    "--changed",
    "scope",
    flag_value="--changed",
    help="Skip content that has not changed since its last recorded check.",
)
@click.option("--write", is_flag=True, help="With --all: record the results.")
@click.option("--sources", is_flag=True, help="Look up the terms of each checked source in a clone of its repository.")
@click.option("--clones", type=FOLDER, help="With --sources: folder with the clones (owner/name). Default: clones.")
@click.option(
    "--stale", type=click.IntRange(min=0), metavar="DAYS", help="List sources last checked more than DAYS ago."
)
def check(
    path: Path | None, scope: str | None, write: bool, sources: bool, clones: Path | None, stale: int | None
) -> int:
    """Check the content: all of it, or one question or task."""
    if write and (path or scope != "--all"):
        raise click.UsageError("--write records the bundled content: use it with --all and without PATH")
    folders = find_folders()
    if clones is not None and not sources:
        raise click.UsageError("--clones only sets the folder for --sources: pass --sources as well")
    if sources or stale is not None:
        return _check_sources(path, folders, (clones or Path("clones")) if sources else None, stale)
    if path is None:
        shipped = _check_shipped_questions(scope, write)
        shipped |= _prove_tasks([word for word in (scope, "--write" if write else "") if word])
        shipped |= _check_seeds() | _check_task_topics(TASKS_FOLDER)
        return shipped | _check_own(folders)
    if not path.exists():
        raise BadInput(f"{path}: no such file or folder", "Pass a question file or a task folder.")
    if path.resolve().is_relative_to(folders.questions.resolve()):
        return _check_own_questions(folders, path.resolve())
    if path.resolve().is_relative_to(folders.tasks.resolve()):
        return _check_own_tasks(folders, path.resolve())
    is_task = path.is_dir() and any(path.rglob("task.toml"))
    if is_task:
        return _prove_tasks([path]) | _check_task_topics(path)
    is_shipped = path.resolve().is_relative_to(QUESTIONS)
    return check_question_files([str(path)]) | (_check_statements([path.stem]) if is_shipped and path.is_file() else 0)


def _check_sources(path: Path | None, folders: Folders, clones: Path | None, stale: int | None) -> int:
    """Look up the sources of questions and tasks in `clones`, and list those not checked in the last `stale` days.

    Return 1 if a source cannot be opened or does not contain one of its terms. A path selects questions; without a
    path, the sources of the shipped tasks are also looked up and listed.
    """
    questions = [*load_questions(), *load_user_questions(folders.questions).questions]
    if path is not None:
        questions = [question for question in questions if question.id == path.stem or question.area == path.name]
        if not questions:
            raise BadInput(f"{path}: no question", "Pass a question file or an area's folder.")
    tasks = load_tasks() if path is None else ()
    problems: list[str] = []
    if clones is not None:
        problems, without_clone = source_lines(questions, clones, tasks)
        for line in problems:
            click.echo(line)
        files = list(source_files(questions, tasks))
        looked_up = sum(source.repository not in without_clone for source in files)
        click.echo(
            f"sources: {pluralize(len(files), 'file')} pinned to a commit, {looked_up} looked up in a clone, "
            f"{len(problems)} complaints"
        )
        if without_clone:
            click.echo(f"  not opened, because there is no clone: {', '.join(without_clone)}")
    if stale is not None:
        lines = list(stale_lines(questions, stale, datetime.date.today(), tasks))
        for line in lines:
            click.echo(line)
        click.echo(f"sources: {len(lines)} never checked or checked more than {stale} days ago")
    return 1 if problems else 0


def _check_shipped_questions(scope: str | None, write: bool) -> int:
    """Check the shipped questions and their statements, except those with a valid record."""
    recorded, now = read_checked(), digests()
    changed = [name for name in now if recorded.get(name) != now[name]]
    is_removed = not recorded.keys() <= now.keys()
    if scope == "--all" or is_removed or len(changed) == len(now) or (changed and scope is None):
        if scope != "--all":
            click.echo("Checking all questions, because questions or code changed since the last recorded check.")
        failed = check_question_files([]) | _check_examiner() | _check_statements()
        if write:
            write_checked({} if failed else now)
        return failed
    chosen = changed if scope == "--changed" else draw_again(list(now), random.SystemRandom())
    failed = _check_chosen(chosen) if chosen else 0
    # The gold answers of all questions give one result, so either all of them are judged again or none are.
    failed |= _check_examiner() if changed or scope is None else 0
    click.echo(f"{len(now) - len(changed)} questions have not changed since their last recorded check")
    return failed


def _check_chosen(names: Sequence[str]) -> int:
    """Check these shipped questions against all others, and check their statements."""
    questions, problems = read_questions(QUESTIONS, is_proved=True)
    unsound: set[str] = set()
    for path in sorted(QUESTIONS.glob("*/*.toml")):
        if path.stem in names and (faults := parse_question(path)[1]):
            problems += faults
            unsound.add(path.stem)
    # As in the full check, skip questions that cannot be read or have phrasings that do not compile.
    sound = [question for question in questions if question.id not in unsound]
    complaints = [*dict.fromkeys(problems), *check_questions(sound, only=names)]
    for line in complaints:
        click.echo(line)
    click.echo(f"questions: {', '.join(names)} checked, {len(complaints)} complaints")
    return (1 if complaints else 0) | (_check_statements(names) if not unsound else 0)


def draw_again(names: Sequence[str], source: random.Random) -> list[str]:
    """Return a random tenth of the names (at least one), so that an incorrect record is eventually detected."""
    return sorted(source.sample(names, math.ceil(SHARE_CHECKED_AGAIN * len(names))))


def digests() -> dict[str, str]:
    """Return, for each shipped question, a digest of everything that affects its check."""
    tasks = task_names()
    shared = hashlib.sha256(code_digest(_ENTRY_MODULES, _OWN_PACKAGES))
    shared.update(files_digest(ROOT, [SEEDS, *GOLD.glob("*.toml")]))
    shared.update(repr((sorted(tasks.titles), sorted(tasks.current), sys.version_info[:2])).encode())
    return {
        path.stem: hashlib.sha256(
            shared.digest()
            + files_digest(ROOT, [file for file in (path, statements.STATEMENTS / path.name) if file.exists()])
        ).hexdigest()
        for path in sorted(QUESTIONS.glob("*/*.toml"))
    }


def read_checked() -> dict[str, str]:
    """Return the recorded digests; empty if the record is missing or damaged, so that everything is checked."""
    try:
        return dict(json.loads(CHECKED.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def write_checked(checked: Mapping[str, str]) -> None:
    """Record these digests and remove all others."""
    CHECKED.write_text(json.dumps(checked, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    click.echo(f"recorded {len(checked)} questions")


def _prove_tasks(arguments: Sequence[str | Path]) -> int:
    """Check the tasks in these folders, or the shipped tasks; `graders.gate.check` selects the tasks to prove."""
    # Checking tasks requires torch. This is the only place where the app's own process may import torch.
    from graders.gate.check import main as check_tasks

    return check_tasks([str(argument) for argument in arguments])


def _check_examiner() -> int:
    """Print how well the offline examiner judges the gold answers; return 1 if the result is below the threshold."""
    questions = {question.id: question for question in load_questions()}
    examiner = CheckedExaminer(OfflineExaminer())
    try:
        result, measured = calibrate(examiner, examiner.version, questions, load_gold(questions))
    except GoldError as error:
        click.echo(f"gold: {error}")
        return 1
    precision, recall = measured.figures["precision"] or 0.0, measured.figures["recall"] or 0.0
    click.echo(f"offline examiner: precision {precision:.0%}, recall {recall:.0%}; {result}")
    return 0 if result is not None and result.is_good else 1


def _check_statements(only: Sequence[str] = ()) -> int:
    """Test each point with its recorded statements, if there are any; an installed package contains no statements."""
    return statements.main(only) if statements.STATEMENTS.is_dir() else 0


def _check_seeds() -> int:
    """Print the source items (the entries of bank/seeds.toml) that no question or task covers.

    Return 1 if there are any, or if a question or a task names an unknown source item.
    """
    known = load_source_items()
    claims = {seed: f"question {question.id}" for question in load_questions() for seed in question.seeds}
    claims |= {seed: f"task {task.id}" for task in load_tasks() for seed in task.seeds}
    unknown = sorted(set(claims) - set(known))
    for seed in unknown:
        click.echo(f"{claims[seed]}: seeds: {seed!r} is not in bank/seeds.toml")
    open_seeds = [seed for seed in known if seed not in claims]
    covered = len(known) - len(open_seeds)
    click.echo(f"seeds: {covered} of {len(known)} entries of bank/seeds.toml are covered by a question or a task")
    if open_seeds:
        click.echo(f"  not covered: {', '.join(open_seeds)}; add each one to the `seeds` of a question or a task")
    return 1 if unknown or open_seeds else 0


def _check_task_topics(path: Path) -> int:
    """Print each unknown topic of the shipped tasks at or below a path; return 1 if there are any."""
    problems = unknown_task_topics(task for task in load_tasks() if task.folder.is_relative_to(path.resolve()))
    for line in problems:
        click.echo(line)
    return 1 if problems else 0


def _check_own(folders: Folders) -> int:
    """Check all content in the user's folders.

    Draft questions are counted but not checked, because they are asked only if the user names them.
    """
    if not folders.questions.exists() and not folders.tasks.exists():
        return 0
    questions, tasks = load_user_questions(folders.questions), load_user_tasks(folders.tasks)
    for line in tasks.problems:
        click.echo(line)
    failed = _print_complaints(questions, questions.questions, questions.problems, [task.id for task in tasks.tasks])
    failed |= 1 if tasks.problems else 0
    drafts = len(questions.drafts) + len(questions.forms)
    if drafts:
        click.echo(f"  {drafts} drafts are not checked; to see what a draft lacks, run interviewer check FILE")
    return failed | (_prove_tasks([task.folder for task in tasks.tasks]) if tasks.tasks else 0)


def _check_own_questions(folders: Folders, path: Path) -> int:
    """Check the user's questions at or below a path in their folder, including drafts."""
    own = load_user_questions(folders.questions)
    chosen = [
        question for question in (*own.questions, *own.drafts, *own.forms) if own.path_of(question).is_relative_to(path)
    ]
    problems = [line for line in own.problems if _is_about(line, path)]
    if not chosen and not problems:
        problems = [f"{path}: not a question; expected {folders.questions}/<area>/<slug>.toml"]
    return _print_complaints(own, chosen, problems, [task.id for task in load_user_tasks(folders.tasks).tasks])


def _check_own_tasks(folders: Folders, path: Path) -> int:
    """Check the user's tasks at or below a path in their folder."""
    own = load_user_tasks(folders.tasks)
    problems = [line for line in own.problems if _is_about(line, path)]
    chosen = [task.folder for task in own.tasks if task.folder.is_relative_to(path)]
    if not chosen and not problems:
        problems = [f"{path}: not a task; expected {folders.tasks}/<area>/<slug>/task.toml"]
    for line in problems:
        click.echo(line)
    return (1 if problems else 0) | (_prove_tasks(chosen) if chosen else 0)


def _print_complaints(own: UserQuestions, chosen: Sequence[Question], problems: Sequence[str], tasks: list[str]) -> int:
    # The user's questions are also tested against one another's answers.
    among = list({question.id: question for question in (*own.questions, *chosen)}.values())
    lines = check_questions(among, load_questions(), tasks)
    names = {f"{question.area}/{question.id}.toml: " for question in chosen}
    complaints = [f"{own.folder}/{line}" for line in lines if any(line.startswith(name) for name in names)]
    for line in (*problems, *complaints):
        click.echo(line)
    click.echo(f"your own questions: {len(chosen)} read, {len(problems) + len(complaints)} complaints")
    return 1 if problems or complaints else 0


def _is_about(problem: str, path: Path) -> bool:
    """Return whether a problem message, which begins with a file name, is about this path or a file below it."""
    return problem.startswith((f"{path}:", f"{path}/"))
