"""Describes the results of a session in sentences shared by the debrief, the reports and the exports.

The sentences are plain text; the caller escapes them for Markdown or HTML.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Literal

from interviewer.session.assessment import CheckResult, State
from interviewer.session.move import MoveKind
from interviewer.session.phrases import AFTER_PASS_LEAD, NOT_SUBMITTED, cases_passed, pluralize, shorten, verdict_text
from interviewer.session.question import Point, Question
from interviewer.session.scoring import (
    INTERVAL_WIDTH_MAX,
    checked_rungs,
    is_rung_passed,
    session_depth,
)
from interviewer.session.state import (
    OFFLINE,
    SKIPPED,
    Answer,
    Credit,
    Drill,
    PointRef,
    Session,
    SummarySentence,
    TaskWork,
    Turn,
)

PRACTICE_MAX = 3
ASK_CHARACTERS_MAX = 110
ANSWER_CHARACTERS_MAX = 200
_ENOUGH = "enough heard"
_LEFT = {
    SKIPPED: "you skipped the rest",
    "time": "time ran out",
    "ended": "you ended the session",
    _ENOUGH: "the limit on answers to one question was reached",
}
# Matches the part of a point's text that tells the judge how much of the point an answer must contain. The model answer
# leaves this part out. Questions in the bank store this part in a point's `enough`. In older logs and in user-written
# questions, it may be part of the point's `says`.
_JUDGE_SENTENCE = re.compile(
    r"(?:(?:Either|One|Two|Three|Any|Getting)\b.*\benough\b.*|.*\bis a bonus"
    r"|[^;]*\b(?:is|are) (?:also )?(?:enough|sufficient)(?: on (?:its|their) own)?(?:, .*)?|[^;]* suffices?"
    r"|[^;]*\b(?:is|are) (?:not required|optional)|It is enough to say .*|Also enough: .*)\."
)
# In "One of these is enough: a, b.", only the words before the colon are an instruction to the judge; the rest belongs
# to the model answer.
_JUDGE_LEAD = re.compile(r"((?:Either|One|Two|Three|Any|Naming)\b[^:;]*\b(?:is|are) enough)[:;] (.+)")
_JUDGE_TAIL = re.compile(r"[;,] (?:that|this|which|saying this) is enough(?=\.$)")
_JUDGE_ASIDE = re.compile(r" \(([^()]*\b(?<!good )(?:is|are) enough)\)|, (one with its direction is enough)(?=:)")
_FIRST_SENTENCE = "The first sentence is enough."
_THIS_MUCH = "Saying this much is enough."


@dataclass(frozen=True)
class ModelSentence:
    """A point's wording in the model answer, and the rubric's note to the judge about the point ("" for none)."""

    says: str
    for_judge: str = ""


@dataclass(frozen=True)
class PracticeItem:
    """A question or task to practice next, with what to work on and, for a question, one of its coding tasks.

    `held` is the fraction of a question's rungs that the candidate passed, or a task's best score. `was_failed` is
    false if the candidate only skipped the item, and `was_tried` is false if the item has no answer or submission at
    all.
    """

    kind: Literal["question", "task"]
    id: str
    title: str
    ask: str
    held: float
    was_failed: bool
    task: str = ""
    was_tried: bool = True

    @property
    def start_command(self) -> str:
        """Return the command that starts this question or task."""
        if self.kind == "question":
            return f"interviewer interview --question {self.id}"
        return f"interviewer challenge {self.id}"

    @property
    def code_command(self) -> str:
        """Return the command that starts one of the question's coding tasks; "" if the question has no task."""
        return f"interviewer challenge {self.task}" if self.task else ""

    @property
    def says(self) -> str:
        """Return what the candidate should work on."""
        return f"{self.title}: {self.ask}" if self.ask else self.title


def model_sentence(point: Point) -> ModelSentence:
    """Return a point's wording in the model answer, and the rubric's note to the judge about the point."""
    return ModelSentence(point.says.strip(), point.enough) if point.enough else split_instruction(point.says)


