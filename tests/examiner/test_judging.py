"""What surrounds the votes: empty talk that costs nothing, repeated requests, counted votes, stored replies."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from interviewer.bank.load import load_questions
from interviewer.chat.model import ChatCancelled, ChatError, ContextTooLong, Reply
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Payments
from interviewer.examiner.examiner import Conversation, Exchange
from interviewer.examiner.gold import load_gold
from interviewer.examiner.judgment import parse_vote
from interviewer.examiner.llm import LLMExaminer, is_empty_talk, merged, only_says_unknown
from interviewer.examiner.quotes import QuotableAnswer
from interviewer.session.assessment import Assessment, PointState, State
from interviewer.session.codec import from_plain, to_plain
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Point, Question
from interviewer.session.scoring import apply_assessment
from interviewer.session.state import Challenged, Drill
from tests.examiner.build import ANSWER, BACK, INSIDE, QUESTION, SMALLER, common_start, judged

FORGED = "the gradient is exactly zero beyond the interval"
GOOD = judged(("shown", SMALLER), ("shown", BACK))
FAKED = judged(("shown", SMALLER), ("shown", FORGED))
CREDITED_EARLIER = Conversation((Exchange("Why?", "It is safer."),))
TALK = (
    "That is a really important topic, and in practice it depends a lot on the context. You have to look at it from "
    "several sides, weigh the pros and cons, and find the right balance for the use case at hand."
)


def ends_in_tag(text: str) -> bool:
    """Return whether a text ends within the answer's tag, because two random tags may begin alike."""
    return re.search(r"<answer-\w*$", text) is not None


def assess(*replies: Any, answer: str = ANSWER, asked: str = "Go on.", **options: Any) -> tuple[Assessment, Any]:
    model = ScriptedModel(judgements=replies)
    question = options.pop("question", QUESTION)
    return LLMExaminer(model, random.Random(1), **options).assess(question, asked, answer), model


@pytest.mark.parametrize(
    ("answer", "flag"),
    [
        ("Thought process:", "empty"),
        ("Let's think step by step.", "empty"),
        (TALK, "empty"),
        (f"{TALK}\u200b\n{TALK}", "empty"),
        ("I have worked on exactly this kind of thing for many years and could talk about it for hours.", "empty"),
        ("I don't know.", "does_not_know"),
        ("Sorry, I have no idea about that.", "does_not_know"),
    ],
)
def test_an_answer_without_substance_is_judged_without_a_call_and_earns_nothing(answer: str, flag: str) -> None:
    assessment, model = assess(GOOD, answer=answer)
    assert model.requests == []
    assert assessment.is_graded
    assert {point.state for point in assessment.points} == {State.MISSING}
    assert assessment.flags == (flag,)


@pytest.mark.parametrize(
    "answer",
    [
        "What kind of answer are you looking for here?",
        "Can you tell me what you are looking for with this question?",
        "How much detail do you want me to go into here?",
        "Is this about one step or about many steps?",
        "I don't know what you are looking for here.",
    ],
)
def test_a_clarifying_question_of_generic_words_reaches_the_judge_and_earns_nothing(answer: str) -> None:
    claim = {"id": "minimum", "quotes": [answer], "why": "", "state": "shown"}
    assessment, model = assess(judged() | {"points": [claim], "asks": answer}, answer=answer)
    assert model.requests
    assert (assessment.asks, assessment.flags) == (answer, ("asks_back",))
    assert {point.state for point in assessment.points} == {State.MISSING}


def test_no_gold_answer_is_taken_for_talk() -> None:
    questions = {question.id: question for question in load_questions()}
    gold = load_gold(questions)
    assert [answer for answer in gold if is_empty_talk(answer.text) or only_says_unknown(answer.text)] == []


def test_no_right_answer_of_the_bank_is_taken_for_talk() -> None:
    rungs = [rung for question in load_questions() for rung in question.rungs]
    assert [rung.answer for rung in rungs if is_empty_talk(rung.answer)] == []


