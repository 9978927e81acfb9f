"""The tasks `interviewer/coding` and `interviewer/interview` for Inspect (the package inspect_ai).

Inspect itself calls the model and keeps the log. Our sandbox runs the code, our grader scores it, and our examiner
judges the answers. A sample that could not be graded or judged is left unscored instead of getting a score of 0. This
is the only module that imports inspect_ai; Inspect finds it through the entry point in pyproject.toml.
"""

from __future__ import annotations

import atexit
import itertools
import os
import secrets
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from anyio.to_thread import run_sync
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import concurrency

from graders.errors import GradingError
from interviewer.cli.benchmark.candidate import (
    NO_CODE,
    NO_SUBMISSION,
    SYSTEM,
    Attempt,
    attempt_of,
    choose_questions,
    choose_tasks,
    feedback_text,
    grade_submission,
    no_code_text,
    source_in,
    task_text,
)
from interviewer.config import find_folders, load_settings
from interviewer.errors import BadInput
from interviewer.interview.context import AppContext
from interviewer.interview.participants import make_participants, open_model
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import SandboxGrader, start_session
from interviewer.log.store import PracticeLog
from interviewer.session.codec import from_plain, to_plain
from interviewer.session.move import Move
from interviewer.session.plan import PlanRequest, make_plan
from interviewer.session.question import Question
from interviewer.session.scoring import INTERVAL_WIDTH_MAX, Depth, session_depth
from interviewer.session.state import OFFLINE, Awaiting, Session

T = TypeVar("T")
ATTEMPTS = "attempts"
UNGRADED = "ungraded"
RESULT = "interview"
INTERVIEWEE = (
    "You are the candidate in a technical interview for RL and LLM-training jobs. Answer the interviewer's question "
    "directly, in plain prose of at most 250 words. If you are asked for a number, give it with its unit. If you are "
    "asked to choose, name your choice and give the reason. If you do not know, say so."
)
SILENCE = "I have no answer."
TURNS_MAX = 60
# The interview's clock advances one second each time it is read, so the model's speed does not affect the interview.
MINUTES = 120.0
_NOT_FINISHED = frozenset({"max_tokens", "model_length", "content_filter"})


@task
def coding(tasks: str | list[str] = "", feedback: int = 0, sandbox: str = "") -> Task:
    """Return the Inspect task in which the model solves coding tasks.

    It measures pass@1, and the pass rate after up to `feedback` more attempts. Before each of these attempts, the model
    sees the failing cases of the attempt before it.

    `tasks` are ids or areas (default: all tasks), and `sandbox` is "docker" or "process" (default: the setting).
    """
    context = _context(sandbox)
    seed = secrets.randbelow(2**31)
    chosen = _chosen(choose_tasks, context, tasks)
    samples = [
        Sample(
            id=posed.id,
            input=[ChatMessageSystem(content=SYSTEM), ChatMessageUser(content=task_text(posed))],
            target="passed",
            metadata={"area": posed.area, "level": posed.level, "kind": posed.kind, "topics": list(posed.topics)},
        )
        for posed in chosen
    ]
    return Task(
        dataset=MemoryDataset(samples, name="coding"),
        solver=submit(feedback, sandbox, seed),
        scorer=graded(sandbox, seed),
        metadata={"seed": seed, "sandbox": context.settings.sandbox},
    )