def split_instruction(says: str) -> ModelSentence:
    """Split a point's text into sentences of the model answer and instructions to the judge."""
    sentences: list[str] = []
    for_judge: list[str] = []
    for sentence in re.split(r"(?<=[.!?]) +", says.strip()):
        kept = sentence
        if tail := _JUDGE_TAIL.search(sentence):
            for_judge.append(_THIS_MUCH if sentences else _FIRST_SENTENCE)
            kept = sentence.replace(tail[0], "")
        elif aside := _JUDGE_ASIDE.search(sentence):
            for_judge.append(f"{(aside[1] or aside[2]).capitalize()}.")
            kept = sentence.replace(aside[0], "")
        elif lead := _JUDGE_LEAD.fullmatch(sentence):
            for_judge.append(f"{lead[1]}.")
            kept = lead[2][:1].upper() + lead[2][1:]
        elif _JUDGE_SENTENCE.fullmatch(sentence):
            for_judge.append(sentence)
            continue
        sentences.append(kept)
    # If every sentence of a point is an instruction to the judge, the point is shown unchanged.
    return ModelSentence(" ".join(sentences), " ".join(for_judge)) if sentences else ModelSentence(says.strip())


def question_result(session: Session, drill: Drill) -> str:
    """Return how far the candidate got on a question and where they stopped."""
    question = session.question(drill.question)
    if not drill.answers:
        return "not answered"
    depth, rungs = session_depth(session, drill), len(question.rungs)
    if depth is None:
        return f"ungraded; {_end(question, drill)}"
    if depth.high - depth.low > INTERVAL_WIDTH_MAX:
        return (
            f"too few answers to say: between {depth.low:.0f} and {depth.high:.0f} of {rungs}; {_end(question, drill)}"
        )
    return f"got to {depth.mean:.0f} of {rungs}; {_end(question, drill)}"


def _end(question: Question, drill: Drill) -> str:
    rung = stopped_at(question, drill)
    if rung:
        left = f"; {_LEFT[SKIPPED]}" if drill.left_why == SKIPPED else ""
        return f"stopped{_at(question, rung)}{left}"
    if drill.left_why:
        return _LEFT.get(drill.left_why, drill.left_why) + _at(question, drill.rung)
    if is_rung_passed(question, drill, len(question.rungs)):
        return "you passed the last rung"
    return "nothing further was asked"


def _at(question: Question, rung: int) -> str:
    return f" at “{shorten(question.rungs[rung - 1].ask, ASK_CHARACTERS_MAX)}”" if rung else ""


def stopped_at(question: Question, drill: Drill) -> int | None:
    """Return `drill.broke_at` if it is set, or else the lowest rung that was failed and not passed later, or None."""
    if drill.broke_at:
        return drill.broke_at
    failed = sorted({answer.rung for answer in drill.answers if answer.has_passed is False and answer.rung})
    return next((rung for rung in failed if not is_rung_passed(question, drill, rung)), None)


def task_result(work: TaskWork) -> str:
    """Return the result of a coding task."""
    if not work.submissions:
        return NOT_SUBMITTED
    count = pluralize(len(work.submissions), "submission")
    if work.has_passed:
        return f"passed, {count}"
    reports = [attempt.report for attempt in work.submissions if attempt.report is not None]
    if not reports:
        return f"ungraded, {count}"
    return f"{verdict_text(reports[-1].verdict)}, {cases_passed(reports[-1])}, {count}"


def missed_points(question: Question, drill: Drill) -> list[str]:
    """Return the ids of uncredited points that were asked for, or that an answer contradicted according to a model.

    The offline examiner mistakes too many right answers for contradictions. A point does not count as missed on a rung
    whose check the candidate answered correctly, or if no answer to the point's rungs was judged, or if the judge's
    votes on the point disagree.
    """
    asked = {answer.rung for answer in drill.answers}
    checked = set(checked_rungs(drill))
    missed = []
    for point in question.points:
        rungs = {number for number, rung in enumerate(question.rungs, 1) if point.id in rung.points} - checked
        is_contradicted = any(
            answer.assessment.judge != OFFLINE and answer.assessment.state_of(point.id) is State.CONTRADICTED
            for answer in drill.answers
        )
        if drill.is_credited(point.id) or not rungs:
            continue
        if is_contradicted or (rungs & asked and _is_judged_missing(question, drill, point.id)):
            missed.append(point.id)
    return missed


