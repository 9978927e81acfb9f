"""What authors of content call: a new task folder, and the gate for one piece or for all."""

from __future__ import annotations

from pathlib import Path

import click

from interviewer.bank.load import QUESTIONS, load_questions, load_seeds
from interviewer.cli import own_gate
from interviewer.config import find_folders
from interviewer.exits import BAD_INPUT, OK, Failure
from tasks.load import TaskError, load_tasks
from tasks.new import scaffold


def new_task(name: Path) -> int:
    """Write a new task folder below ./tasks, or where a longer or absolute path says, and say what comes next."""
    folder = Path("tasks") / name if len(name.parts) == 2 and not name.is_absolute() else name
    if len(folder.parts) < 3:
        raise Failure(BAD_INPUT, "input", f"{name}: expected AREA/SLUG", "Say for example losses/my_loss.")
    try:
        for path in scaffold(folder):
            click.echo(path)
    except (TaskError, OSError) as error:
        raise Failure(BAD_INPUT, "input", str(error)) from None
    click.echo(f"It is proven as it stands: interviewer check {folder}. Change one file at a time and check again.")
    return OK


def check(path: Path | None, is_whole: bool = False) -> int:
    """Prove questions, tasks, or both; complaints are printed, and any makes the exit code 1.

    Without a path, tasks that have not changed since their recorded proof are proven again only if `is_whole`, except
    for a random tenth.
    """
    # torch is needed to prove tasks, and only there may it be imported into the app's own process.
    from graders.gate.check import main as check_tasks
    from interviewer.authoring.check import main as check_questions

    folders = find_folders()
    if path is None:
        shipped = check_questions([]) | _tell_listening() | _check_statements()
        shipped |= check_tasks(["--all"] if is_whole else []) | _check_seeds()
        return shipped | own_gate.check_own(folders)
    if not path.exists():
        raise Failure(BAD_INPUT, "input", f"{path}: no such file or folder", "Name a question file or a task folder.")
    if path.resolve().is_relative_to(folders.questions.resolve()):
        return own_gate.check_own_questions(folders, path.resolve())
    if path.resolve().is_relative_to(folders.tasks.resolve()):
        return own_gate.check_own_tasks(folders, path.resolve())
    is_task = path.is_dir() and any(path.rglob("task.toml"))
    if is_task:
        return check_tasks([str(path)])
    is_shipped = path.resolve().is_relative_to(QUESTIONS)
    return check_questions([str(path)]) | (_check_statements(path.stem) if is_shipped and path.is_file() else 0)


def _tell_listening() -> int:
    """Tell how well the offline examiner hears the gold answers; complain when it falls below the bar."""
    from interviewer.examiner.calibration.measure import calibrate
    from interviewer.examiner.checked import CheckedExaminer
    from interviewer.examiner.gold import GoldError, load_gold
    from interviewer.examiner.offline import OfflineExaminer

    questions = {one.id: one for one in load_questions()}
    examiner = CheckedExaminer(OfflineExaminer())
    try:
        result, measured = calibrate(examiner, examiner.version, questions, load_gold(questions))
    except GoldError as error:
        click.echo(f"gold: {error}")
        return 1
    precision, recall = measured.figures["precision"] or 0.0, measured.figures["recall"] or 0.0
    click.echo(f"listening: precision {precision:.0%}, recall {recall:.0%}; {result}")
    return 0 if result is not None and result.is_good else 1


def _check_statements(only: str = "") -> int:
    """Try each point with its statements on file, where there are any; what is installed has none."""
    from interviewer.authoring import statements

    return statements.main([only] if only else []) if statements.STATEMENTS.is_dir() else 0


def _check_seeds() -> int:
    """Tell which source items nothing claims yet; one that a task makes up is a complaint."""
    known = load_seeds()
    claims = {seed: f"question {one.id}" for one in load_questions() for seed in one.seeds}
    claims |= {seed: f"task {one.id}" for one in load_tasks() for seed in one.seeds}
    unknown = sorted(set(claims) - set(known))
    for seed in unknown:
        click.echo(f"{claims[seed]}: seeds: {seed!r} is not in bank/seeds.toml")
    open_seeds = [seed for seed in known if seed not in claims]
    click.echo(f"seeds: {len(known) - len(open_seeds)} of {len(known)} claimed by a question or a task")
    if open_seeds:
        click.echo(f"  claimed by nothing: {', '.join(open_seeds)}; name each in the seeds of a question or a task")
    return 1 if unknown or open_seeds else 0
