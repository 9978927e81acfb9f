"""What a model may say: the bank's question in other words, and nothing that gives away a point or a grade."""

from __future__ import annotations

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner.english import is_english
from interviewer.examiner.voice import WordingCheck, first_fault, sentence_end
from interviewer.session import phrases
from interviewer.session.question import Point
from tests.recorded import whole_bank

pytestmark = pytest.mark.content

POINTS = (
    Point("back", "The gradient survives.", ("gradient .*(?:survives|flows back)",)),
    Point("smaller", "The smaller term.", ("smaller of",)),
)
BANK = "Take r = 1.5 and A = -1. Which of the two terms wins?"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("So: r = 1.5 and A = -1. Which term wins?", ""),
        ("Let us put figures on it. With r = 1.5 and A = -1, which of them wins?", ""),
        ("What exactly wins at r = 1.5 and A = -1?", ""),
        ("Is it right to say one of them wins?", ""),
        ("The gradient of the unclipped term flows back, so which one wins?", "gives away an open point"),
        ("It does not take the smaller of them, which one wins?", "gives away an open point"),
        ("Great answer! Which wins?", "gives a grade"),
        ("Exactly. Which wins?", "gives a grade"),
        ("That's not right. Which wins?", "gives a grade"),
        ("You missed something. Which wins?", "gives a grade"),
        ("Not quite, which wins?", "gives a grade"),
        ("Good. Which wins?", "gives a grade"),
        ("Which wins? And why?", "asks more than one thing"),
        ("One. Two. Three. Four. Which wins?", "is too long"),
        ("Well, " * 90 + "which wins?", "is too long"),
        ("Which wins, when r = 1.2 is the border?", "adds a number"),
        ("The key sk-abcdefghij is refused.", "contains an API key"),
    ],
)
def test_faults(text: str, fault: str) -> None:
    assert WordingCheck(BANK, POINTS).find_violation(text) == fault


def test_the_first_of_several_faults_is_named() -> None:
    assert first_fault({"is too long": False, "adds a number": True, "gives a grade": True}) == "adds a number"
    assert first_fault({"is too long": False}) == ""
    assert WordingCheck(BANK, POINTS).find_violation("Great answer! Which wins? And why?") == "gives a grade"


def test_what_the_bank_says_itself_is_no_leak() -> None:
    bank = "You say the gradient flows back. That is right? Of which 2 terms, and why? How?"
    assert WordingCheck(bank, POINTS).find_violation(bank) == ""
    assert WordingCheck(bank, POINTS).find_violation("It is the smaller of them?") == "gives away an open point"


def test_a_point_that_was_shown_may_be_named() -> None:
    text = "You said the gradient flows back; which term wins?"
    assert WordingCheck(BANK, POINTS[1:]).find_violation(text) == ""
    assert WordingCheck(BANK, POINTS).find_violation(text) == "gives away an open point"


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't assist with that. Is there something else I can help you with?",
        "I cannot continue this conversation, would you like to talk about something else?",
        "As an AI, I won't comply. Which wins?",
        "I'd rather not continue this conversation. Which wins?",
        "This request was flagged. Which wins?",
    ],
)
def test_a_refusal_is_not_shown_in_place_of_the_question(text: str) -> None:
    assert WordingCheck(BANK, POINTS).find_violation(text) == "declines to ask"


def test_praise_for_the_last_answer_is_a_grade() -> None:
    for text in ("You have covered that well. Which wins?", "That is the key idea. Which wins?"):
        assert WordingCheck(BANK, POINTS).find_violation(text) == "gives a grade"


@pytest.mark.parametrize(
    "lead",
    [
        "That would be incorrect, but moving on.",
        "Spot-on.",
        "You got one of two.",
        "I was hoping for more.",
        "Close, but let's see.",
    ],
)
def test_a_verdict_in_other_words_is_a_grade(lead: str) -> None:
    check = WordingCheck(BANK, POINTS, "There are two of them.")
    assert check.find_violation(f"{lead} Which wins?") == "gives a grade"


@pytest.mark.parametrize("lead", ["Ha, good one.", "Nice one.", "That was a good joke."])
def test_only_a_joke_may_be_praised(lead: str) -> None:
    after_joke = WordingCheck(BANK, POINTS, is_after_joke=True)
    assert WordingCheck(BANK, POINTS).find_violation(f"{lead} Which wins?") == "gives a grade"
    assert after_joke.find_violation(f"{lead} Which wins?") == ""
    assert after_joke.find_violation(f"{lead} That is right. Which wins?") == "gives a grade"
    assert after_joke.find_violation("Good one, that is right. Which wins?") == "gives a grade"
    assert after_joke.find_violation("Good one, and a good answer. Which wins?") == "gives a grade"


def test_a_digit_inside_a_name_is_no_number() -> None:
    assert WordingCheck(BANK, POINTS).find_violation("On an H100 in fp8, which wins?") == ""
    assert WordingCheck("In fp8 on 8 GPUs: why?", POINTS).find_omission("Why on 8 GPUs, then?") == ""


def test_a_number_of_the_candidates_own_may_be_taken_up() -> None:
    text = "You came to 0.3 there; which wins?"
    assert WordingCheck(BANK, POINTS).find_violation(text) == "adds a number"
    assert WordingCheck(BANK, POINTS, "I get 0.3 for it").find_violation(text) == ""


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("With r = 1.5 and A = -1, which wins?", ""),
        ("With A = -1, which wins?", "leaves out a number"),
        ("Tell me which wins for r = 1.5 and A = -1.", "asks no question"),
        ("Is r = 1.5 and A = -1 the reason? So which", "ends in the middle of a sentence"),
    ],
)
def test_the_question_must_be_whole(text: str, lacks: str) -> None:
    assert WordingCheck(BANK, POINTS).find_omission(text) == lacks