def _is_judged_missing(question: Question, drill: Drill, point: str) -> bool:
    """Return whether a judge decided that an answer lacks an uncredited point that the answer's rung asks for."""
    credit = drill.credit_of(point)
    return (credit is not None and credit.state is State.CONTRADICTED) or any(
        answer.assessment.is_graded and answer.assessment.state_of(point) is State.MISSING
        for answer in drill.answers
        if answer.rung and point in question.rungs[answer.rung - 1].points
    )


class Standing(StrEnum):
    """The status of a judged point."""

    CREDITED = "credited"
    PARTIAL = "partial"
    MISSED = "missed"


@dataclass(frozen=True)
class JudgedPoint:
    """A point that was judged in this session, the model answer's text about it, and a quote from the candidate."""

    ref: PointRef
    says: str
    standing: Standing
    quote: str = ""


@dataclass(frozen=True)
class Lesson:
    """What the bank says about an open point: the first rung that asks for it, that rung's answer, and the sources."""

    ref: PointRef
    says: str
    rung: int
    asked: str
    answer: str
    source: tuple[str, ...]


def open_lessons(session: Session) -> list[Lesson]:
    """Return a lesson for each point that was missed or only partly credited, missed points first."""
    found = [point for point in judged_points(session) if point.standing is not Standing.CREDITED]
    return [_lesson(session, point) for point in sorted(found, key=lambda point: point.standing is Standing.PARTIAL)]


def _lesson(session: Session, point: JudgedPoint) -> Lesson:
    question = session.question(point.ref.question)
    number = next(number for number, rung in enumerate(question.rungs, 1) if point.ref.point in rung.points)
    rung = question.rungs[number - 1]
    return Lesson(point.ref, point.says, number, rung.ask, rung.answer, question.source)


def judged_points(session: Session) -> list[JudgedPoint]:
    """Return every point that earned credit or was missed; all other points are unknown."""
    return [
        JudgedPoint(PointRef(question.id, point.id), model_sentence(point).says, standing, credit.quote)
        for drill in session.drills
        for question in (session.question(drill.question),)
        for missed in (missed_points(question, drill),)
        for point in question.points
        for credit in (drill.credit_of(point.id) or Credit(point.id, State.MISSING, ""),)
        if (standing := _standing(credit, missed))
    ]


def _standing(credit: Credit, missed: Sequence[str]) -> Standing | None:
    if credit.state.credit:
        return Standing.CREDITED if credit.state is State.SHOWN else Standing.PARTIAL
    return Standing.MISSED if credit.point in missed else None


def summary_line(sentence: SummarySentence) -> str:
    """Return a sentence from a model's summary, followed by its points."""
    names = ", ".join(ref.point.replace("_", " ") for ref in sentence.points)
    return f"{sentence.text} ({pluralize(len(sentence.points), 'point').partition(' ')[2]}: {names})"


def judge_name(session: Session, judge: str) -> str:
    """Return a judge's display name.

    If the session began with a language model, the offline examiner is described as a fallback.
    """
    if judge != OFFLINE:
        return judge.removeprefix("llm:")
    # A notice is added only when the session switches from a model to the offline examiner.
    is_fallback = session.examiner != OFFLINE or bool(session.notices)
    return "offline examiner, as a fallback" if is_fallback else "offline examiner"


def judged_by(session: Session, answer: Answer) -> str:
    """Return who judged an answer, or why nobody did."""
    assessment = answer.assessment
    if not assessment.is_graded:
        return f"Not judged: {assessment.why_not}."
    name = judge_name(session, assessment.judge)
    if assessment.check in (CheckResult.RIGHT, CheckResult.WRONG):
        return f"Result checked by code; the rest judged by: {name}."
    return f"Judged by: {name}."


def judges(session: Session, drills: Sequence[Drill]) -> list[str]:
    """Return the names of everyone who judged an answer in these drills, in order."""
    graded = (answer for drill in drills for answer in drill.answers if answer.assessment.is_graded)
    return list(dict.fromkeys(judge_name(session, answer.assessment.judge) for answer in graded))


def improvised_questions(session: Session) -> list[tuple[int, str, str]]:
    """Return the part, the text and the answer of each question that a model improvised ("" if there was no answer)."""
    turns = session.transcript
    return [
        (
            turn.part,
            turn.text,
            next((later.text for later in turns[place + 1 : place + 2] if not later.is_interviewer), ""),
        )
        for place, turn in enumerate(turns)
        if turn.move is MoveKind.IMPROVISE
    ]