@solver
def submit(feedback: int = 0, sandbox: str = "", seed: int = 0) -> Solver:
    """Return the solver: the model submits a file and, after a failure, gets the failing cases for the next attempt."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        attempts: list[Attempt] = []
        for number in range(1 + feedback):
            state = await generate(state)
            try:
                attempt, told = await _graded_reply(state, sandbox, seed + number)
            except GradingError as error:
                state.store.set(UNGRADED, f"{error.message} {error.fix}")
                break
            attempts.append(attempt)
            if attempt.has_passed:
                break
            if number < feedback:
                state.messages.append(ChatMessageUser(content=told))
        state.store.set(ATTEMPTS, to_plain(attempts))
        return state

    return solve


async def _graded_reply(state: TaskState, sandbox: str, seed: int) -> tuple[Attempt, str]:
    """Return the attempt in the model's last reply, and the feedback on it.

    Raises GradingError if the grader itself fails.
    """
    context = _context(sandbox)
    posed = context.task(str(state.sample_id))
    if state.output.stop_reason in _NOT_FINISHED:
        return Attempt("", NO_SUBMISSION, why=f"the reply ended early: {state.output.stop_reason}"), no_code_text()
    source = source_in(state.output.completion, posed.entry)
    if not source:
        return Attempt("", NO_SUBMISSION, why=NO_CODE), no_code_text()
    # The grader takes one submission at a time; the others wait here rather than in Inspect's limited threads.
    async with concurrency("interviewer-grader", 1):
        report = await run_sync(grade_submission, context, posed, source, context.settings.sandbox, seed)
    return attempt_of(source, report), feedback_text(report)


@metric
def by_area() -> Metric:
    """Return the mean and the standard error for each area."""

    def compute(scores: list[SampleScore]) -> Value:
        return _by_group(scores, lambda score: [str((score.sample_metadata or {}).get("area", ""))])

    return compute


@metric
def by_topic() -> Metric:
    """Return the mean and the standard error for each topic; a sample counts toward each of its topics."""

    def compute(scores: list[SampleScore]) -> Value:
        return _by_group(scores, lambda score: (score.sample_metadata or {}).get("topics", []))

    return compute


def _by_group(scores: Sequence[SampleScore], groups_of: Callable[[SampleScore], Iterable[str]]) -> dict[str, Any]:
    groups: dict[str, list[SampleScore]] = {}
    for score in scores:
        for group in groups_of(score):
            groups.setdefault(group, []).append(score)
    average, spread = mean(), stderr()
    values: dict[str, Any] = {}
    for group, inside in sorted(groups.items()):
        values[group] = average(inside)
        # The standard error of a single sample is unknown, not 0.
        values |= {f"{group}_stderr": spread(inside)} if len(inside) > 1 else {}
    return values


@metric(scores="unreduced")
def found() -> Metric:
    """Return how many samples contained each mistake or misconception, across all epochs."""

    def compute(scores: list[SampleScore]) -> Value:
        counts: dict[str, Any] = {}
        for score in scores:
            for name in dict.fromkeys((score.score.metadata or {}).get("found", [])):
                key = f"{score.sample_id}.{name}"
                counts[key] = counts.get(key, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    return compute


@scorer(
    metrics=[
        {
            "pass_at_1": [mean(), stderr(), by_area()],
            "pass_after_feedback": [mean(), stderr(), by_area()],
        },
        found(),
    ]
)
def graded(sandbox: str = "", seed: int = 0) -> Scorer:
    """Return the scorer, which reports the grader's verdicts on the attempts.

    With any other solver, the last reply is graded.
    """

    async def score(state: TaskState, target: Target) -> Score:
        if why := state.store.get(UNGRADED):
            return Score.unscored(reason="grader_failed", explanation=str(why))
        kept = state.store.get(ATTEMPTS)
        try:
            attempts = (
                from_plain(tuple[Attempt, ...], kept) if kept else ((await _graded_reply(state, sandbox, seed))[0],)
            )
        except GradingError as error:
            return Score.unscored(reason="grader_failed", explanation=f"{error.message} {error.fix}")
        first, last = attempts[0], attempts[-1]
        return Score(
            value={"pass_at_1": float(first.has_passed), "pass_after_feedback": float(last.has_passed)},
            answer=last.source,
            explanation=", then ".join(attempt.verdict for attempt in attempts),
            reason="no_response" if last.verdict == NO_SUBMISSION else None,
            metadata={
                "verdicts": [attempt.verdict for attempt in attempts],
                "found": [mistake for attempt in attempts for mistake in attempt.mistakes],
                "isolation": last.isolation,
            },
        )

    return score


@task
def interview(questions: str | list[str] = "", judge: str = "") -> Task:
    """Return the Inspect task in which the model is interviewed: one question with its follow-ups per sample.

    The score is the depth that the model reaches on the question, in rungs.

    `questions` are ids or areas (default: all questions). `judge` is the LiteLLM name of the examiner's language model;
    by default, the offline examiner judges.
    """
    context = _context("")
    seed = secrets.randbelow(2**31)
    samples = [
        Sample(
            id=question.id,
            input=question.prompt,
            metadata={"area": question.area, "level": question.level, "topics": list(question.topics)},
        )
        for question in _chosen(choose_questions, context, questions)
    ]
    return Task(
        dataset=MemoryDataset(samples, name="interview"),
        solver=answer(judge, seed),
        scorer=depth(),
        metadata={"seed": seed, "judge": judge or OFFLINE},
    )


@solver
def answer(judge: str = "", seed: int = 0) -> Solver:
    """Return the solver: the model answers as the candidate until the interview about the question is over."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = _context("").question(str(state.sample_id))
        state.messages = [ChatMessageSystem(content=INTERVIEWEE)]
        participants = _participants(judge)
        # This interview is logged like any other, but not in the user's practice log.
        with tempfile.TemporaryDirectory(prefix="interviewer-") as folder:
            log = PracticeLog(Path(folder) / "log.db")
            try:
                running = _start_interview(log, question, participants, seed + state.epoch)
                state = await _converse(running, participants, state, generate)
            finally:
                log.close()
        session = running.session
        state.store.set(RESULT, _result(session, question, participants.examiner.name))
        return state

    return solve


async def _converse(running: Interview, participants: Participants, state: TaskState, generate: Generate) -> TaskState:
    frontend = Spoken()
    for _ in range(TURNS_MAX):
        # The matcher answers one examiner at a time and gives up after a few seconds, so the judges take turns.
        async with concurrency("interviewer-examiner", 1):
            await run_sync(participants.wait_for_matcher)
            await run_sync(running.run_until_input, frontend)
        awaiting = running.session.awaiting
        if running.session.is_over:
            break
        if awaiting is Awaiting.SELF_MARKS:
            running.mark(())
        elif awaiting is not Awaiting.ANSWER:
            running.end()
        else:
            state.messages.append(ChatMessageUser(content=frontend.take()))
            state = await generate(state)
            running.answer(state.output.completion.strip() or SILENCE)
    return state