def test_a_different_question_is_not_shown_in_place_of_the_banks() -> None:
    check = WordingCheck("Why does clipping stop the gradient of a single token?", POINTS)
    two = WordingCheck("Which of the two terms wins? What does the gradient do then?", POINTS)
    assert two.find_omission("Which of the two terms wins, and with what gradient?") == "leaves out a question"
    assert check.find_omission("Could you tell me your favorite color?") == "asks something else"
    assert check.find_omission("You named the clip. Why does the gradient of that token stop?") == ""


def test_a_goodbye_says_nothing_about_the_candidate() -> None:
    bank = phrases.FINISH
    check = WordingCheck(bank, POINTS, is_closing=True)
    assert check.find_violation(f"Thanks for your time. {bank}") == ""
    assert check.find_violation(f"Thank you, and goodbye. {bank}") == ""
    for text in (
        "Thanks, you did very well today.",
        "You clearly know this material.",
        "Your answers were clear.",
        "You passed with flying colors.",
        "We will be in touch with an offer.",
        "You'd make a fine addition to our team.",
    ):
        assert check.find_violation(f"{text} {bank}") != "", text


@pytest.mark.parametrize(
    "lead",
    [
        "You clearly understand this.",
        "I agree with you.",
        "Sounds right to me.",
        "You are close.",
        "That was impressive.",
        "Your derivation is sound.",
        "As you correctly said, there are two terms.",
        "You left something out.",
        "Sadly that is off.",
        "That misses one thing.",
        "Your answer was incomplete.",
        "Hint: think of the sign.",
        "Keep in mind that A is negative.",
        "<think>The smaller term.</think>",
        "**Question:**",
        "Interviewer:",
    ],
)
def test_a_verdict_or_a_label_before_the_question_is_not_shown(lead: str) -> None:
    assert WordingCheck(BANK, POINTS).find_violation(f"{lead} Which wins?") != ""


@pytest.mark.parametrize(
    "text",
    [
        "Which of the two terms wins?",
        "What happens to the gradient of the loss?",
        "Which of the two terms wins, and what happens to the gradient?",
    ],
)
def test_half_a_question_is_not_the_banks_question(text: str) -> None:
    bank = "Which of the two terms wins, what happens to the gradient, and why does that help?"
    assert WordingCheck(bank, POINTS).find_omission(text) == "leaves out half of the question"
    whole = "Of those two terms, which one wins, what happens to its gradient, and why is that a help?"
    assert WordingCheck(bank, POINTS).find_omission(whole) == ""


@pytest.mark.parametrize(
    ("bank", "cut", "whole"),
    [
        (
            "A sensor is right with probability 0.85. What do you believe after one report, and after two that agree?",
            "A sensor is right with probability 0.85. What do you believe after one report?",
            "Say a sensor is right with probability 0.85. After one report, and then after two that agree, what do you "
            "believe?",
        ),
        (
            "The limit is reached. Which component notices first, the engine or the trainer?",
            "The limit is reached. Which component notices first?",
            "Suppose the limit is reached: is it the engine or the trainer that notices first, so which component?",
        ),
        ("How far from the reference can you get, in nats?", "How far from the reference can you get?", ""),
        ("Is that a bug or a feature?", "Is that a bug?", "Would you call that a bug, or a feature?"),
    ],
)
def test_a_case_or_an_item_of_the_question_must_not_be_left_out(bank: str, cut: str, whole: str) -> None:
    check = WordingCheck(bank, POINTS)
    assert check.find_omission(cut) == "leaves out half of the question"
    assert check.find_omission(whole or bank) == ""


def test_neutral_words_with_parts_of_a_verdict_are_said() -> None:
    leads = ("That is off-policy data.", "The agent does not remember it.", "The folder has files like it.")
    for text in leads:
        assert WordingCheck(BANK, POINTS).find_violation(f"{text} Which wins?") == "", text


def test_every_question_passes_its_own_check_for_english() -> None:
    for question in load_questions():
        asks = [*(rung.ask for rung in question.rungs), *(probe.ask for probe in question.probes)]
        for text in (question.prompt, *asks):
            assert is_english(text, text), text


@pytest.mark.recorded(subject_of=whole_bank)
def test_the_banks_own_words_pass_everywhere() -> None:
    """A check that rejects the bank's own text would reject every faithful wording of it."""
    for question in load_questions()[::3]:
        rungs, probes = [item.ask for item in question.rungs], [item.ask for item in question.probes]
        for text in (
            question.prompt,
            *rungs,
            *probes,
            *(misconception.ask for misconception in question.misconceptions),
        ):
            check = WordingCheck(text, question.points)
            assert check.find_violation(text) == "", text
            assert check.find_omission(text) == "", text


def test_the_interviewers_own_sentences_pass() -> None:
    for text in (phrases.YOUR_READING, phrases.LEAVE_QUESTION, phrases.KEEP_CODING):
        assert WordingCheck(text, POINTS).find_violation(text) == ""


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("", 0),
        ("No end yet", 0),
        ("At the very end?", 0),
        ("One. Two", 5),
        ("r = 1.5 and on", 0),
        ("“One?” Two", 7),
        ("line\n\nnext", 6),
    ],
)
def test_sentences_end_where_listening_ends_them(text: str, end: int) -> None:
    assert sentence_end(text) == end
