"""Chooses the move that follows an answer. The decision is made in code from the point states, without a model.

The interviewer moves up or down a question's ladder of follow-up questions, one rung at a time, until the posterior
over the candidate's depth is narrow enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.verdict import Report, Verdict
from interviewer.session import observer_turns, phrases
from interviewer.session.assessment import DEFAULT_ERROR_RATE, CheckResult, State
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Question, Rung
from interviewer.session.scoring import (
    NO_ANSWER,
    checked_rungs,
    estimate_depth,
    failed_rungs,
    has_credit,
    is_about_point,
    is_rung_passed,
    may_be_unmatched,
    rung_share,
    unused_check,
)
from interviewer.session.state import (
    OFFLINE,
    Answer,
    Attempt,
    Awaiting,
    Challenged,
    Contradiction,
    Decision,
    Drill,
    Session,
)

# The weight of an answer after one, two, three, or more hints on its rung; encouragement counts as a hint.
HINT_CREDIT = (1.0, 1.0, 0.75, 0.5)
HELPED_WEIGHT = 0.5
TRIES_MAX = 2
ANSWERS_MAX = 10
JUDGED_MAX = 6
DEVIATION_ENOUGH = 0.55
# The maximum number of times that a check question is asked. The second time, its inputs are different.
DRAWS_MAX = 2
# The maximum number of contradicted points that the interviewer asks about per question. If the interviewer asked about
# more of them, the limit on answers would be reached before the last rung.
CHALLENGES_MAX = 2
# The number of the rung whose question is asked next if the answer to the opening question earned credit.
FIRST_RUNG = 2
# An answer with a number or an example already contains a concrete case.
_CASE = re.compile(
    r"\d|\be\.g\.|\bsay,|\b(?:for (?:example|instance)|let's say|suppose|imagine)\b|\b(?:consider|take) (?:an?|one)\b"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|\w+teen|twenty|fifty|hundred|thousand|million|billion)\b"
    r"|\b(?:half|twice)\b",
    re.IGNORECASE,
)
_REPEAT = re.compile(r"\b(?:repeat|rephrase|reword|(?:say|ask) (?:it|that|the question) again)\b", re.IGNORECASE)
# A candidate who asks a third question about the same rung is stalling.
EXPLAINED_MAX = 2


@dataclass(frozen=True)
class DecisionContext:
    """The inputs to a decision, other than the question, the candidate's progress on it, and the answered move.

    `error_rate` is the examiner's error rate. `may_doubt` says whether the random draw allows the interviewer to
    question a right answer. `may_improvise` says whether a model may improvise a question that is not on the question's
    ladder. `needs_checks` says whether the judge's findings must be verified by checks. `seed` is the session's seed,
    which determines the random inputs of the checks.
    """

    error_rate: float = DEFAULT_ERROR_RATE
    may_doubt: bool = False
    may_improvise: bool = False
    needs_checks: bool = False
    seed: int = 0


_DEFAULT_CONTEXT = DecisionContext()


def decide(question: Question, drill: Drill, answered: Move, context: DecisionContext = _DEFAULT_CONTEXT) -> Decision:
    """Return the move that follows the drill's last answer.

    The first match wins:
    - an answer to a check does not contain exactly one clear result: ask for the result once
    - the answer was not judged: ask for clarification once
    - the candidate only asks a question: answer it, at most twice on a rung
    - the candidate gives up, or says "I don't know" for the second time: the rung counts as failed
    - the candidate does not know the answer: encouragement or, on the opening question, the question of the first rung
      that has been neither asked nor passed
    - a misconception: the question that exposes it
    - a contradicted point: ask a neutral question that quotes the candidate, and then the rung's check question
    - the candidate answered a check: go one rung up if the answer was right; otherwise, repeat the check with a hint
      and different inputs
    - the rung is passed, but the answer repeats the question bank's text almost word for word: ask a question that
      requires numbers
    - the rung is passed: sometimes question the answer, otherwise go one rung up
    - the candidate failed the rung, but phrase matching may have missed a correct answer: ask the rung's check question
    - the candidate failed the rung, but the judge's votes disagree, or the answer is long and matches no phrasing: ask
      for clarification once
    - the candidate failed the rung once: a probe (or a hint) at the same rung, at half weight
    - the candidate failed the rung twice: go one rung down or, if the lower rungs are passed, one rung up

    If an answer also contains a question, the interviewer first replies to that question and then makes the chosen
    move.

    If `needs_checks` is set and a rung was passed on phrase matches alone, the interviewer asks that rung's check
    question before going two rungs beyond the rung.

    A single failed answer never ends a topic, because an examiner can be wrong, especially the offline examiner.
    """
    # An answer that only asks a question does not count; the number of replies to such questions is limited per rung.
    if len(drill.answers) - len(drill.explained) >= ANSWERS_MAX:
        return Decision(replace(_with_break(question, drill), left_why="enough heard"), None)
    without_result = _without_result(question, drill, answered, context)
    decision = without_result or _with_result(question, drill, answered, context)
    return _with_explanation(question, drill, answered, decision)


def _with_result(question: Question, drill: Drill, answered: Move, context: DecisionContext) -> Decision:
    """Return the move after an answer that contains something to judge."""
    for belief in drill.beliefs:
        if belief.id not in drill.exposed:
            ask = question.misconception(belief.id).ask
            move = Move(MoveKind.CHALLENGE, ask, phrases.you_said(belief.quote), drill.rung, belief.id, HELPED_WEIGHT)
            return Decision(replace(drill, exposed=(*drill.exposed, belief.id)), move)
    if drill.is_closing and _asks_about_closing(question, drill):
        return _explain(question, drill, answered, context)
    if drill.is_closing:
        return Decision(_with_break(question, drill), None)
    if challenge := _challenge(question, drill, answered):
        return challenge
    return _on_ladder(question, drill, answered, context)


def _without_result(question: Question, drill: Drill, answered: Move, context: DecisionContext) -> Decision | None:
    """Return the move after an answer that contains nothing to judge; None for any other answer."""
    assessment = drill.answers[-1].assessment
    # After the interviewer has questioned a correct answer, or asked the closing question, any reply is accepted.
    if answered.kind is MoveKind.DOUBT and drill.doubts[-1].stood is None and "asks_back" in assessment.flags:
        return _explain(question, drill, answered, context) if _is_within_limit(drill) else None
    if answered.kind is MoveKind.DOUBT or drill.is_closing:
        return None
    if answered.kind is MoveKind.CHECK and drill.answers[-1].has_passed is None:
        if "asks_back" in assessment.flags and (_is_within_limit(drill) or _REPEAT.search(drill.answers[-1].text)):
            return _explain(question, drill, answered, context)
        words = phrases.BOTH_HALVES
        if assessment.check is not CheckResult.HALF:
            is_choice = bool(question.drawn_check(answered.target, context.seed).shown)
            words = phrases.ONE_CHOICE if is_choice else phrases.ONE_RESULT
        return Decision(drill, replace(answered, words=words, lead=""))
    if not assessment.is_graded:
        return _clarify(question, drill, answered, phrases.could_not_judge(assessment.why_not), context)
    if has_credit(assessment):
        is_passed = drill.rung == 0 or is_rung_passed(question, drill, drill.rung)
        return None if is_passed or not _may_explain(drill) else _explain(question, drill, answered, context)
    if "gives_up" in assessment.flags and drill.rung:
        return _down(question, drill, context)
    # After a question about a contradicted point, the interviewer asks the rung's check question next, so no help is
    # needed.
    if is_about_point(drill, answered) and "does_not_know" in assessment.flags:
        return None
    if NO_ANSWER.intersection(assessment.flags) and not _may_explain(drill):
        return _help_once(question, drill, answered, context)
    if "asks_back" in assessment.flags:
        return _explain(question, drill, answered, context)
    return None


def _on_ladder(question: Question, drill: Drill, answered: Move, context: DecisionContext) -> Decision:
    if drill.rung == 0:
        return _check_after_challenge(question, drill, answered, context) or _open_ladder(question, drill, context)
    # A question about a misconception may have been asked between the check and its follow-up.
    is_after_check = drill.rung in {answer.rung for answer in drill.answers if answer.is_to_check}
    if answered.kind is MoveKind.CHECK or (answered.kind is MoveKind.CHALLENGE and is_after_check):
        return _after_check(question, drill, context)
    if check := _check_after_challenge(question, drill, answered, context):
        return check
    if is_rung_passed(question, drill, drill.rung):
        return _after_pass(question, drill, context)
    return _after_fail(question, drill, answered, context)


def _challenge(question: Question, drill: Drill, answered: Move) -> Decision | None:
    """Return a question about a contradicted point of this rung or of the last answer, or None.

    The interviewer asks about at most two contradicted points per question, once each, and never about two in
    consecutive turns. If a contradicted point is skipped, the interviewer asks about it later, at the point's own rung.
    A correct answer to one of a rung's checks outweighs a contradiction of that rung's points, because the answer was
    verified in code.
    """
    last = drill.answers[-1].assessment
    is_enough = len(drill.contradictions) >= CHALLENGES_MAX
    if is_enough or answered.kind is MoveKind.CHALLENGE or last.check is CheckResult.RIGHT:
        return None
    here = question.rungs[drill.rung - 1].points if drill.rung else ()
    used = {asked.quote for asked in drill.contradictions} | {belief.quote for belief in drill.beliefs}
    proven = {point for rung in checked_rungs(drill) for point in question.rungs[rung - 1].points}
    contradicted = [point.id for point in last.points if point.state is State.CONTRADICTED]
    if last.judge == OFFLINE:
        # The offline examiner often mistakes a right answer for a contradiction of a point that has little to do with
        # the question.
        near = {point for rung in _rungs_reached(question, drill) for point in rung.points}
        contradicted = [point for point in contradicted if point in near]
    for point_id in (*here, *contradicted):
        credit = drill.credit_of(point_id)
        is_known = point_id in proven or drill.contradiction_of(point_id) is not None
        if is_known or credit is None or credit.state is not State.CONTRADICTED or not credit.quote:
            continue
        if credit.quote in used:
            continue
        words = phrases.challenge(question.point(point_id).still_open)
        lead = phrases.you_said(credit.quote, is_earlier=last.state_of(point_id) is not State.CONTRADICTED)
        asked_about = (*drill.contradictions, Contradiction(point_id, credit.quote))
        move = Move(MoveKind.CHALLENGE, words, lead, drill.rung, point_id, HELPED_WEIGHT)
        return Decision(replace(drill, contradictions=asked_about), move)
    return None


def _check_after_challenge(
    question: Question, drill: Drill, answered: Move, context: DecisionContext
) -> Decision | None:
    """Return the rung's check if the interviewer has just asked about a contradicted point of that rung, or None.

    After the opening question, the interviewer asks a check only for a rung where the ladder can start, because it
    reaches the other rungs later.
    """
    if not context.needs_checks or not is_about_point(drill, answered):
        return None
    reached = _rungs_reached(question, drill)
    first = drill.rung or 1
    number = next((number for number, rung in enumerate(reached, first) if answered.target in rung.points), None)
    return _check(question, drill, number, context) if number else None


def _rungs_reached(question: Question, drill: Drill) -> tuple[Rung, ...]:
    """Return the current rung of the ladder or, after the opening, the rungs where the ladder can start."""
    return question.rungs[drill.rung - 1 : drill.rung] if drill.rung else question.rungs[:FIRST_RUNG]


def next_hint(question: Question, drill: Drill) -> Decision | None:
    """Return the next hint for the current rung; None if all hints have been used.

    On the opening question, return instead the question of the first rung that has been neither asked nor passed.
    """
    if drill.rung == 0:
        number = _first_open(question, drill)
        move = Move(MoveKind.DEEPER, question.rungs[number - 1].ask, phrases.START_HERE, number)
        return Decision(replace(drill, rung=number), move)
    at = drill.rung
    given = drill.hints.count(at)
    hints = question.rungs[at - 1].hints
    if given >= len(hints):
        return None
    steps = min(given + 1 + drill.pumped.count(at), len(HINT_CREDIT)) - 1
    move = Move(MoveKind.HINT, hints[given], "", at, "", HINT_CREDIT[steps])
    return Decision(replace(drill, hints=(*drill.hints, at)), move)


def hint_on_request(question: Question, drill: Drill, asked: Move, seed: int) -> tuple[Drill, Move]:
    """Return the move after the candidate has requested a hint for the question `asked`, and the drill after it.

    A check or a question about a misconception stays open, so the next answer still counts as the answer to it. There
    is no hint for an improvised question or for a doubt; the question is repeated. `seed` is the session's seed.
    """
    if asked.kind is MoveKind.IMPROVISE:
        return drill, replace(asked, kind=MoveKind.EXPLAIN, lead=phrases.NO_HINT_HERE)
    if asked.kind is MoveKind.DOUBT:
        return drill, replace(asked, lead=phrases.NO_HINT_HERE)
    stays_open = asked.kind in (MoveKind.CHECK, MoveKind.CHALLENGE)
    if asked.kind is MoveKind.CHECK:
        # The interviewer's last message may have asked only for the check's result.
        asked = replace(asked, words=question.drawn_check(asked.target, seed).text)
    decision = next_hint(question, drill)
    if decision is None or decision.move is None:
        return drill, replace(asked, kind=asked.kind if stays_open else MoveKind.HINT, lead=phrases.OUT_OF_HINTS)
    hint = decision.move
    # The weight of a probe, or of a question about a misconception, says nothing about the hint.
    is_new_weight = asked.kind in (MoveKind.PROBE, MoveKind.CHALLENGE)
    weight = hint.weight if is_new_weight else min(asked.weight, hint.weight)
    if stays_open and hint.kind is MoveKind.HINT:
        return decision.drill, replace(asked, lead=phrases.small_help(hint.words), weight=weight)
    return decision.drill, replace(hint, weight=weight)


def _open_ladder(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return the first follow-up: rung 2 if the opening earned credit or matching may have missed points, else rung 1.

    If the opening answer covers every rung, question it once: a monologue does not show that the candidate can defend
    the answer.
    """
    quotes = _shown_quotes(drill)
    says_all = all(is_rung_passed(question, drill, number) for number in range(1, len(question.rungs) + 1))
    if says_all and quotes and not drill.doubts:
        return _doubt(drill, quotes[0])
    # A question about a misconception or a contradiction may have been asked since the opening.
    has_spoken = any(
        has_credit(answer.assessment) or may_be_unmatched(answer.text, answer.assessment) for answer in drill.answers
    )
    return _up(question, replace(drill, rung=FIRST_RUNG - 1 if has_spoken else 0), context)