class Spoken:
    """The interview's front end: collects what the interviewer says until the candidate is asked to answer."""

    def __init__(self) -> None:
        self._words = ""

    def take(self) -> str:
        """Return everything said since the last call."""
        words, self._words = self._words.strip(), ""
        return words

    def begin_message(self, move: Move) -> None:
        """Separate a message from the previous one."""
        self._words += "\n\n"

    def stream_text(self, text: str) -> None:
        """Add the next piece of a message."""
        self._words += text

    def end_message(self) -> None:
        """Do nothing: the next message starts with its own separator."""

    def show_busy(self, what: str) -> None:
        """Show nothing: nobody is watching."""

    def show_model_wait(self, seconds: float) -> None:
        """Show nothing: nobody is watching."""

    def notice(self, text: str) -> None:
        """Ignore messages about the app, because the result already names the examiner that judged each answer."""


def _start_interview(log: PracticeLog, question: Question, participants: Participants, seed: int) -> Interview:
    context = _context("")
    seconds = itertools.count(int(time.time()))
    plan = make_plan((question,), (), PlanRequest(minutes=MINUTES, questions=(question.id,)), seed)
    name = participants.examiner.name
    session = start_session(log, plan, (question,), (), name, seed, clock=lambda: float(next(seconds)))
    settings = context.settings
    grader = SandboxGrader(context.grader_client, settings.sandbox, settings.image)
    return Interview(log, session, participants, grader, clock=lambda: float(next(seconds)))


def _result(session: Session, question: Question, examiner: str) -> dict[str, Any]:
    """Return what the scorer needs from a finished session, as JSON data."""
    if not session.drills:
        return {"depth": None, "why": "no question was asked", "examiner": examiner}
    drill = session.drills[0]
    judges = sorted({answered.assessment.judge for answered in drill.answers if answered.assessment.is_graded})
    reached = session_depth(session, drill)
    result = {
        "examiner": examiner,
        "judges": judges,
        "answers": len(drill.answers),
        "broke_at": drill.broke_at,
        "points": {credit.point: credit.state.value for credit in drill.credits},
        "misconceptions": [belief.id for belief in drill.beliefs],
        "rungs": len(question.rungs),
    }
    return result | _depth_result(reached, judges, examiner)


def _depth_result(reached: Depth | None, judges: Sequence[str], examiner: str) -> dict[str, Any]:
    if reached is None:
        return {"depth": None, "why": "no answer could be judged"}
    interval = {"low": reached.low, "high": reached.high}
    if set(judges) != {examiner}:
        # Depths from different examiners are not comparable.
        return {"depth": None, "why": f"judged by {', '.join(judges)} instead of {examiner}", **interval}
    if reached.high - reached.low > INTERVAL_WIDTH_MAX:
        return {"depth": None, "why": str(reached), **interval}
    return {"depth": reached.mean, "why": "", **interval}


@scorer(metrics=[mean(), stderr(), by_area(), by_topic(), found()])
def depth() -> Scorer:
    """Return the scorer, which reports the depth that the examiner estimated, or nothing if evidence is lacking."""

    async def score(state: TaskState, target: Target) -> Score:
        result = dict(state.store.get(RESULT) or {"depth": None, "why": "no interview took place"})
        why, reached = str(result.pop("why")), result.pop("depth")
        metadata = {**result, "found": result.get("misconceptions", [])}
        if reached is None:
            return Score.unscored(reason="scoring_failed", explanation=why, metadata=metadata)
        interval = f"depth {reached:.1f} ({result['low']:.1f}–{result['high']:.1f}) of {result['rungs']} rungs"
        return Score(value=float(reached), explanation=interval, metadata=metadata)

    return score


def _chosen(
    choose: Callable[[AppContext, Sequence[str]], list[T]], context: AppContext, names: str | list[str]
) -> list[T]:
    """Return the items with these names, which Inspect passes as a list if they contain commas.

    Raises BadInput if a name is unknown.
    """
    listed = [name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()]
    try:
        return choose(context, listed)
    except BadInput as error:
        error.add_note(error.fix)  # Inspect prints only the exception, whose message does not contain the fix
        raise


@cache
def _context(sandbox: str) -> AppContext:
    """Return the app context for a sandbox level, or for the level in the settings if `sandbox` is "".

    The context's grader stops when Python exits.
    """
    folders = find_folders()
    context = AppContext(load_settings(folders, os.environ, {"sandbox": sandbox or None}), folders)
    atexit.register(context.close)
    return context


def _participants(judge: str) -> Participants:
    """Return the examiners, but no model that rewords questions: every candidate gets the question bank's wording."""
    context = _context("")
    model = open_model(judge) if judge else None
    made = make_participants(context.settings, model, context.questions if model else ())
    return replace(made, voice=None, has_drafts=False)