@pytest.mark.parametrize(
    "answer",
    [
        "42",
        "0.2 nats",
        "because",
        "It depends.",
        "No, it is less.",
        "I think so, yes, and it is not the same thing at all in both cases.",
        "Let's think of the ratio.",
        "答案是裁剪",
        TALK + " The gradient vanishes.",
        TALK + " And it is never both of them.",
    ],
)
def test_a_word_of_substance_reaches_the_judge(answer: str) -> None:
    assert not is_empty_talk(answer)
    assert len(assess(judged(), answer=answer)[1].requests) == 1


def test_who_does_not_know_but_says_something_is_judged() -> None:
    assert not only_says_unknown("I don't know, perhaps the gradient dies.")
    assert not only_says_unknown("No.")


def test_a_forged_quote_is_voted_on_again_and_a_judge_that_insists_on_it_gives_no_credit() -> None:
    assessment, model = assess(FAKED, GOOD, GOOD)
    assert assessment.state_of("way_back") is State.SHOWN
    assert len(model.requests) == 3
    assessment, model = assess(*[FAKED] * 3)
    assert assessment.state_of("way_back") is State.MISSING
    assert assessment.state_of("minimum") is State.SHOWN


def test_the_next_votes_judge_only_what_is_open_and_change_nothing_else() -> None:
    first = judged(("shown", SMALLER), ("partial", BACK))
    assessment, model = assess(
        first, judged(("contradicted", SMALLER), ("shown", BACK)), judged(way_back=("shown", BACK))
    )
    assert assessment.state_of("minimum") is State.SHOWN
    assert assessment.state_of("way_back") is State.SHOWN
    for messages in model.requests[1:]:
        assert "only these points, in this order: way_back. " in messages[-1].content
        assert ends_in_tag(common_start(messages[-1].content, model.requests[0][-1].content))
    believed = judged(("shown", SMALLER), misconceptions=(("bounds", INSIDE),))
    assert (
        "Judge only misconceptions and retractions" in assess(believed, believed, believed)[1].requests[1][-1].content
    )


class Meeting(ScriptedModel):
    """Let each of the next votes reply only after the other one has been requested."""

    def __init__(self, *judgements: Any) -> None:
        super().__init__(judgements=judgements)
        self.both = threading.Barrier(2)

    def complete(self, *given: Any) -> Any:
        reply = super().complete(*given)
        if len(self.requests) > 1:
            self.both.wait(10)
        return reply


def test_the_second_and_the_third_vote_are_asked_for_at_the_same_time() -> None:
    doubt = judged(way_back=("partial", BACK))
    # One after the other, the second vote would wait for the third until the barrier breaks.
    assessment = LLMExaminer(Meeting(doubt, doubt, GOOD)).assess(QUESTION, "Go on.", ANSWER)
    assert assessment.state_of("way_back") is State.PARTIAL


def with_points(count: int) -> Question:
    """Return the question with this many points; the answer contains nothing about the added ones."""
    more = tuple(Point(f"extra{number}", "More.", ()) for number in range(count - len(QUESTION.points)))
    return replace(QUESTION, points=QUESTION.points + more)


def asked_points(model: ScriptedModel) -> list[str]:
    """Return the points that each request asks for; "" for all of them."""
    scopes = [re.search(r"only these points[^:]*: (.*?)\.", messages[-1].content) for messages in model.requests]
    return [scope[1] if scope else "" for scope in scopes]


class ByScope(ScriptedModel):
    """Show `minimum` and `way_back` whenever a request asks for one of them, and claim the other one, too."""

    def complete(self, *given: Any) -> Reply:
        super().complete(*given)
        return Reply(json.dumps(judged(("shown", SMALLER), ("shown", BACK))), "stop")


