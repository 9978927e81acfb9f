"""Graded examples in the judge's prompt: only from other questions, half of them wrong, no more than fit into it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from interviewer.bank.load import load_questions
from interviewer.chat.scripted import ScriptedModel
from interviewer.examiner.examiner import Conversation, Exchange
from interviewer.examiner.examples import Examples
from interviewer.examiner.gold import GoldAnswer, load_gold
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.quotes import QuotableAnswer
from interviewer.session.assessment import State
from interviewer.session.phrases import JUDGED_CHARACTERS_MAX
from interviewer.session.question import Point, Question
from tests.examiner.build import QUESTION, common_start

pytestmark = pytest.mark.content

FIXED_CHARS_MAX = 12_000
COMMON_SHARE = 0.7


@pytest.fixture(scope="module")
def questions() -> dict[str, Question]:
    return {question.id: question for question in load_questions()}


@pytest.fixture(scope="module")
def gold(questions: dict[str, Question]) -> tuple[GoldAnswer, ...]:
    return load_gold(questions)


@cache
def numbered(text: str) -> str:
    return QuotableAnswer(text).numbered()


def shown(text: str, gold: tuple[GoldAnswer, ...]) -> list[GoldAnswer]:
    """Return the gold answers whose sentences occur in the text."""
    return [answer for answer in gold if numbered(answer.text) in text]


def test_a_calibration_never_shows_gold_of_the_question_that_is_judged(
    questions: dict[str, Question], gold: tuple[GoldAnswer, ...]
) -> None:
    model = ScriptedModel()
    examiner = LLMExaminer(model, examples=Examples(questions))
    for answer in gold[::3]:
        model.requests.clear()
        question = questions[answer.question]
        examiner.assess(question, question.prompt, answer.text)
        if not model.requests:
            continue
        text = model.requests[0][-1].content
        before, shown_answer = re.split(r"<answer-\w{16}>", text)
        examples = shown(before, gold)
        assert answer.question not in {example.question for example in examples}
        assert numbered(answer.text) in shown_answer
        section = before.split("Examples:")[1].split("Earlier exchanges")[0]
        assert not [point.id for point in question.points if re.search(rf"\b{point.id}\b", section)]
        assert len(model.requests[0][0].content) + len(before) <= FIXED_CHARS_MAX


def test_a_question_that_was_edited_still_sees_none_of_its_own_gold(
    questions: dict[str, Question], gold: tuple[GoldAnswer, ...]
) -> None:
    question = questions["ppo_clipping"]
    points = tuple(Point(f"other_{place}", f"Other {place}.", ()) for place, _ in enumerate(question.points))
    edited = replace(question, points=points)
    examples = shown(Examples(questions).text_for(edited, 12_000), gold)
    assert len(examples) == 4
    assert question.id not in {example.question for example in examples}


def test_half_of_the_examples_are_wrong_or_padded_and_carry_the_experts_states(
    questions: dict[str, Question], gold: tuple[GoldAnswer, ...]
) -> None:
    text = Examples(questions).text_for(QUESTION, 12_000)
    examples = shown(text, gold)
    assert len(examples) == 4
    assert sum(answer.kind in ("wrong", "keywords", "injection") for answer in examples) == 2
    assert text.count("<example>") == text.count("</example>") == 4
    lines = re.findall(r"^States: (.*)$", text, re.M)
    examples.sort(key=lambda answer: text.index(numbered(answer.text)))
    for answer, line in zip(examples, lines, strict=True):
        states = dict(pair.split() for pair in line.split(", "))
        assert len(states) >= 2
        assert {name: State(state) for name, state in states.items()} == {
            name: answer.state_of(name) for name in states
        }


def test_the_nearest_come_first(questions: dict[str, Question], gold: tuple[GoldAnswer, ...]) -> None:
    examples = Examples(questions)
    for answer in [answer for answer in gold if answer.kind == "good" and len(answer.text) <= 800][:5]:
        like_it = replace(QUESTION, prompt=answer.text, points=())
        assert answer in shown(examples.text_for(like_it, 12_000), gold)


def test_fewer_are_shown_where_little_is_left_and_none_rather_than_one(questions: dict[str, Question]) -> None:
    examples = Examples(questions)
    counts = [examples.text_for(QUESTION, left).count("<example>") for left in range(0, 9_000, 500)]
    assert set(counts) == {0, 2, 4}
    assert counts == sorted(counts)


def test_a_long_answer_is_judged_whole_with_the_same_examples(questions: dict[str, Question]) -> None:
    model = ScriptedModel()
    question = questions["ppo_clipping"]
    answer = "The unclipped term keeps its gradient where the ratio has moved the wrong way. "
    for times in (1, 220):
        LLMExaminer(model, examples=Examples(questions), is_parallel=False).assess(
            question, question.prompt, answer * times
        )
    short, long = (messages[-1].content.split("<answer-") for messages in model.requests)
    assert len(long[1]) > JUDGED_CHARACTERS_MAX
    assert short[0] == long[0]


def test_two_turns_of_an_interview_share_most_of_the_prompt(
    questions: dict[str, Question], gold: tuple[GoldAnswer, ...]
) -> None:
    """A server caches the part of a prompt that it has just seen, and reads only the rest again."""
    examples = Examples(questions)
    answers = {answer.question: answer.text for answer in gold if answer.kind == "good"}
    for name, text in answers.items():
        model, question = ScriptedModel(), questions[name]
        judge = LLMExaminer(model, examples=examples)
        said: list[Exchange] = []
        for rung in question.rungs[:3]:
            judge.assess(question, rung.ask, text, conversation=Conversation(tuple(said)))
            said.append(Exchange(rung.ask, text))
        whole = ["".join(message.content for message in messages) for messages in model.requests]
        for before, after in pairwise(whole):
            assert len(common_start(before, after)) >= COMMON_SHARE * len(after), name


def test_a_bank_that_the_gold_does_not_fit_judges_without_examples() -> None:
    assert Examples({QUESTION.id: QUESTION}).text_for(QUESTION, 12_000) == ""


def test_examples_make_another_prompt_version(questions: dict[str, Question]) -> None:
    plain = LLMExaminer(ScriptedModel())
    assert plain.version != LLMExaminer(ScriptedModel(), examples=Examples(questions)).version
    whole = LLMExaminer(ScriptedModel(), is_parallel=False)
    assert plain.version == f"{whole.version}+divided"
    assert len(whole.version) == 12
