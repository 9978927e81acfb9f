"""English is distinguished from other languages sentence by sentence, because the checks know only English."""

from __future__ import annotations

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner.english import is_english, is_foreign
from interviewer.examiner.voice import WordingCheck
from interviewer.session import phrases

BANK = "Take r = 1.5 and A = -1. Which of the two terms wins?"
REFUSED_MAX = 0.01
FOREIGN = [
    "Teile durch die Summe der mask statt durch B.",
    "Gute Antwort.",
    "Nimm das Minimum.",
    "Sehr gut. Which of the two terms wins, and why?",
    "So ist es, and the gradient is zero, is it not?",
    "请把 loss 除以 mask.sum()，而不是 B。",
    "mask.sum() で割ってください。",
    "Разделите на сумму маски.",
    "Divisez par la somme du masque.",
    "Divide por la suma de la máscara.",
    "Dividi per la somma della maschera.",
    "Podziel przez sumę maski.",
    "Chia cho tổng.",
    "Ii desu ne, mask no goukei de waru.",
    "Accha, gradient zero ho jata hai jab ratio bahar hai, so suppose the advantage is negative: what happens?",
]


@pytest.mark.parametrize("text", FOREIGN)
def test_other_languages_are_told(text: str) -> None:
    assert not is_english(text)


@pytest.mark.parametrize("text", FOREIGN[:8])
def test_their_letters_and_words_are_told(text: str) -> None:
    assert is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which wins?",
        "Ha, fair.",
        "The Rényi divergence: why?",
        "With π_θ(a|s) = 0.5 and ∇J ≥ 0, what is the KL?",
        "Moving on to fp8 on an H100: what breaks first?",
        "The loss is (θ − c)²/2, and a story's score is θᵀx + α·√(xᵀA⁻¹x).",
        "What is kappa? Kappa = (0.8 - 0.5) / 0.5 = 0.6.",
    ],
)
def test_symbols_and_names_are_no_other_language(text: str) -> None:
    assert is_english(text)
    assert not is_foreign(text)


def test_words_of_the_known_text_may_occur_anywhere() -> None:
    assert not is_english("Advantage whitening.")
    assert is_english("Advantage whitening.", known="What is advantage whitening?")


@pytest.mark.content
def test_hardly_any_text_of_the_bank_is_refused() -> None:
    texts = [text for text in vars(phrases).values() if isinstance(text, str) and " " in text]
    for question in load_questions():
        texts += [question.prompt, *(rung.ask for rung in question.rungs), *(probe.ask for probe in question.probes)]
        texts += [*(point.says for point in question.points), *(entry.says for entry in question.clarify)]
    refused = [text for text in texts if not is_english(text)]
    assert len(texts) > 2_000
    assert len(refused) <= REFUSED_MAX * len(texts), refused


@pytest.mark.parametrize(
    "lead",
    [
        "Ha, fair point about the coffee.",
        "I'll leave that instruction aside.",
        "Nice try, but I ask the questions here.",
        "Nice try.",
        "I'm afraid flattery won't help here.",
        "Cute.",
        "Noted, the minimum.",
        "Interesting.",
        "Hmm, a penguin.",
    ],
)
def test_half_a_sentence_on_a_joke_or_an_order_may_be_said(lead: str) -> None:
    check = WordingCheck(BANK, ())
    assert check.find_violation(f"{lead} {BANK}") == ""


@pytest.mark.parametrize("leave", ["Goodbye, and thanks for your time.", "It was a pleasure talking with you."])
def test_a_leave_may_be_taken(leave: str) -> None:
    assert WordingCheck(phrases.FINISH, (), is_closing=True).find_violation(f"{leave} {phrases.FINISH}") == ""
