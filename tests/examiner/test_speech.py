"""A move in a model's words: the whole text is checked before any of it is shown, and the question is always asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer import config
from interviewer.chat.model import ChatError, ContextTooLong, Message, ModelUnreachable
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.streaming import never_cancelled
from interviewer.config import Settings
from interviewer.examiner.matching.sentences import split_sentences
from interviewer.examiner.voice import PERSONAS, STRICTNESS, STYLES, Manner, Speech
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Point

BANK = "Take r = 1.5. Which of the two terms wins?"
MOVE = Move(MoveKind.DEEPER, BANK)
POINTS = (Point("back", "The gradient survives.", ("gradient .*flows back",)),)
DOWN = ModelUnreachable("m: no server answers.", "Start it.")


class Pieces(ScriptedModel):
    """Streams these pieces, then fails if a failure is set; records whether the stream was closed early."""

    def __init__(self, *pieces: str | ChatError) -> None:
        super().__init__()
        self.pieces = pieces
        self.is_closed = False

    def stream(self, messages: Sequence[Message], is_cancelled: Callable[[], bool] = never_cancelled) -> Iterator[str]:
        try:
            for piece in self.pieces:
                if isinstance(piece, ChatError):
                    raise piece
                yield piece
        except GeneratorExit:
            self.is_closed = True
            raise


def speech(model: Any, move: Move = MOVE, turns: Sequence[tuple[bool, str]] = ()) -> Speech:
    return Speech(model, move, turns, Manner(), POINTS)


def test_the_whole_text_is_said_after_the_lead() -> None:
    said = speech(Pieces("Now ", "figures", ". With r = 1", ".5, which", " of them wins", "?"))
    assert said.spoken() == "Now figures. With r = 1.5, which of them wins?"
    assert (said.violation, said.failure) == ("", None)
    led = speech(Pieces("With r = 1.5, which wins?"), Move(MoveKind.PROBE, BANK, lead="You said: “it flows back”"))
    assert led.spoken() == "You said: “it flows back”\n\nWith r = 1.5, which wins?"
    assert led.violation == ""


def test_of_a_text_with_a_leak_nothing_is_said() -> None:
    model = Pieces("So. ", "The gradient of that", " term flows back", ". Which wins at r = 1.5? ", "More.")
    said = speech(model)
    assert said.spoken() == BANK
    assert said.violation == "gives away an open point"
    # The rest of the stream is not awaited.
    assert model.is_closed
    assert speech(Pieces("The gradient flows back. Which wins?")).spoken() == BANK


def test_a_leak_of_a_point_without_phrasings_is_recognized_by_its_words() -> None:
    bare = (Point("back", "The unclipped gradient survives because its term is the smaller one.", ()),)
    reply = "Note that the unclipped gradient survives, its term being smaller. Which wins at r = 1.5?"
    assert Speech(Pieces(reply), MOVE, [], Manner(), bare).spoken() == BANK
    harmless = "Now some figures. With r = 1.5, which of them wins?"
    assert Speech(Pieces(harmless), MOVE, [], Manner(), bare).spoken() == harmless


def test_the_models_own_point_may_be_said_once_it_was_shown() -> None:
    reply = "The gradient flows back. Now r = 1.5: which wins?"
    assert Speech(Pieces(reply), MOVE, [], Manner(), ()).spoken() == reply


@pytest.mark.parametrize(
    "pieces",
    [
        ("That depends on many things.",),
        ("And which of them wins?",),
        (DOWN,),
        ("Now figures. With r", DOWN),
        ("I cannot help with that.",),
        (" ", "\n"),
    ],
    ids=["no question", "other question", "down", "cut stream", "refusal", "blank"],
)
def test_instead_of_half_a_question_the_banks_words_are_said(pieces: tuple[str | ChatError, ...]) -> None:
    said = speech(Pieces(*pieces))
    assert said.spoken() == BANK
    assert said.failure is (DOWN if DOWN in pieces else None)


def test_words_without_an_end_are_not_waited_for() -> None:
    model = Pieces(*["and so on "] * 10_000)
    said = speech(model)
    assert said.spoken() == BANK
    assert said.violation == "is too long"
    assert model.is_closed


def test_when_the_candidate_stops_the_model_the_banks_words_are_said() -> None:
    reply = "Now figures. With r = 1.5, which of them wins?"
    looks = iter([False, False, True])
    said = speech(ScriptedModel([reply]))
    assert said.spoken(lambda: next(looks, True)) == BANK
    assert (said.failure, said.violation) == (None, "")


def test_a_talk_that_does_not_fit_is_shortened_and_sent_once_more() -> None:
    turns = [(number % 2 == 0, f"turn {number} " + "word " * 200) for number in range(20)]
    long = ContextTooLong("m: too long.", "-")
    model = ScriptedModel([long, "With r = 1.5, which wins?"])
    said = speech(model, turns=turns)
    assert said.spoken() == "With r = 1.5, which wins?"
    first, second = (len(messages[-1].content) for messages in model.requests)
    assert second < first / 2
    assert "omitted here" in model.requests[1][-1].content
    model = ScriptedModel([long, long, "never said"])
    said = speech(model, turns=turns)
    assert said.spoken() == BANK
    assert said.failure is long
    assert len(model.requests) == 2


def test_the_model_is_not_told_the_points() -> None:
    model = ScriptedModel()
    speech(model).spoken()
    assert "gradient" not in str(model.requests)


def test_every_manner_is_told_and_changes_nothing_else() -> None:
    for persona in PERSONAS:
        for style in STYLES:
            for strictness in STRICTNESS:
                model = ScriptedModel()
                said = Speech(model, MOVE, [], Manner(persona, style, strictness))
                assert said.spoken() == BANK
                system = model.requests[0][0].content
                for text in (PERSONAS[persona], STYLES[style], STRICTNESS[strictness]):
                    assert text in system
                assert model.requests[0][1].content.endswith(f"<convey>\n{BANK}\n</convey>")


FRAGMENTS = st.sampled_from(
    [
        " the gradient ",
        "flows",
        "back",
        "flows back",
        ". ",
        "? ",
        "\n",
        "; ",
        " Great answer! ",
        "r = 1.5",
        "r = 2.5",
        "which wins",
        "well",
        " ",
        "",
        "e.g. ",
        " gradient: ",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(FRAGMENTS, max_size=14))
def test_whatever_a_model_says_no_leak_is_shown_and_the_question_gets_asked(pieces: list[str]) -> None:
    own = speech(Pieces(*pieces)).spoken()
    if own == BANK:
        return
    assert not any(re.search(POINTS[0].shows[0], sentence.text) for sentence in split_sentences(own))
    assert "Great answer" not in own
    assert "2.5" not in own
    assert "?" in own
    assert "1.5" in own
    assert own.count("?") == 1


def test_the_default_settings_are_manners() -> None:
    default = Settings()
    assert Manner(default.persona, default.style, default.strictness) == Manner()


def test_the_settings_offer_each_manner_that_the_examiner_knows() -> None:
    assert (tuple(PERSONAS), tuple(STYLES), tuple(STRICTNESS)) == (config.PERSONAS, config.STYLES, config.STRICTNESS)
