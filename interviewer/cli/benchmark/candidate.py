"""A language model as a candidate for a coding task: what is sent to it, and what counts as its submission.

A prompt contains the statement, the starter and the failing cases of the model's own submissions. A prompt never
contains the reference, the known mistakes or the cases for the next attempt: each attempt is graded with a different
seed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from graders.verdict import Report, Verdict, failed_cases
from interviewer.chat.model import ChatModel, Message, ReplyUnusable
from interviewer.chat.streaming import never_cancelled
from interviewer.errors import UnknownName
from interviewer.interview.context import AppContext
from interviewer.session.phrases import cases_passed, pluralize, verdict_text
from interviewer.session.question import Question
from tasks.task import Task

NO_SUBMISSION = "no_submission"
NO_CODE = "the reply contains no code block"
SYSTEM = (
    "You are a candidate in a coding interview for RL and LLM-training jobs. Implement the task exactly as stated. "
    "Reply with the complete Python file in one fenced code block; only that block is graded. The file may import "
    "torch, numpy and the standard library. It must define the function or class of the starter with the same "
    "signature. It is imported as a module, without network access, and graded on cases that you do not see."
)
FAILED_SHOWN_MAX = 8
OUTPUT_CHARACTERS_MAX = 2000
SOURCE_BYTES_MAX = 2**20
_FENCED = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# Some reasoning models output their reasoning, including drafts of the code, before the reply.
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)

Grade = Callable[[str, int], Report]


class Item(Protocol):
    """A task or a question: something with an id and an area."""

    @property
    def id(self) -> str:
        """Return the id."""
        ...

    @property
    def area(self) -> str:
        """Return the area."""
        ...


T = TypeVar("T", bound=Item)


@dataclass(frozen=True)
class Attempt:
    """One submission by a model, or a reply without one; `verdict` is a Verdict's value or NO_SUBMISSION.

    `mistakes` are the ids of the diagnosed mistakes, and `why` is the reason if nothing was submitted.
    """

    source: str
    verdict: str
    score: float = 0.0
    mistakes: tuple[str, ...] = ()
    isolation: str = ""
    why: str = ""

    @property
    def has_passed(self) -> bool:
        """Return whether the submission passed every case."""
        return self.verdict == Verdict.PASSED.value


def opening_messages(task: Task) -> tuple[Message, ...]:
    """Return the messages that present the task: the rules, the statement and the starter."""
    return Message("system", SYSTEM), Message("user", task_text(task))


def task_text(task: Task) -> str:
    """Return the task as it is sent to the model: the statement and the starter."""
    return f"{task.statement.strip()}\n\nThe starter file:\n\n```python\n{task.starter.strip()}\n```"


def source_in(reply: str, entry: str) -> str:
    """Return the submitted file in a reply: the last code block that defines the entry, or else the last block.

    Return "" if the reply contains no code block and does not define the entry itself.
    """
    text = _THOUGHTS.sub("", reply)
    defines = re.compile(rf"^(?:(?:async +)?def|class) +{entry}\b|^{entry}\b *(?::[^=\n]*)?=", re.MULTILINE)
    blocks = _FENCED.findall(text)
    with_entry = [block for block in blocks if defines.search(block)]
    source: str = (with_entry or blocks or [text if defines.search(text) else ""])[-1]
    return "" if len(source.encode("utf-8", "replace")) > SOURCE_BYTES_MAX else source


def feedback_text(report: Report) -> str:
    """Return the failing cases of a submission, as the app shows them, without the grader's diagnosis."""
    groups = failed_cases(report)
    lines = [f"Verdict: {verdict_text(report.verdict)}. {cases_passed(report)}."]
    for group in groups[:FAILED_SHOWN_MAX]:
        lines.append(f"- {', '.join(group.names)}: {verdict_text(group.verdict)}: {group.message}")
        lines += [f"  inputs: {group.inputs}"] if group.inputs else []
    if len(groups) > FAILED_SHOWN_MAX:
        lines.append(f"- and {pluralize(len(groups) - FAILED_SHOWN_MAX, 'more failure')}")
    if report.stdout.strip():
        lines += ["Output of your code, by case:", report.stdout.strip()[:OUTPUT_CHARACTERS_MAX]]
    return "\n".join([*lines, "", "Fix the file and reply with the complete file. That file is graded on new cases."])


def no_code_text() -> str:
    """Return the feedback for a reply without code."""
    return "Your reply contains no code block. Reply with the complete Python file in one fenced code block."


def attempt_of(source: str, report: Report) -> Attempt:
    """Return the record of a graded submission."""
    return Attempt(
        source=source,
        verdict=report.verdict.value,
        score=report.score,
        mistakes=tuple(mistake.id for mistake in report.mistakes),
        isolation=report.isolation.split(":")[0],
    )


def grade_submission(context: AppContext, task: Task, source: str, sandbox: str, seed: int) -> Report:
    """Grade a submission on the cases for this seed. Raises GradingError if the grader itself fails."""
    image = context.settings.image
    return context.grader_client.grade(str(task.folder), source, sandbox=sandbox, image=image, seed=seed, is_batch=True)


def solve(
    task: Task,
    model: ChatModel,
    grade: Grade,
    feedback: int = 0,
    temperature: float = 1.0,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> tuple[Attempt, ...]:
    """Return the model's attempts at a task: a first attempt, and up to `feedback` more until an attempt passes.

    `grade` is called with the source and the number of the attempt, starting at 0. A refused, empty or cut-off reply is
    an attempt without a submission and ends the sample. Raises ChatError if the model fails, and GradingError if the
    grader fails; such a sample is ungraded.
    """
    messages = list(opening_messages(task))
    attempts: list[Attempt] = []
    for number in range(1 + feedback):
        try:
            reply = model.complete(messages, None, temperature, is_cancelled).text
        except ReplyUnusable as error:
            return (*attempts, Attempt("", NO_SUBMISSION, why=error.message))
        source = source_in(reply, task.entry)
        if source:
            report = grade(source, number)
            attempts.append(attempt_of(source, report))
            told = feedback_text(report)
        else:
            attempts.append(Attempt("", NO_SUBMISSION, why=NO_CODE))
            told = no_code_text()
        if attempts[-1].has_passed:
            break
        messages += [Message("assistant", reply), Message("user", told)]
    return tuple(attempts)


def choose_tasks(context: AppContext, names: Sequence[str]) -> list[Task]:
    """Return the tasks with these ids, aliases or areas, or all tasks if no names are given.

    Raises UnknownName if a name is unknown.
    """
    return _choose("task", context.full_tasks, [context.task_names.id_of(name) for name in names])


def choose_questions(context: AppContext, names: Sequence[str]) -> list[Question]:
    """Return the questions with these ids or areas, or all questions if none are given.

    Raises UnknownName if a name is unknown.
    """
    return _choose("question", context.questions, names)


def _choose(what: str, known: Sequence[T], names: Sequence[str]) -> list[T]:
    choices = {item.id for item in known} | {item.area for item in known}
    for name in names:
        if name not in choices:
            near = difflib.get_close_matches(name, sorted(choices), n=1)
            fix = f"Did you mean {near[0]}?" if near else f"To list ids and areas, run interviewer {what}s."
            raise UnknownName(f"unknown {what} or area {name}", fix)
    return [item for item in known if not names or item.id in names or item.area in names]
