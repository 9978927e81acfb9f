"""The debrief as Markdown, made from the session alone: no model, no invented figure, quotes as evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graders.verdict import Verdict
from interviewer.session.assessment import State
from interviewer.session.depth import depth_of
from interviewer.session.policy import rung_share
from interviewer.session.question import Question
from interviewer.session.state import OFFLINE, Drill, Session, TaskWork
from interviewer.session.words import failed_cases

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~$])")
_HEARD_IN_WORDS = {State.SHOWN: "heard", State.PARTIAL: "heard in part", State.CONTRADICTED: "contradicted"}
PRACTISE_MAX = 3


def as_text(words: str) -> str:
    """Return somebody's words as Markdown that shows them and does nothing else, on one line."""
    return _MARKUP.sub(r"\\\1", " ".join(words.split()))


def debrief(session: Session) -> str:
    """Return the whole debrief as Markdown."""
    lines = [*_header(session), *_depths(session)]
    for drill in session.drills:
        lines += _drill(session.question(drill.question), drill)
    for work in session.works:
        lines += _work(session.task(work.task).title, work)
    lines += [*_practise(session), *_unjudged(session)]
    return "\n".join(lines) + "\n"


def _header(session: Session) -> Iterator[str]:
    judge = "offline examiner (listens for phrasings)" if session.examiner == OFFLINE else as_text(session.examiner)
    yield "# Debrief"
    yield ""
    yield f"{session.elapsed_seconds / 60:.0f} of {session.plan.minutes:.0f} minutes. Judged by: {judge}, uncalibrated."
    if session.examiner == OFFLINE:
        yield "Not heard is not wrong: your own marks stand beside the machine's and are never mixed with them."
    for notice in session.notices:
        yield f"Note: {as_text(notice)}"
    yield ""


def _depths(session: Session) -> Iterator[str]:
    if not session.drills and not session.works:
        return
    yield "| part | result | stopped at |"
    yield "|---|---|---|"
    for drill in session.drills:
        question = session.question(drill.question)
        depth = depth_of(question, drill)
        stopped = f"rung {drill.broke_at}" if drill.broke_at else (drill.left_why or "the top of the ladder")
        yield f"| {drill.question} | {f'{depth} of {len(question.rungs)}' if depth else 'ungraded'} | {stopped} |"
    for work in session.works:
        verdicts = [one.report.verdict.value for one in work.attempts if one.report]
        yield f"| {work.task} | {verdicts[-1] if verdicts else 'ungraded'} | {len(work.attempts)} submitted |"
    yield ""


def _drill(question: Question, drill: Drill) -> Iterator[str]:
    yield f"## {question.id}"
    yield ""
    yield f"Asked: {as_text(question.prompt)}"
    yield ""
    if not drill.answers:
        yield "Not answered, so ungraded."
        yield ""
        return
    shown = [credit for credit in drill.credits if credit.state.credit]
    yield f"Heard {len(shown)} of {len(question.points)} points."
    yield ""
    own_marks = {mark.point: mark.state for mark in drill.self_marks or ()}
    for point in question.points:
        credit = drill.credit_of(point.id)
        heard = f"**{_HEARD_IN_WORDS[credit.state]}** “{as_text(credit.quote)}”" if credit else "**not heard**"
        own = f" Your own mark: {own_marks[point.id].value}." if point.id in own_marks else ""
        yield f"- {as_text(point.says)} {heard}{own}"
    yield ""
    yield from _break(question, drill)
    for belief in drill.beliefs:
        says = question.misconception(belief.id).says
        yield f"Misconception: {as_text(says)} You said: “{as_text(belief.quote)}”"
        yield ""
    if drill.hints:
        yield f"Hints taken at rung: {', '.join(str(rung) for rung in drill.hints)}."
        yield ""
    yield f"Source: {as_text('; '.join(question.source))}"
    yield ""


def _break(question: Question, drill: Drill) -> Iterator[str]:
    if not drill.broke_at:
        return
    rung = question.rungs[drill.broke_at - 1]
    last = next((answer for answer in reversed(drill.answers) if answer.rung == drill.broke_at), drill.answers[-1])
    yield f"It broke at rung {drill.broke_at}: {as_text(rung.ask)}"
    yield ""
    yield f"Your last words there: “{as_text(last.text[:400])}”"
    yield ""
    yield f"What would have carried it: {as_text(rung.answer)}"
    yield ""


def _work(title: str, work: TaskWork) -> Iterator[str]:
    yield f"## {work.task}"
    yield ""
    minutes = (work.closed_seconds or work.opened_seconds) - work.opened_seconds
    yield f"{as_text(title)}. {minutes / 60:.0f} minutes, {work.hints} hints, {len(work.attempts)} submissions."
    yield ""
    for number, attempt in enumerate(work.attempts, 1):
        if attempt.report is None:
            yield f"{number}. ungraded: {as_text(attempt.failure or 'the session ended before the verdict')}"
            continue
        report = attempt.report
        failed = failed_cases(report)
        passed = sum(case.verdict is Verdict.PASSED for case in report.cases)
        mistake = "".join(f" Mistake {one.id}: {as_text(one.wrong)}" for one in report.mistakes)
        first = f" {failed[0].names[0]}: {as_text(failed[0].said)}" if failed else ""
        yield (
            f"{number}. **{report.verdict.value}**, {passed} of {len(report.cases)} cases "
            f"({report.isolation.split(':')[0]}, seed {report.seed}).{first}{mistake}"
        )
    yield ""


def _practise(session: Session) -> Iterator[str]:
    """Yield the points behind the weakest rungs, deepest gaps first, and the tasks not passed."""
    weak: list[tuple[float, str]] = []
    for drill in session.drills:
        question = session.question(drill.question)
        if drill.broke_at:
            share = rung_share(question, drill, drill.broke_at)
            ask = as_text(question.rungs[drill.broke_at - 1].ask)
            weak.append((share, f"{drill.question}, rung {drill.broke_at}: {ask}"))
        weak += [(0.5, f"{drill.question}: {as_text(question.misconception(one.id).ask)}") for one in drill.beliefs]
    weak += [(0.2, f"task {one.task}: interviewer start {one.task}") for one in session.works if not one.has_passed]
    if weak:
        yield "## Practise next"
        yield ""
        yield from (f"- {line}" for _, line in sorted(weak)[:PRACTISE_MAX])
        yield ""


def _unjudged(session: Session) -> Iterator[str]:
    unjudged = [one for drill in session.drills for one in drill.answers if not one.assessment.is_graded]
    if unjudged:
        yield "## Not judged"
        yield ""
        yield from (f"- “{as_text(one.text[:200])}” ({as_text(one.assessment.why_not)})" for one in unjudged)
        yield ""