def test_the_points_of_an_opening_answer_are_divided_among_requests() -> None:
    model = ByScope()
    assessment = LLMExaminer(model).assess(with_points(8), "Go on.", ANSWER)
    assert sorted(asked_points(model)) == ["extra0, extra4", "flat, extra3", "minimum, extra1", "way_back, extra2"]
    assert [point.id for point in assessment.points if point.state is State.SHOWN] == ["minimum", "way_back"]
    first, *others = (messages[-1].content for messages in model.requests)
    assert all(ends_in_tag(common_start(first, other)) for other in others)


@pytest.mark.parametrize(
    ("count", "is_parallel", "conversation"),
    [(4, True, Conversation()), (8, False, Conversation()), (8, True, CREDITED_EARLIER)],
    ids=["few points", "one request at a time", "follow-up"],
)
def test_otherwise_one_request_judges_all_points(count: int, is_parallel: bool, conversation: Conversation) -> None:
    model = ScriptedModel()
    LLMExaminer(model, is_parallel=is_parallel).assess(with_points(count), "Go on.", ANSWER, conversation=conversation)
    assert asked_points(model) == [""]


def test_a_part_counts_only_for_its_own_points_and_open_points_of_every_part_are_voted_on() -> None:
    answer = QuotableAnswer(ANSWER)
    first = parse_vote(json.dumps(judged(("shown", SMALLER), ("shown", BACK))), QUESTION, answer)
    second = parse_vote(json.dumps(judged(("contradicted", SMALLER), ("partial", BACK))), QUESTION, answer)
    vote = merged([first, second], [["minimum", "flat"], ["way_back"]])
    assert [point.state.value for point in vote.points.values()] == ["shown", "partial", "missing"]
    assert vote.open_points == ("way_back",)


class Unsure(ScriptedModel):
    """Find every requested point partly shown, but fail one request of the second vote."""

    def __init__(self, failing: int = 0) -> None:
        super().__init__()
        self.lock, self.failing, self.warm = threading.Lock(), failing, 0

    def complete(self, messages: Any, schema: Any = None, temperature: float = 0.0, *given: Any) -> Reply:
        with self.lock:
            super().complete(messages, schema, temperature, *given)
            self.warm += temperature > 0
            if temperature > 0 and self.warm <= self.failing:
                raise ChatError("m: no reply.", "-")
        names = re.findall(r"only these points[^:]*: (.*?)\.", messages[-1].content)[0].split(", ")
        points = [{"id": name, "quotes": [BACK], "why": "", "state": "partial"} for name in names]
        return Reply(json.dumps({"points": points, "misconceptions": [], "flags": []}), "stop")


def test_many_open_points_of_the_next_votes_are_divided_too() -> None:
    model = Unsure()
    assessment = LLMExaminer(model).assess(with_points(8), "Go on.", ANSWER)
    sizes = [len(names.split(", ")) for names in asked_points(model)]
    assert sizes == [2] * 4 + [1] * 16
    assert {point.votes for point in assessment.points} == {"3 of 3"}
    assert {point.state for point in assessment.points} == {State.PARTIAL}


def test_a_vote_that_lacks_a_part_does_not_count() -> None:
    assessment = LLMExaminer(Unsure(failing=1)).assess(with_points(8), "Go on.", ANSWER)
    assert {point.votes for point in assessment.points} == {"2 of 2"}


def test_no_part_of_an_opening_answer_is_paid_for_twice() -> None:
    kept = [""]
    for requests in (4, 0):
        model = ByScope()
        paid = Payments(kept[0], lambda text: kept.__setitem__(0, text))
        LLMExaminer(model, paid=paid).assess(with_points(8), "Go on.", ANSWER)
        assert len(model.requests) == requests


WITHDRAWS = "I take back what I said of the smaller one."
CREDITED = Conversation((Exchange("Why?", ANSWER),), ("minimum",))


def withdrawn(*replies: Any, conversation: Conversation = CREDITED) -> Assessment:
    judge = LLMExaminer(ScriptedModel(judgements=replies))
    return judge.assess(QUESTION, "Go on.", WITHDRAWS, conversation=conversation)


