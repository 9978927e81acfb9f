"""What was heard and graded, as HTML: each point with its words, each verdict with its first failing case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.charts import verdict_strip
from interviewer.log.compare import best_seconds
from interviewer.log.history import DrillPast
from interviewer.log.markup import Html, joined, tag
from interviewer.log.overview import day, minutes_of
from interviewer.session.assessment import State
from interviewer.session.words import counted, failed_cases

WORDS_MAX = 400
_HEARD = {State.SHOWN: "heard", State.PARTIAL: "heard in part", State.CONTRADICTED: "contradicted"}


def drill_section(past: DrillPast) -> Html:
    """Return one question: asked, heard point by point with quotes, where it broke, what would have carried it."""
    question, drill = past.question, past.drill
    result = str(past.depth) if past.depth else "not judged"
    pieces = [
        tag("h3", f"{question.id}: {result}"),
        tag("p", f"{day(past.at)}. Asked: {question.prompt}"),
    ]
    if not drill.answers:
        return tag("section", *pieces, tag("p", "Not answered, so ungraded."), *_only_observed(past), class_="part")
    pieces += [tag("ul", *_points(past)), *_break(past)]
    for belief in drill.beliefs:
        says = question.misconception(belief.id).says
        pieces.append(tag("p", tag("b", "Misconception: ", class_="bad"), says))
        pieces.append(tag("blockquote", belief.quote))
    if changed := _changed_count(past):
        pieces.append(tag("p", f"Answers you changed: {changed}; what was taken back counts nowhere."))
    if drill.hints:
        pieces.append(tag("p", f"Hints taken at rung {', '.join(map(str, drill.hints))}."))
    pieces.append(tag("p", f"Source: {'; '.join(question.source)}", class_="soft"))
    return tag("section", *pieces, class_="part")


def _changed_count(past: DrillPast) -> int:
    parts = past.session.plan.parts
    return sum(parts[one.answer.part].id == past.question.id for one in past.session.taken_back)


def _points(past: DrillPast) -> Iterator[Html]:
    own = {mark.point: mark.state.value for mark in past.drill.self_marks or ()}
    for point in past.question.points:
        credit = past.drill.credit_of(point.id)
        words = _HEARD.get(credit.state, credit.state.value) if credit else "not heard"
        state = tag("span", words, class_=f"state {credit.state.value if credit else 'missing'}")
        quote = tag("q", credit.quote) if credit and credit.quote else ""
        mark = tag("span", f" Your own mark: {own[point.id]}.", class_="soft") if point.id in own else ""
        why = past.drill.appeal_of(point.id)
        appeal = tag("span", f" Your appeal: {why}", class_="soft") if why else ""
        yield tag("li", point.says, " ", state, " ", quote, mark, _observed(past, point.id), appeal)


def _only_observed(past: DrillPast) -> Iterator[Html]:
    seen = [point for point in past.question.points if point.id in past.observed]
    if seen:
        yield tag("ul", *(tag("li", point.says, _observed(past, point.id)) for point in seen))


def _observed(past: DrillPast, point: str) -> Html:
    mark = past.observed.get(point)
    return tag("span", f" Observer's mark, by {mark.who}: {mark.state.value}.", class_="soft") if mark else Html("")


def _break(past: DrillPast) -> Iterator[Html]:
    drill = past.drill
    if not drill.broke_at:
        return
    rung = past.question.rungs[drill.broke_at - 1]
    last = next((answer for answer in reversed(drill.answers) if answer.rung == drill.broke_at), drill.answers[-1])
    yield tag("p", tag("b", f"It broke at rung {drill.broke_at}: "), rung.ask)
    yield tag("blockquote", last.text[:WORDS_MAX])
    yield tag("p", tag("b", "What would have carried it: "), rung.answer)


def task_section(task: str, attempts: Sequence[LoggedAttempt]) -> Html:
    """Return one task: its verdicts in order, and what the last attempt failed at."""
    last = attempts[-1]
    passed = sum(one.report.verdict is Verdict.PASSED for one in attempts)
    best = best_seconds(attempts)
    tally = f"{passed} of {len(attempts)} passed; last {day(last.at)} ({last.origin}): {last.report.verdict.value}."
    timed = f" Best time {minutes_of(best)}." if best is not None else ""
    pieces = [tag("h3", task, " ", verdict_strip(attempts)), tag("p", tally + timed)]
    pieces += [tag("p", f"{', '.join(one.names)}: {one.said}") for one in failed_cases(last.report)[:1]]
    pieces += [tag("p", tag("b", "Mistake: "), one.wrong) for one in last.report.mistakes]
    how = f"{last.report.isolation.split(':')[0]}, {last.report.device}, seed {last.report.seed}"
    pieces.append(tag("p", f"{how}, {counted(last.hints, 'hint')}", class_="soft"))
    return tag("section", *pieces, class_="part")


def unjudged(drills: Sequence[DrillPast]) -> Html:
    """Return the answers that nothing judged, each with the reason; nothing when all were."""
    items = [
        tag("li", tag("q", answer.text[:WORDS_MAX]), f" {past.question.id}: {answer.assessment.why_not}")
        for past in drills
        for answer in past.drill.answers
        if not answer.assessment.is_graded
    ]
    return joined(tag("h2", "Not judged"), tag("ul", *items)) if items else Html("")
