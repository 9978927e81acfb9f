"""Every sentence of a debrief is true of the session's log, in whole sessions of simulated candidates.

The truth is computed here from the moves and the answers, independently of the drill that the debrief reads.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from interviewer.session import events
from interviewer.session.assessment import Assessment, CheckResult, PointState, State
from interviewer.session.debrief import debrief, escape_markdown, plain_debrief
from interviewer.session.engine import AskSelfMarks
from interviewer.session.move import Move, MoveKind
from interviewer.session.plan import Part, Plan
from interviewer.session.question import Question
from tests.session.build import Run, started
from tests.session.test_simulated_candidates import KINDS, LADDER, RUNGS, Candidate

SESSIONS = 25  # of each kind: 275 in all
TURNS_MAX = 40
# The ladder with a distinguishable sentence for each point, followed by an instruction to the judge.
TOLD = replace(
    LADDER,
    points=tuple(replace(point, says=f"Says {point.id}. Either half is enough.") for point in LADDER.points),
)


@dataclass
class Exchange:
    """One move, the answer to it, and the findings in the answer.

    `asked` is the move before a hint if the candidate asked for a hint; otherwise, it is `move`.
    """

    move: Move
    text: str
    assessment: Assessment
    asked: Move


def unique_quotes(assessment: Assessment, text: str) -> Assessment:
    """Return the assessment with quotes that occur in the answer."""
    points = tuple(replace(point, quote=text[:60] if point.quote else "") for point in assessment.points)
    beliefs = tuple(
        belief if belief.quote[1:2] == ")" else replace(belief, quote=text[:60]) for belief in assessment.misconceptions
    )
    return replace(assessment, points=points, misconceptions=beliefs)


def session_of(candidate: Candidate, rng: random.Random) -> tuple[Run, list[Exchange]]:
    """Return a finished session with one question, sometimes with hints, and its exchanges."""
    plan = Plan((Part("question", LADDER.id, 60.0),), 60.0)
    run = Run(events.SessionStarted(1000.0, "s", 1, plan, (TOLD,), (), "offline"))
    exchanges: list[Exchange] = []
    for turn in range(TURNS_MAX):
        if run.waits_for(AskSelfMarks):
            run.apply(events.SelfMarked(run.now, ()))
        if run.session.is_over:
            return run, exchanges
        asked = run.session.answered
        if rng.random() < 0.1:
            run.apply(events.HintAsked(run.now + 1))
        move = run.session.answered
        assert move is not None
        assert asked is not None
        text, assessment = candidate.reply(move)
        text = f"{text} ({turn})" if move.kind is not MoveKind.CHECK else text
        assessment = unique_quotes(assessment, text)
        exchanges.append(Exchange(move, text, assessment, asked))
        run.answer(assessment, text)
    pytest.fail("the session does not end")


def credited(exchanges: list[Exchange]) -> set[str]:
    """Return the points that an answer showed and no later one contradicted (answers to doubts cannot contradict)."""
    shown: set[str] = set()
    for each in exchanges:
        found = {point.id: point.state for point in each.assessment.points}
        shown |= {point for point, state in found.items() if state is State.SHOWN}
        if each.move.kind is not MoveKind.DOUBT:
            shown -= {point for point, state in found.items() if state is State.CONTRADICTED}
    return shown


def holds(question: Question, rung: int, exchanges: list[Exchange]) -> bool:
    """Return whether a rung is passed in the end: by its last check or its points, and not abandoned afterward."""
    holding: bool | None = None
    for each in exchanges:
        is_here = each.move.rung == rung
        if is_here and is_read(each, exchanges):
            holding = each.assessment.check is CheckResult.RIGHT
        elif is_here and each.move.kind is MoveKind.DOUBT and "gives_in" in each.assessment.flags:
            holding = False
        elif holding is False and set(question.rungs[rung - 1].points) & credited([each]):
            holding = None
    if holding is not None:
        return holding
    points = question.rungs[rung - 1].points
    return len(credited(exchanges).intersection(points)) >= 2 / 3 * len(points)


def is_read(each: Exchange, exchanges: list[Exchange]) -> bool:
    """Return whether an answer to a check counts: it has a result, is the second one without, or admits not knowing."""
    if each.assessment.check in (CheckResult.NONE, CheckResult.RIGHT, CheckResult.WRONG):
        return each.assessment.check is not CheckResult.NONE
    place = next(place for place, other in enumerate(exchanges) if other is each)
    before = exchanges[place - 1]
    is_second = before.move.target == each.move.target and before.move.kind is MoveKind.CHECK
    return is_second or bool({"gives_up", "does_not_know"}.intersection(each.assessment.flags))


def found(pattern: str, text: str) -> list[re.Match[str]]:
    return list(re.finditer(pattern, text, re.MULTILINE))


def false_points(text: str, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield false statements about points and their quotes."""
    for match in found(r"^Heard (\d+) of (\d+) points\.", text):
        if (int(match[1]), int(match[2])) != (len(credited(exchanges)), len(LADDER.points)):
            yield match[0]
    for match in found(r"\*\*heard\*\* “([^”]*)”", text):
        if not any(match[1] in escape_markdown(each.text) for each in exchanges):
            yield match[0]