def test_the_judge_is_told_what_is_credited_and_a_retraction_needs_two_votes() -> None:
    retracts = judged(retracts=(("minimum", "I take back what I said"),))
    assert withdrawn(retracts, retracts, judged()).retracted == ("minimum",)
    assert withdrawn(retracts, judged(), judged()).retracted == ()
    model = ScriptedModel()
    LLMExaminer(model).assess(QUESTION, "Go on.", WITHDRAWS, conversation=CREDITED)
    content = model.requests[0][-1].content
    assert "Points already credited: minimum\n" in content
    assert content.index("takes the smaller of the two terms") < content.index("Points already credited")


@pytest.mark.parametrize(
    "claim",
    [
        judged(retracts=(("way_back", "I take back what I said"),)),
        judged(retracts=(("minimum", "I never said anything like it"),)),
        judged(("shown", "what I said of the smaller one"), retracts=(("minimum", "I take back what I said"),)),
        {**judged(), "retracts": "minimum"},
    ],
    ids=["not credited", "forged", "claimed again", "no list"],
)
def test_a_retraction_needs_a_credited_point_and_words_that_withdraw_it(claim: dict[str, Any]) -> None:
    assert withdrawn(claim, claim, claim).retracted == ()


def test_a_point_that_the_candidate_withdraws_loses_its_credit_unless_the_interviewer_doubted_it() -> None:
    shown = Assessment("llm:m", is_graded=True, points=(PointState("minimum", State.SHOWN, SMALLER),))
    taken_back = Assessment("llm:m", is_graded=True, retracted=("minimum",))
    drill = apply_assessment(QUESTION, Drill(QUESTION.id), Move(MoveKind.NEXT, "Why?"), ANSWER, shown)
    assert drill.credit_of("minimum") is not None
    later = apply_assessment(QUESTION, drill, Move(MoveKind.DEEPER, "And?", rung=1), WITHDRAWS, taken_back)
    assert later.credit_of("minimum") is None
    doubted = replace(drill, doubts=(Challenged(1, SMALLER),))
    kept = apply_assessment(QUESTION, doubted, Move(MoveKind.DOUBT, "Sure?", rung=1), WITHDRAWS, taken_back)
    assert kept.credit_of("minimum") is not None


def test_a_question_of_the_candidate_is_kept_verbatim_and_flagged() -> None:
    asks = "do you mean the ratio per token?"
    assessment, _ = assess(judged(asks=asks.upper()), answer=f"Sorry, {asks}")
    assert assessment.asks == asks
    assert assessment.flags == ("asks_back",)
    # Later votes are only about open points.
    partial = judged(way_back=("partial", asks))
    voted, _ = assess({**partial, "asks": asks}, partial, partial, answer=f"Sorry, {asks}")
    assert voted.asks == asks
    forged, _ = assess(judged(asks="what is a ratio?"), answer=f"Sorry, {asks}")
    assert (forged.asks, forged.flags) == ("", ())
    assert from_plain(Assessment, to_plain(assessment)) == assessment


def test_votes_are_counted_in_the_log_and_older_logs_can_be_read() -> None:
    assessment, _ = assess(judged(way_back=("partial", BACK)), GOOD, GOOD)
    assert [point.votes for point in assessment.points] == ["", "2 of 3", ""]
    plain = to_plain(assessment)
    assert from_plain(Assessment, plain) == assessment
    for point in plain["points"]:
        del point["votes"], point["why"]
    del plain["asks"], plain["retracted"]
    assert from_plain(Assessment, plain).points[0].votes == ""


def test_a_resumed_session_pays_for_no_vote_twice() -> None:
    kept: list[str] = [""]
    doubt = judged(way_back=("partial", BACK))
    stopped = ChatCancelled("m: stopped.", "-")
    first, _ = assess(doubt, stopped, stopped, paid=Payments(kept[0], lambda text: kept.__setitem__(0, text)))
    assert not first.is_graded
    again, model = assess(GOOD, GOOD, paid=Payments(kept[0], lambda text: kept.__setitem__(0, text)))
    assert len(model.requests) == 2
    assert [point.votes for point in again.points] == ["", "2 of 3", ""]
    third, model = assess(paid=Payments(kept[0]))
    assert model.requests == []
    assert third == again


