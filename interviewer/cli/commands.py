"""What each command does once it is parsed; returns the exit code, raises Failure for everything that goes wrong."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graders.verdict import Report, Verdict, failed_cases
from interviewer.cli import listing
from interviewer.cli.launch import open_app
from interviewer.cli.plain.challenge import hold_plain
from interviewer.cli.plain.interview import read_source, run_plain
from interviewer.errors import BadInput, journal
from interviewer.exits import BAD_INPUT, NOT_PASSED, OK, OUR_FAILURE, Failure, error_object, print_json
from interviewer.interview.challenge import Challenge
from interviewer.interview.context import Kit
from interviewer.interview.sessions import new_interview, resume_interview
from interviewer.sanitize import one_line
from interviewer.session import phrases
from interviewer.session.assessment import Assessment
from interviewer.session.move import Move, MoveKind
from interviewer.session.plan import Wishes
from interviewer.session.question import Question

if TYPE_CHECKING:
    from interviewer.log.attempts import Origin

_ALL_TOPICS = "Without --topic the list is whole; interviewer questions names the topics."


@contextmanager
def failures() -> Iterator[None]:
    """Do nothing: the command line itself catches every error."""
    yield


def interview(
    kit: Kit, wishes: dict[str, Any], *, is_plain: bool, resume: str | None, seed: int | None, is_live: bool = False
) -> int:
    """Hold a new interview, or go on with a logged one, in the TUI or on plain lines."""
    with failures():
        if resume == "latest":
            line = kit.log.unfinished()
            if line is None:
                raise BadInput("no session is open to go on with", "interviewer interview starts one.", "session")
            started = resume_interview(kit, line.id)
        elif resume:
            started = resume_interview(kit, resume)
        else:
            focus = tuple(word.strip() for word in wishes["focus"].split(",") if word.strip())
            wanted = Wishes(
                kit.settings.minutes, focus, wishes["questions"], wishes["tasks"], wishes["role"], wishes["level"]
            )
            started = new_interview(kit, wanted, seed)
        if is_live:
            started.go_live()
    if not is_plain:
        return open_app(kit, started)
    kit.warm_up()
    if isinstance(started, Challenge):
        with failures():
            hold_plain(kit, started, kit.practice())
    else:
        run_plain(started)
    return OK


def start(kit: Kit, task: str, directory: Path) -> int:
    """Write starter and statement of a task as TASK.py and TASK.md; an existing file is an error."""
    with failures():
        found = kit.task(task)
    texts = {directory / f"{found.id}.py": found.starter, directory / f"{found.id}.md": found.statement}
    for path in texts:
        if path.exists():
            raise Failure(BAD_INPUT, "exists", f"{path} is there already", "Name another folder, or move it away.")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            # "x": a file that appears between the check and the write is not overwritten either.
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
            click.echo(path)
    except OSError as error:
        raise Failure(BAD_INPUT, "input", f"{directory}: {error.strerror or error}") from None
    click.echo(f"Then: interviewer grade {found.id} {directory / found.id}.py")
    return OK


def grade(
    kit: Kit, task: str, file: Path, *, device: str, seed: int | None, as_json: bool, is_logged: bool = True
) -> int:
    """Grade one file, print the report and keep it as practice."""
    with failures():
        found = kit.task(task, device)
        source = read_source(file)
        report = kit.grader_client.grade(
            str(found.folder), source, device=device, sandbox=kit.settings.sandbox, image=kit.settings.image, seed=seed
        )
    if as_json:
        print_json(report.to_json())
    else:
        click.echo(report_text(report))
    if is_logged:
        log_attempt(kit, report, source, "grade")
    return OK if report.verdict is Verdict.PASSED else NOT_PASSED


def log_attempt(kit: Kit, report: Report, source: str, origin: Origin) -> None:
    """Keep a graded submission in the practice log; a log that takes nothing costs no verdict, and is told."""
    from interviewer.log.attempts import new_attempt
    from interviewer.log.errors import LogError

    try:
        kit.log.record_attempt(new_attempt(report, source, origin, at=time.time()))
    except LogError as error:
        click.echo(f"Not kept in the practice log: {error.message} {error.fix}", err=True)


def report_text(report: Report) -> str:
    """Return a report for people: the failing cases first, then the mistake, then how it was run."""
    passed = sum(case.verdict is Verdict.PASSED for case in report.cases)
    lines = [f"{report.task}: {report.verdict.value}, {passed} of {len(report.cases)} cases, score {report.score:.2f}"]
    for group in failed_cases(report):
        lines.append(f"  {', '.join(group.names)}: {group.verdict.value}: {group.message}")
        if group.inputs:
            lines.append(f"      inputs: {group.inputs}")
    for mistake in report.mistakes:
        lines += ["", f"Mistake {mistake.id}: {mistake.wrong}", f"Asked then: {mistake.ask}"]
    if report.stdout:
        lines += ["", "Output of the program:", report.stdout.rstrip()]
    took = report.seconds.get("verdict", 0.0)
    level = report.isolation.split(":")[0]
    return "\n".join([*lines, "", f"{report.sandbox} ({level}), seed {report.seed}, {took:.2f} s"])


def judge(kit: Kit, name: str, file: str, *, rung: int, as_json: bool) -> int:
    """Judge one answer and print the states with their quotes, and the move that would follow."""
    with failures():
        question = kit.question(name)
        if rung > len(question.rungs):
            raise BadInput(f"--rung {rung}: {name} has {len(question.rungs)} rungs")
        answer = _typed_answer() if file == "-" else read_source(Path(file))
        examiner = kit.cast.examiner
    ask = question.rungs[rung - 1].ask if rung else question.prompt
    asked = Move(MoveKind.DEEPER if rung else MoveKind.NEXT, ask, rung=rung)
    with failures():
        purse = kit.purse("judge")
        if why_not := purse.why_over():
            assessment = Assessment(examiner.name, is_graded=False, why_not=why_not)
        else:
            assessment = examiner.assess(question, ask, answer)
            purse.keep()
    calibration = next((one for one in kit.calibrations if one.examiner == examiner.name), None)
    is_calibrated = calibration is not None and calibration.is_good
    result = listing.judged_json(question, asked, answer, assessment, is_calibrated=is_calibrated)
    # An empty answer is nobody's failure; a model that gave no usable judgement is ours.
    has_failed = not assessment.is_graded and "empty" not in assessment.flags
    failure = Failure(OUR_FAILURE, "model", assessment.why_not, "Check the model, or use --examiner offline.")
    kept = journal.record(failure) if has_failed else ""
    if as_json:
        print_json({**result, **({"error": error_object(failure, kept)} if has_failed else {})})
    elif not assessment.is_graded:
        click.echo(f"ungraded: {assessment.why_not}" + (f" Error {kept}." if kept else ""), err=has_failed)
    else:
        _print_judged(question, assessment, result)
        click.echo(str(calibration) if calibration else phrases.UNCALIBRATED)
    return OUR_FAILURE if has_failed else OK


def _typed_answer() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise BadInput(f"standard input: not UTF-8 text (byte {error.start})") from None


def _print_judged(question: Question, assessment: Assessment, result: dict[str, Any]) -> None:
    for point in assessment.points:
        click.echo(f"{point.state.value:13} {point.id}" + (f"  “{one_line(point.quote)}”" if point.quote else ""))
    for belief in assessment.misconceptions:
        click.echo(f"misconception {belief.id}  “{one_line(belief.quote)}”")
    heard = sum(point.state.credit > 0 for point in assessment.points)
    click.echo(f"\nHeard {heard} of {len(question.points)} points. Judged by: {assessment.judge}.")
    click.echo(f"Next ({result['move']}): {result['next']}")


def questions(kit: Kit, name: str | None, *, topic: str | None, as_json: bool) -> int:
    """List questions, or show one."""
    with failures():
        known = (*kit.questions, *kit.own_questions.drafts, *kit.own_questions.forms)
        chosen = [kit.question(name)] if name else [one for one in known if not topic or topic in one.topics]
    _tell_trouble(kit.own_questions.problems)
    if as_json:
        print_json({"questions": [listing.question_json(one) for one in chosen]})
    elif name:
        click.echo(listing.question_text(chosen[0]))
    else:
        click.echo(listing.table(listing.question_rows(chosen)) or f"No question has the topic {topic}. {_ALL_TOPICS}")
    return OK


def _tell_trouble(problems: Sequence[str]) -> None:
    """Say on stderr what of the user's own content was left out: a list that lacks it must not be silent."""
    for line in problems:
        click.echo(f"left out: {line}", err=True)