def false_break(text: str, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield false statements about where the candidate stopped, and about what to practice."""
    for match in found(r"^Stopped at rung (\d+)", text):
        rung = int(match[1])
        answers = [each for each in exchanges if each.move.rung == rung]
        if not answers or holds(LADDER, rung, exchanges) or f"; stopped at “Rung {rung}?”\n" not in text:
            yield match[0]
        elif f"Your last answer there: “{escape_markdown(answers[-1].text[:400])}”" not in text:
            yield f"{match[0]}: the last answer there"
    practice = text.partition("## Practice next")[2]
    for match in found(r"^- ladder, rung (\d+): ", practice):
        if holds(LADDER, int(match[1]), exchanges):
            yield f"practice what held: {match[0]}"


def false_rungs(text: str, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield false statements about what a rung is based on."""
    for match in found(r"^- Rung (\d+): (checked|heard)(?:, (?:and|but) (?:your answer|you) (.*))?$", text):
        rung = int(match[1])
        checks = [each for each in exchanges if each.move.rung == rung and is_read(each, exchanges)]
        if match[2] == "heard":
            is_true = not checks and holds(LADDER, rung, exchanges)
        else:
            result = checks[-1].assessment.check if checks else CheckResult.NONE
            is_true = {"was right.": CheckResult.RIGHT, "was wrong.": CheckResult.WRONG}.get(match[3]) is result or (
                match[3] in ("did not give one clear and complete result.", "did not know the answer.")
                and result in (CheckResult.HALF, CheckResult.UNREAD)
            )
        if not is_true:
            yield match[0]


def false_result(text: str, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield false statements about the result: not below the first failed rung, or too far above the last check."""
    right = [each.move.rung for each in exchanges if each.assessment.check is CheckResult.RIGHT]
    results = found(r"^- \*\*ladder\*\*: (?:got to (\d) of 5|too few .* (\d) and (\d) of 5|ungraded); (.*)$", text)
    if len(results) != 1:
        yield f"{len(results)} results"
    for match in results:
        reached = int(match[1] or match[2] or 0)
        stopped = found(r"^stopped at “Rung (\d)\?”$", match[4])
        broke = int(stopped[0][1]) if stopped else RUNGS + 1
        was_asked = any(each.move.rung == broke for each in exchanges)
        if reached >= broke or reached > max(right, default=0) + 1:
            yield match[0]
        if stopped and (not was_asked or holds(LADDER, broke, exchanges)):
            yield match[0]
        if match[4] == "you passed the last rung." and not holds(LADDER, RUNGS, exchanges):
            yield match[0]


def false_missed(text: str, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield the points that are called missed although they were shown, proved by a check, or never asked about."""
    section = text.partition("## What you missed")[2].partition("\n## ")[0]
    proved = {each.move.rung for each in exchanges if each.assessment.check is CheckResult.RIGHT}
    asked = {each.move.rung for each in exchanges} - proved
    for match in found(r"^- Says p(\d)([ab])\.(?: \(note (\d+)\))?$", section):
        rung = int(match[1])
        if rung not in asked or f"p{rung}{match[2]}" in credited(exchanges):
            yield match[0]
        if f"\n{match[3]}. The rubric tells the judge: Either half is enough.\n" not in text:
            yield f"{match[0]}: its note"
    if "is enough" in text.partition("## Notes")[0]:
        yield "an instruction to the judge stands outside the notes"


def false_answers(text: str, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield the answers that differ from the given ones, in order, and false statements about who judged them."""
    section = text.partition("Your answers:\n")[2].partition("\n\n- ")[0].partition("\n## ")[0]
    told = found(r"^- (?:Rung (\d)|Opening): “(.*)” (Result checked by code; the rest j|J)udged by: (.*)\.$", section)
    if len(told) != len(exchanges):
        yield f"{len(told)} answers for {len(exchanges)}"
    for match, each in zip(told, exchanges, strict=False):
        was_read = each.assessment.check in (CheckResult.RIGHT, CheckResult.WRONG)
        is_true = int(match[1] or 0) == each.move.rung and was_read is (len(match[3]) > 1)
        if not is_true or match[2] != escape_markdown(each.text) or match[4] != "offline examiner":
            yield match[0]


def false_beliefs_and_doubts(text: str, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield false statements about misconceptions, doubts and help."""
    said = [escape_markdown(belief.quote) for each in exchanges for belief in each.assessment.misconceptions]
    corrections = [each for each in exchanges if each.move.kind is MoveKind.CHALLENGE and credited([each])]
    for match in found(r"^Misconception: .* You said: “([^”]*)”\.( You corrected it when asked\.)?", text):
        if match[1] not in said or (match[2] and not corrections):
            yield match[0]
    yield from false_contradictions(text, exchanges)
    flags = {flag for each in exchanges if each.move.kind is MoveKind.DOUBT for flag in each.assessment.flags}
    for match in found(r"questioned a right answer \(“[^”]*”\): (you stood by it|you gave in)\.$", text):
        if {"you stood by it": "stands", "you gave in": "gives_in"}[match[1]] not in flags:
            yield match[0]
    asked = {each.move.rung for each in exchanges}
    for match in found(r"^You got help at rung ([\d, ]+)\.", text):
        if not asked.issuperset(map(int, match[1].split(", "))):
            yield match[0]


def asked_about(point: str, exchanges: list[Exchange]) -> list[tuple[str, Exchange]]:
    """Return the candidate's words that contradict a point, and the exchange that asked about it; at most one pair."""
    return [
        (escape_markdown(before.text), each)
        for place, each in enumerate(exchanges)
        if each.asked.kind is MoveKind.CHALLENGE and each.asked.target == point
        for before in exchanges[:place]
        if any(p.id == point and p.state is State.CONTRADICTED for p in before.assessment.points)
        and before.text[:60].strip() in each.asked.lead
    ]


def false_contradictions(text: str, exchanges: list[Exchange]) -> Iterator[str]:
    """Yield false statements about contradicted points, and each point that was asked about twice."""
    targets = [each.asked.target for each in exchanges if each.asked.kind is MoveKind.CHALLENGE]
    yield from (f"asked twice about {target}" for target in set(targets) if targets.count(target) > 1)
    points = [point.id for point in LADDER.points]
    lines = found(r"^- Says p\d[ab]\. \*\*.*$", text)
    if len(lines) != len(points):
        yield "not a line for each point"
    for point, line in zip(points, lines, strict=False):
        pairs = asked_about(point, exchanges)
        if "**may contradict this:**" in line[0] and point in credited(exchanges):
            yield f"{point}: {line[0]}"
        if "You were asked about " in line[0] and not pairs:
            yield f"{point}: {line[0]}"
        if (match := re.search(r"You were asked about “(.*)”\.", line[0])) and not any(
            said.startswith(match[1]) for said, _ in pairs
        ):
            yield f"{point}: {line[0]}"
        if match := re.search(r"You said “(.*)” before, .* You corrected it when asked\.", line[0]):
            right = [said for said, each in pairs if point in credited([each])]
            if not any(said.startswith(match[1]) for said in right):
                yield f"{point}: {line[0]}"


CHECKERS = (
    false_points,
    false_break,
    false_rungs,
    false_result,
    false_missed,
    false_answers,
    false_beliefs_and_doubts,
)


def test_a_terminal_gets_what_was_typed_and_markdown_gets_it_escaped() -> None:
    run = Run(started(("question", "clipping")))
    typed = r"scale[0, 0] of kv_cache, a\b, `x` and $5"
    told = PointState("p1", State.SHOWN, typed)
    run.answer(Assessment("offline", is_graded=True, points=(told,)), typed)
    run.apply(events.EndAsked(run.now + 1))
    assert typed in plain_debrief(run.session)
    assert escape_markdown(typed) in debrief(run.session)
    assert typed not in debrief(run.session)


@pytest.mark.parametrize("kind", KINDS)
def test_every_sentence_of_a_debrief_is_true(kind: str) -> None:
    make: Callable[[int, random.Random], Candidate] = KINDS[kind]
    rng = random.Random(f"truth {kind}")
    told = 0
    for _ in range(SESSIONS):
        run, exchanges = session_of(make(rng.randint(0, RUNGS), rng), rng)
        text = debrief(run.session)
        told += len(found(r"^(Stopped|- Rung|Heard|Misconception|You got help|- Says|- \*\*ladder)", text))
        assert [line for checker in CHECKERS for line in checker(text, exchanges)] == [], text
    assert told >= 3 * SESSIONS