def test_after_a_stop_every_point_is_voted_on_by_its_own_replies() -> None:
    """The reply on one point must not be taken for the reply on another."""
    kept = [""]

    def judge(model: ScriptedModel) -> Assessment:
        paid = Payments(kept[0], lambda text: kept.__setitem__(0, text))
        return LLMExaminer(model, paid=paid).assess(with_points(8), "Go on.", ANSWER)

    judge(Unsure(failing=7))
    model = Unsure()
    assessment = judge(model)
    assert len(model.requests) == 7
    assert {(point.votes, point.state) for point in assessment.points} == {("3 of 3", State.PARTIAL)}


@pytest.mark.parametrize(
    "change",
    [
        {"answer": ANSWER + " Yes."},
        {"asked": "Why?"},
        {"question": replace(QUESTION, level=4)},
    ],
)
def test_another_request_is_asked_for(change: dict[str, Any]) -> None:
    kept: list[str] = [""]
    assess(GOOD, paid=Payments("", lambda text: kept.__setitem__(0, text)))
    assert len(assess(GOOD, paid=Payments(kept[0]), **change)[1].requests) == 1
    assert len(assess(GOOD, paid=Payments(kept[0]))[1].requests) == 0


def test_without_a_place_to_keep_replies_every_judgement_is_asked_for() -> None:
    model = ScriptedModel(judgements=[GOOD, GOOD])
    examiner = LLMExaminer(model)
    for _ in range(2):
        examiner.assess(QUESTION, "Go on.", ANSWER)
    assert len(model.requests) == 2


def test_a_useless_reply_is_not_kept() -> None:
    kept: list[str] = [""]
    assess("no", "no", paid=Payments("", lambda text: kept.__setitem__(0, text)))
    assert len(assess(GOOD, paid=Payments(kept[0]))[1].requests) == 1


@pytest.mark.parametrize("text", ["", "no json", "[1]", '{"replies": 3, "used": {"calls": 1, "more": 2}}'])
def test_what_was_kept_may_be_damaged(text: str) -> None:
    paid = Payments(text)
    assert paid.reply("any") == ""
    assert paid.used.calls == 0


class FullExamples:
    """Replaces the examples with ones that fill the prompt."""

    def text_for(self, *_: Any) -> str:
        return "EXAMPLES STAND HERE"


def test_a_prompt_that_does_not_fit_is_sent_once_more_without_examples() -> None:
    long = ContextTooLong("m: too long.", "-")
    assessment, model = assess(long, GOOD, examples=FullExamples())
    assert assessment.is_graded
    assert "EXAMPLES STAND HERE" in model.requests[0][-1].content
    assert "EXAMPLES STAND HERE" not in model.requests[1][-1].content
    assessment, model = assess(long, long, GOOD, examples=FullExamples())
    assert assessment.why_not == "m: too long."
    assert len(model.requests) == 2
    assert json.dumps(to_plain(assessment))


def test_a_reply_is_kept_while_others_are_awaited() -> None:
    kept, first, seen = [""], threading.Semaphore(1), []

    class Slow(ScriptedModel):
        def complete(self, *_: object, **__: object) -> Reply:
            if not first.acquire(blocking=False):
                end = time.monotonic() + 30
                while not kept[0] and time.monotonic() < end:
                    time.sleep(0.01)
                seen.append(kept[0])
            return Reply('{"points": []}', "stop")

    paid = Payments("", lambda text: kept.__setitem__(0, text))
    LLMExaminer(Slow(), paid=paid).assess(with_points(8), "Go on.", ANSWER)
    assert seen
    assert all(seen)