def _after_pass(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    last = drill.answers[-1]
    if "recited" in last.assessment.flags and drill.rung not in drill.recited:
        noted = replace(drill, recited=(*drill.recited, drill.rung))
        for number, rung in enumerate(question.rungs, 1):
            if rung.check and _is_open(question, noted, number) and not rung_share(question, noted, number):
                return Decision(
                    replace(noted, rung=number), Move(MoveKind.DEEPER, rung.ask, phrases.WITH_NUMBERS, number)
                )
        return _up(question, noted, context)
    quotes = _shown_quotes(drill)
    if context.may_doubt and quotes and last.has_passed and last.weight == 1.0 and not drill.doubts:
        return _doubt(drill, quotes[0])
    return _up(question, drill, context)


def _doubt(drill: Drill, quote: str) -> Decision:
    doubted = replace(drill, doubts=(Challenged(drill.rung, quote),))
    return Decision(doubted, Move(MoveKind.DOUBT, phrases.ARE_YOU_SURE, phrases.you_said(quote), drill.rung))


def _after_fail(question: Question, drill: Drill, answered: Move, context: DecisionContext) -> Decision:
    last = drill.answers[-1]
    if context.needs_checks and (check := _check(question, drill, drill.rung, context)):
        return check
    if drill.rung not in drill.clarified:
        wanted = question.rungs[drill.rung - 1].points
        undecided = any(last.assessment.state_of(point) is State.UNDECIDED for point in wanted)
        ask = phrases.WHAT_DO_YOU_MEAN if undecided else phrases.CONCRETE_CASE
        is_heard = any(point.state is State.CONTRADICTED for point in last.assessment.points)
        is_abstract = may_be_unmatched(last.text, last.assessment) and not is_heard and not _CASE.search(last.text)
        if undecided or is_abstract:
            move = Move(MoveKind.CLARIFY, ask, phrases.you_said(last.text), drill.rung, "", answered.weight)
            return Decision(replace(drill, clarified=(*drill.clarified, drill.rung)), move)
    tries = [answer for answer in _judged(drill) if answer.rung == drill.rung]
    if len(tries) < TRIES_MAX and not _is_known(question, drill, context):
        probed = _probe(question, drill, drill.rung, _quote_lead(drill)) or _ask_itself(question, drill, answered)
        return probed or _help(question, drill, context)
    return _down(question, drill, context)


def _check(question: Question, drill: Drill, rung: int, context: DecisionContext, lead: str = "") -> Decision | None:
    """Return a check of this rung that has not been asked yet, or None.

    Unless `lead` is given, the check question starts with a quote from the last answer, if that answer showed a point
    of this rung.
    """
    place = unused_check(question, drill, rung)
    if place is None:
        return None
    lead = lead or (_quote_lead(drill) if _has_shown_part(question, drill, rung) else "")
    return _ask_check(question, replace(drill, rung=rung), place, context, Move(MoveKind.CHECK, "", lead, rung))


def _ask_check(question: Question, drill: Drill, place: int, context: DecisionContext, move: Move) -> Decision:
    target = f"{place}.{drill.checked.count(place)}"
    words = question.drawn_check(target, context.seed).text
    return Decision(replace(drill, checked=(*drill.checked, place)), replace(move, words=words, target=target))


def _after_check(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return the move after a check: one rung up, the check again with a hint and new inputs, or one rung down."""
    if is_rung_passed(question, drill, drill.rung):
        return _up(question, drill, context)
    place = drill.checked[-1]
    other = unused_check(question, drill, drill.rung)
    is_again = other is None and bool(question.checks[place].given) and drill.checked.count(place) < DRAWS_MAX
    given = drill.hints.count(drill.rung)
    hints = question.rungs[drill.rung - 1].hints
    asked = sum(answer.is_to_check and answer.rung == drill.rung for answer in _judged(drill))
    if (is_again or other is not None) and given < len(hints) and asked < DRAWS_MAX:
        move = Move(MoveKind.CHECK, "", phrases.small_help(hints[given]), drill.rung, "", HELPED_WEIGHT)
        helped = replace(drill, hints=(*drill.hints, drill.rung))
        return _ask_check(question, helped, place if other is None else other, context, move)
    return _down(question, drill, context)


def _due_check(question: Question, drill: Drill, context: DecisionContext) -> Decision | None:
    """Return the check that is due because rungs were passed on phrase matches alone, or None.

    The rung directly above the last checked rung needs no check.
    """
    if not context.needs_checks:
        return None
    checked, failed = checked_rungs(drill), failed_rungs(question, drill)
    first = max(checked, default=0) + 2
    for rung in range(first, min(failed, default=len(question.rungs) + 1)):
        if not is_rung_passed(question, drill, rung):
            return None
        if check := _check(question, drill, rung, context):
            return check
    return None


def _help_once(question: Question, drill: Drill, answered: Move, context: DecisionContext) -> Decision:
    """Help a candidate who does not know the answer, once per rung; the second time, the rung counts as failed.

    An earlier answer is not counted if a model found a question in it, because the interviewer replied to the question.
    """
    if drill.rung == 0:
        return _ask(question, drill, _first_open(question, drill), context, phrases.START_HERE)
    if answered.kind is MoveKind.CHECK:
        return _after_check(question, drill, context)
    earlier = [
        answer
        for answer in drill.answers[:-1]
        if answer.rung == drill.rung and NO_ANSWER.intersection(answer.assessment.flags) and not answer.assessment.asks
    ]
    return _help(question, drill, context) if len(earlier) + 1 < TRIES_MAX else _down(question, drill, context)


def _help(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return the next form of help for this rung.

    The order is: encouragement, hints, half of a sentence to complete, and leaving the rung.
    """
    at = drill.rung
    if at not in drill.pumped and at not in drill.hints:
        # If the candidate has just earned a point, quote the answer and follow up on it, instead of using the generic
        # "say what you know".
        heard = _quote_lead(drill)
        ask = _partial_follow_up(question, drill, at) if heard else phrases.SAY_WHAT_YOU_KNOW
        move = Move(MoveKind.HINT, ask, heard, at, "", HINT_CREDIT[0])
        return Decision(replace(drill, pumped=(*drill.pumped, at)), move)
    return next_hint(question, drill) or _halve(question, drill) or _down(question, drill, context)


def _halve(question: Question, drill: Drill) -> Decision | None:
    """Return the decision to quote the first half of an open point's text and ask the candidate to complete it.

    Return None if no point of the rung is open, or if this was already done on this rung.
    """
    at = drill.rung
    lacking = [point for point in question.rungs[at - 1].points if drill.credit_of(point) is None]
    if at in drill.halved or not lacking:
        return None
    ask = phrases.complete_this(question.point(lacking[0]).says)
    return Decision(replace(drill, halved=(*drill.halved, at)), Move(MoveKind.HINT, ask, "", at, "", HINT_CREDIT[-1]))


def _clarify(question: Question, drill: Drill, answered: Move, lead: str, context: DecisionContext) -> Decision:
    if drill.rung in drill.clarified:
        return _up(question, drill, context)
    kind = answered.kind if answered.kind is MoveKind.CHALLENGE else MoveKind.CLARIFY
    move = Move(kind, answered.words, lead, answered.rung, answered.target, answered.weight)
    # The clarification repeats the original question, so its answer counts as an attempt at that question.
    return Decision(replace(drill, clarified=(*drill.clarified, drill.rung)), move)


def _may_explain(drill: Drill) -> bool:
    """Return whether a model found a question in the last answer, and the interviewer may still reply at this rung."""
    return bool(drill.answers[-1].assessment.asks) and _is_within_limit(drill)


def _asks_about_closing(question: Question, drill: Drill) -> bool:
    """Return whether the candidate replies to the closing question with a question; true at most once per topic."""
    last = drill.answers[-1].assessment
    if drill.rung in drill.clarified or "asks_back" not in last.flags or "gives_up" in last.flags:
        return False
    if last.check in (CheckResult.RIGHT, CheckResult.WRONG) or is_rung_passed(question, drill, drill.rung):
        return False
    # Only a model can find a question in an answer that also says something else.
    return bool(last.asks) or not (has_credit(last) or NO_ANSWER.intersection(last.flags))


def _is_within_limit(drill: Drill) -> bool:
    return drill.clarified.count(drill.rung) < EXPLAINED_MAX


def _with_explanation(question: Question, drill: Drill, answered: Move, decision: Decision) -> Decision:
    """Return the decision; its move starts with a reply if a model found a question in the candidate's last answer.

    Once the reply limit is reached, the interviewer continues without answering the candidate's question. `drill` is
    the state of the drill before the decision.
    """
    asks, move = drill.answers[-1].assessment.asks, decision.move
    if not asks or move is None or move.kind is MoveKind.EXPLAIN or move.lead == phrases.GO_ON:
        return decision
    is_same = (move.kind, move.target) == (answered.kind, answered.target)
    if is_same and move.kind in (MoveKind.CHECK, MoveKind.DOUBT, MoveKind.CHALLENGE) and move.lead:
        # The reply already repeats the question.
        return decision
    if not _may_explain(drill):
        return replace(decision, move=replace(move, lead=f"{phrases.GO_ON} {move.lead}".rstrip()))
    after = replace(decision.drill, clarified=(*decision.drill.clarified, drill.rung))
    return Decision(after, replace(move, lead=f"{reply_beside(question, asks)} {move.lead}".rstrip()))


def reply_beside(question: Question, asks: str) -> str:
    """Return the prepared reply to a clarifying question that an answer contains."""
    return question.clarification(asks) or phrases.YOUR_ASSUMPTION


def _explain(question: Question, drill: Drill, answered: Move, context: DecisionContext) -> Decision:
    """Return the reply to a clarifying question, followed by the question that needed clarification.

    A repeated `CHECK`, `DOUBT` or `CHALLENGE` keeps its kind, so that code still verifies the answer to the check, or
    still records whether the candidate stood by the right answer or corrected the wrong one.
    """
    if answered.kind is not MoveKind.CHECK and not _is_within_limit(drill):
        onward = _up(question, drill, context)
        if onward.move is None or onward.move.lead:
            return onward
        return replace(onward, move=replace(onward.move, lead=phrases.GO_ON))
    asks = drill.answers[-1].assessment.asks or drill.answers[-1].text
    stock = phrases.SAID_AGAIN if _REPEAT.search(asks) else phrases.YOUR_READING
    lead = question.clarification(asks) or stock
    is_only_asking = not has_credit(drill.answers[-1].assessment) and _is_within_limit(drill)
    explained = (*drill.explained, drill.rung) if is_only_asking else drill.explained
    asked = replace(drill, clarified=(*drill.clarified, drill.rung), explained=explained)
    if answered.kind is MoveKind.CHECK:
        # The interviewer's last message may have asked only for the check's result, so repeat the whole check question.
        words = question.drawn_check(answered.target, context.seed).text
        return Decision(asked, replace(answered, words=words, lead=lead))
    if answered.kind in (MoveKind.DOUBT, MoveKind.CHALLENGE):
        return Decision(asked, replace(answered, lead=lead))
    # A hint is not a question, so repeat the rung's question instead.
    words = question.rungs[drill.rung - 1].ask if answered.kind is MoveKind.HINT and drill.rung else answered.words
    return Decision(asked, replace(answered, kind=MoveKind.EXPLAIN, words=words, lead=lead))


def _up(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return a check that is due, or else the question of the next higher rung that was neither asked nor passed."""
    if due := _due_check(question, drill, context):
        return due
    if _is_known(question, drill, context):
        return Decision(_with_break(question, drill), None)
    for number in range(drill.rung + 1, len(question.rungs) + 1):
        if _is_open(question, drill, number):
            return _ask(question, drill, number, context)
    ended = _with_break(question, replace(drill, rung=len(question.rungs)))
    if context.may_improvise and is_rung_passed(question, drill, len(question.rungs)) and not drill.improvised:
        return Decision(replace(ended, improvised=True), Move(MoveKind.IMPROVISE, phrases.BEYOND, weight=0.0))
    return Decision(ended, None)


def _down(question: Question, drill: Drill, context: DecisionContext) -> Decision:
    """Return the move after a failed rung: the rung below, the rung above if the lower rungs are passed, or the end."""
    failed = drill if drill.rung in drill.failed else replace(drill, failed=(*drill.failed, drill.rung))
    if not drill.is_closing and (due := _due_check(question, failed, context)):
        return due
    below = [number for number in range(drill.rung - 1, 0, -1) if _is_open(question, failed, number)]
    if _is_known(question, failed, context):
        return _close(question, failed, below, context)
    passed_below = [number for number in range(1, drill.rung) if is_rung_passed(question, failed, number)]
    if below and not (passed_below and max(passed_below) > below[0]):
        return _ask(question, failed, below[0], context, phrases.STEP_BACK)
    if drill.rung - 1 in drill.failed or drill.rung + 1 > len(question.rungs) or not passed_below:
        return _close(question, failed, below, context)
    return _up(question, failed, context)


def _close(question: Question, drill: Drill, below: list[int], context: DecisionContext) -> Decision:
    """End the question, or first ask about one easier rung, so that the topic does not end on a failure."""
    if not below or _judged_count(drill) >= JUDGED_MAX:
        return Decision(_with_break(question, drill), None)
    return _ask(question, replace(drill, is_closing=True), below[0], context, phrases.BEFORE_WE_LEAVE)


def _ask(question: Question, drill: Drill, number: int, context: DecisionContext, lead: str = "") -> Decision:
    on_rung = replace(drill, rung=number)
    if rung_share(question, drill, number) > 0:
        # Do not ask for a point that the candidate has already made. Name what is still missing instead, or ask the
        # rung's check question or a probe.
        if left := _left_open(question, drill, number):
            return Decision(on_rung, Move(MoveKind.DEEPER, phrases.still_open(left), lead, number))
        if context.needs_checks and (check := _check(question, drill, number, context, lead)):
            return check
        # The candidate has not been asked this rung's question, so the probe quotes what they said about the rung's
        # points.
        said = _quote_of_rung(question, drill, number)
        if said and (probed := _probe(question, on_rung, number, phrases.you_said(said), weight=1.0)):
            return probed
    return Decision(on_rung, Move(MoveKind.DEEPER, question.rungs[number - 1].ask, lead, number))


def _left_open(question: Question, drill: Drill, number: int) -> list[str]:
    """Return the `still_open` texts of a partly covered rung's missing points; empty if one of the points has none."""
    points = question.rungs[number - 1].points
    left = [point for point in points if not drill.is_credited(point)]
    # Leave out a contradicted point that the candidate was already asked about, because that question used the point's
    # `still_open` text.
    texts = [question.point(point).still_open for point in left if drill.contradiction_of(point) is None]
    return texts if len(left) < len(points) and all(texts) else []


def _is_known(question: Question, drill: Drill, context: DecisionContext) -> bool:
    """Return whether the depth estimate is narrow enough, or enough rungs have been judged."""
    depth = estimate_depth(question, drill, context.error_rate)
    return _judged_count(drill) >= JUDGED_MAX or (depth is not None and depth.deviation < DEVIATION_ENOUGH)


def _judged_count(drill: Drill) -> int:
    """Return the number of judged answers; if a rung has `is_decisive` answers, its other answers do not count."""
    decided = {answer.rung for answer in drill.answers if answer.is_decisive}
    return sum(answer.is_decisive or answer.rung not in decided for answer in _judged(drill))


def _judged(drill: Drill) -> list[Answer]:
    return [answer for answer in drill.answers if answer.has_passed is not None]


def _first_open(question: Question, drill: Drill) -> int:
    """Return the first rung that has been neither asked nor passed; rung 1 if there is no such rung."""
    numbers = range(1, len(question.rungs) + 1)
    return next((number for number in numbers if _is_open(question, drill, number)), 1)


def _is_open(question: Question, drill: Drill, number: int) -> bool:
    return not is_rung_passed(question, drill, number) and not _has_tried(drill, number)


def _has_tried(drill: Drill, number: int) -> bool:
    return number in drill.failed or any(answer.rung == number for answer in drill.answers)


def _with_break(question: Question, drill: Drill) -> Drill:
    """Return the drill with `broke_at` set to the lowest of its `failed_rungs`, or to None if there are none."""
    return replace(drill, broke_at=min(failed_rungs(question, drill), default=None))


def _probe(question: Question, drill: Drill, rung: int, lead: str, weight: float = HELPED_WEIGHT) -> Decision | None:
    """Return an unused probe for an open point of the rung, or None."""
    for point_id in question.rungs[rung - 1].points:
        credit = drill.credit_of(point_id)
        if credit and credit.state is State.SHOWN:
            continue
        for index, probe in enumerate(question.probes):
            if probe.missing == point_id and index not in drill.used_probes:
                move = Move(MoveKind.PROBE, probe.ask, lead, rung, point_id, weight)
                return Decision(replace(drill, used_probes=(*drill.used_probes, index)), move)
    return None


def _ask_itself(question: Question, drill: Drill, answered: Move) -> Decision | None:
    """Return the rung's own question if a probe was asked in its place; otherwise, return None."""
    if answered.kind is not MoveKind.PROBE or answered.weight < 1.0:
        return None
    ask = question.rungs[drill.rung - 1].ask
    return Decision(drill, Move(MoveKind.PROBE, ask, _quote_lead(drill), drill.rung, "", HELPED_WEIGHT))


def _quote_lead(drill: Drill) -> str:
    """Return a lead-in that quotes the words with which the last answer showed a point; "" if it showed no point."""
    quotes = _shown_quotes(drill)
    return phrases.you_said(quotes[-1]) if quotes else ""


def _quote_of_rung(question: Question, drill: Drill, rung: int) -> str:
    """Return the last quote that earned credit at this rung, in any answer; "" if no quote earned credit."""
    quotes = [
        point.quote
        for answer in drill.answers
        for point in answer.assessment.points
        if point.id in question.rungs[rung - 1].points and point.state.credit and point.quote
    ]
    return quotes[-1] if quotes else ""


def _partial_follow_up(question: Question, drill: Drill, rung: int) -> str:
    """Return the follow-up to a partial answer; it depends on whether the answer showed a point of this rung."""
    return phrases.REST_OF_IT if _has_shown_part(question, drill, rung) else phrases.ANOTHER_PART


def _has_shown_part(question: Question, drill: Drill, rung: int) -> bool:
    """Return whether the last answer showed a point of this rung."""
    last = drill.answers[-1].assessment
    return any(last.state_of(point) is State.SHOWN for point in question.rungs[rung - 1].points)


def _shown_quotes(drill: Drill) -> list[str]:
    last = drill.answers[-1].assessment
    return [point.quote for point in last.points if point.state is State.SHOWN and point.quote]


def unnamed_report(session: Session) -> Report | None:
    """Return the report of the last submission if it failed and the interviewer has not named the mistake yet.

    A mock interview names the mistake at the next submission or hint; a challenge names it immediately.
    """
    if session.is_challenge or not session.works or session.work.is_over:
        return None
    graded = [attempt for attempt in session.work.submissions if attempt.report is not None]
    if not graded or graded[-1].report is None or graded[-1].report.verdict is Verdict.PASSED:
        return None
    last = graded[-1]
    was_helped = any(
        turn.move is MoveKind.HINT and turn.part == session.part and turn.at > last.at for turn in session.transcript
    )
    return None if was_helped or _is_repeated(graded) else last.report


def _is_repeated(graded: Sequence[Attempt]) -> bool:
    """Return whether the last submission repeats the previous one's mistake, which has already been named."""
    if len(graded) < 2:
        return False
    before, last = graded[-2].report, graded[-1].report
    if before is None or last is None or before.mistake is None or last.mistake is None:
        return False
    return before.mistake.id == last.mistake.id


def hint_price(session: Session) -> str:
    """Describe the cost of the next hint in a few words; "" if no hint is available."""
    if session.awaiting is Awaiting.SUBMISSION:
        is_open = session.work.closed_seconds is None
        has_more = is_open and session.work.hints < len(session.task(session.work.task).hints)
        return phrases.TASK_HINT_PRICE if has_more else phrases.NO_HINT_LEFT
    asked = session.answered
    if session.awaiting is not Awaiting.ANSWER or asked is None or observer_turns.is_observers_turn(session):
        return ""
    _, move = hint_on_request(session.question(session.drill.question), session.drill, asked, session.seed)
    if move.lead in (phrases.OUT_OF_HINTS, phrases.NO_HINT_HERE):
        return phrases.NO_HINT_LEFT
    # A candidate who asks for help on the opening question gets the ladder's first question, which does not count as a
    # hint.
    return phrases.FREE_HINT if move.kind is MoveKind.DEEPER else phrases.hint_price(move.weight)