def tasks(kit: Kit, name: str | None, *, topic: str | None, as_json: bool, as_markdown: bool) -> int:
    """List tasks, or show one's statement."""
    with failures():
        chosen = [kit.task(name)] if name else [one for one in kit.full_tasks if not topic or topic in one.topics]
    _tell_trouble(kit.own_tasks.problems)
    if as_json:
        print_json({"tasks": [listing.task_json(one) for one in chosen]})
    elif as_markdown:
        click.echo(listing.task_markdown(chosen))
    elif name:
        click.echo(chosen[0].statement)
    else:
        click.echo(listing.table(listing.task_rows(chosen)) or f"No task has the topic {topic}. {_ALL_TOPICS}")
    return OK


def doctor(kit: Kit, *, as_json: bool) -> int:
    """Check what works here and print it with the fix for each failure; exit code 3 when nothing can be practised."""
    from interviewer.cli.doctor import NEEDED, examine
    from interviewer.cli.keyboard import keyboard

    checks = [*examine(kit, os.environ), keyboard(sys.stdin, sys.stdout)]
    code = OUR_FAILURE if any(one.name in NEEDED and not one.is_ok for one in checks) else OK
    if as_json:
        print_json({"checks": [one.to_json() for one in checks]})
        return code
    for one in checks:
        click.echo(f"{'ok  ' if one.is_ok else 'no  '}{one.name}: {one.detail}")
        if not one.is_ok and one.fix:
            click.echo(f"      {one.fix}")
    return code


def sandbox_status(kit: Kit) -> int:
    """Print engine, image and leftover containers."""
    from sandbox.docker.upkeep import status
    from sandbox.process.levels import FORGERY, ISOLATION, best_level

    click.echo(f"without Docker: {ISOLATION[best_level(sys.executable)]}")
    click.echo(FORGERY)
    with failures():
        now = status(kit.settings.image or None)
    click.echo(f"engine {now.engine_version}")
    click.echo(f"image {now.image}: " + ("there" if now.has_image else "missing; interviewer sandbox build"))
    for one in now.containers:
        click.echo(
            f"container {one.name}, {one.age_seconds:.0f} s old" + (", left over" if one.is_stale else ", in use")
        )
    return OK


def sandbox_clean() -> int:
    """Remove leftover containers."""
    from sandbox.docker.upkeep import clean

    with failures():
        removed = clean()
    click.echo(f"removed {len(removed)} containers")
    return OK


def sandbox_build(kit: Kit, *, base: str | None, wheels: Path | None) -> int:
    """Build the image, printing progress on stderr."""
    from sandbox.docker.image import DEFAULT_BASE, build_image

    with failures():
        name = build_image(
            kit.settings.image or None, base or DEFAULT_BASE, wheels, says=lambda line: click.echo(line, err=True)
        )
    click.echo(name)
    return OK