def questions_after_pass(session: Session) -> dict[str, tuple[str, str]]:
    """Return, by task id, the question asked after a pass and the candidate's answer ("" if there was none)."""
    turns = session.transcript
    asked: dict[str, tuple[str, str]] = {}
    for place, turn in enumerate(turns):
        is_asked = turn.move is MoveKind.VERDICT and AFTER_PASS_LEAD in turn.text
        if is_asked and session.plan.parts[turn.part].kind == "task":
            words = " ".join(turn.text.partition(AFTER_PASS_LEAD)[2].split())
            task = session.plan.parts[turn.part].id
            work = next(work for work in session.works if work.task == task)
            asked[task] = (words, _reply_after_pass(turns[place:], work))
    return asked


def _reply_after_pass(turns: Sequence[Turn], work: TaskWork) -> str:
    """Return the candidate's last words on the first of these turns, a question after a pass; "" if there are none.

    An observer's question and the reply to it may come before the answer. After another submission that fails, the
    interviewer asks about that submission instead.
    """
    resubmitted = (attempt.at for attempt in work.submissions if attempt.report and attempt.at > turns[0].at)
    until = min(resubmitted, default=math.inf)
    reply = ""
    for before, turn in pairwise(turns):
        if turn.part != turns[0].part or turn.at >= until:
            break
        if not turn.is_interviewer and before.move is not MoveKind.OBSERVER:
            reply = turn.text
    return reply


def practice_items(sessions: Sequence[Session], passed: Container[str] = ()) -> list[PracticeItem]:
    """Return what to practice next: failed items before skipped items, each group with the lowest results first.

    `sessions` are in chronological order. Only the latest result for a question or task counts; an item is omitted if
    its latest result shows nothing to practice, or if the item is a task in `passed`.
    """
    latest: dict[tuple[str, str], PracticeItem | None] = {}
    for session in sessions:
        for drill in session.drills:
            if drill.answers or drill.left_why == SKIPPED:
                latest["question", drill.question] = _question_item(session.question(drill.question), drill)
        for work in session.works:
            latest["task", work.task] = _task_item(session.task(work.task).title, work)
    found = [item for item in latest.values() if item is not None and item.id not in passed]
    return sorted(found, key=_urgency)[:PRACTICE_MAX]


def _urgency(item: PracticeItem) -> tuple[bool, bool, float, str]:
    return not item.was_failed, not item.was_tried, item.held, item.title.casefold()


def _question_item(question: Question, drill: Drill) -> PracticeItem | None:
    failed = stopped_at(question, drill)
    held = sum(is_rung_passed(question, drill, number) for number in range(1, len(question.rungs) + 1))
    # If no rung has been passed yet, ending the session is treated as skipping the question.
    is_skipped = drill.left_why == SKIPPED or (bool(drill.left_why) and not held)
    was_left = is_skipped and not (drill.rung and is_rung_passed(question, drill, drill.rung))
    rung = failed or (drill.rung if was_left else None)
    asks = list(_asks(question, drill, rung))
    if not asks:
        return None
    has_failed = failed is not None or len(asks) > was_left
    title = f"{question.title}, rung {rung}" if rung else question.title
    task = question.tasks[0] if question.tasks else ""
    share, was_tried = held / len(question.rungs), bool(drill.answers)
    return PracticeItem("question", question.id, title, " ".join(asks), share, has_failed, task, was_tried)


def _asks(question: Question, drill: Drill, rung: int | None) -> Iterator[str]:
    if rung is not None:
        yield question.rungs[rung - 1].ask if rung else question.prompt
    for belief in drill.beliefs:
        if belief.id not in drill.corrected:
            yield question.misconception(belief.id).ask


def _task_item(title: str, work: TaskWork) -> PracticeItem | None:
    if work.has_passed:
        return None
    scores = [attempt.report.score for attempt in work.submissions if attempt.report is not None]
    return PracticeItem(
        "task", work.task, title, "", max(scores, default=0.0), bool(scores), was_tried=bool(work.submissions)
    )
