"""A move said by a model: streamed in whole sentences, checked before they are shown, and always asked."""

from __future__ import annotations

import re
import threading
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
    """Stream these pieces, then fail if there is a failure; remember whether the stream was closed early."""

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


def test_sentences_are_shown_as_they_end() -> None:
    spoken = speech(Pieces("Now ", "figures", ". With r = 1", ".5, which", " of them wins", "?"))
    assert list(spoken.pieces()) == ["Now figures. ", "With r = 1.5, which of them wins?"]
    assert spoken.text == "Now figures. With r = 1.5, which of them wins?"
    assert (spoken.violation, spoken.failure, spoken.is_cut) == ("", None, False)


def test_a_leak_is_never_shown_not_even_half_of_it() -> None:
    model = Pieces("So. ", "The gradient of that", " term flows back", ". Which wins at r = 1.5? ", "More.")
    spoken = speech(model)
    shown = list(spoken.pieces())
    assert shown == ["So. ", f"\n\n{BANK}"]
    assert spoken.violation == "states an open point"
    assert model.is_closed


def test_a_leak_of_a_point_without_phrasings_is_recognized_by_its_words() -> None:
    bare = (Point("back", "The unclipped gradient survives because its term is the smaller one.", ()),)
    reply = "Note that the unclipped gradient survives, its term being smaller. Which wins at r = 1.5?"
    spoken = Speech(Pieces(reply), MOVE, [], Manner(), bare)
    assert "".join(spoken.pieces()) == spoken.text == BANK
    harmless = "Now some figures. With r = 1.5, which of them wins?"
    assert "".join(Speech(Pieces(harmless), MOVE, [], Manner(), bare).pieces()) == harmless


def test_a_leak_at_once_leaves_the_banks_words_alone() -> None:
    spoken = speech(Pieces("The gradient flows back. Which wins?"))
    assert "".join(spoken.pieces()) == spoken.text == BANK


def test_the_models_own_point_may_be_said_once_it_was_shown() -> None:
    reply = "The gradient flows back. Now r = 1.5: which wins?"
    spoken = Speech(Pieces(reply), MOVE, [], Manner(), ())
    assert "".join(spoken.pieces()) == reply


@pytest.mark.parametrize("reply", ["That depends on many things.", "And which of them wins?"])
def test_a_question_that_was_not_asked_whole_is_asked_in_the_banks_words(reply: str) -> None:
    spoken = speech(Pieces(reply))
    assert "".join(spoken.pieces()) == f"{reply}\n\n{BANK}"


def test_words_without_an_end_are_not_waited_for() -> None:
    model = Pieces(*["and so on "] * 10_000)
    spoken = speech(model)
    assert "".join(spoken.pieces()) == BANK
    assert spoken.violation == "is too long"
    assert model.is_closed


def test_the_lead_is_said_word_for_word_before_the_model_is_asked() -> None:
    model = Pieces("With r = 1.5, which wins?")
    spoken = speech(model, Move(MoveKind.PROBE, BANK, lead="You said: “the gradient flows back”"))
    pieces = spoken.pieces()
    assert next(pieces) == "You said: “the gradient flows back”\n\n"
    assert "".join(pieces) == "With r = 1.5, which wins?"
    assert spoken.violation == ""


def test_a_failure_before_a_word_or_in_the_middle_ends_with_the_banks_words() -> None:
    spoken = speech(Pieces(DOWN))
    assert "".join(spoken.pieces()) == BANK
    assert spoken.failure is DOWN
    spoken = speech(Pieces("Now figures. With r", DOWN))
    assert "".join(spoken.pieces()) == f"Now figures. \n\n{BANK}"
    assert spoken.failure is DOWN
    assert spoken.violation == ""


def test_what_is_stopped_is_kept_and_marked_and_a_question_stopped_before_a_word_is_still_there() -> None:
    stop = threading.Event()
    spoken = speech(ScriptedModel(["Now figures. With r = 1.5, which of them wins?"]))
    pieces = spoken.pieces(stop.is_set)
    assert next(pieces) == "Now figures. "
    stop.set()
    assert list(pieces) == []
    assert (spoken.text, spoken.is_cut) == ("Now figures. ", True)
    spoken = speech(ScriptedModel(["Now figures."]))
    assert "".join(spoken.pieces(lambda: True)) == BANK
    assert not spoken.is_cut


def test_a_talk_that_does_not_fit_is_shortened_and_sent_once_more() -> None:
    turns = [(number % 2 == 0, f"turn {number} " + "word " * 200) for number in range(20)]
    long = ContextTooLong("m: too long.", "-")
    model = ScriptedModel([long, "With r = 1.5, which wins?"])
    spoken = speech(model, turns=turns)
    assert "".join(spoken.pieces()) == "With r = 1.5, which wins?"
    first, second = (len(messages[-1].content) for messages in model.requests)
    assert second < first / 2
    assert "omitted here" in model.requests[1][-1].content
    model = ScriptedModel([long, long, "never said"])
    spoken = speech(model, turns=turns)
    assert "".join(spoken.pieces()) == BANK
    assert spoken.failure is long
    assert len(model.requests) == 2


def test_the_model_is_not_told_the_points() -> None:
    model = ScriptedModel()
    list(speech(model).pieces())
    assert "gradient" not in str(model.requests)


def test_every_manner_is_told_and_changes_nothing_else() -> None:
    for persona in PERSONAS:
        for style in STYLES:
            for strictness in STRICTNESS:
                model = ScriptedModel()
                spoken = Speech(model, MOVE, [], Manner(persona, style, strictness))
                assert "".join(spoken.pieces()) == BANK
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
    spoken = speech(Pieces(*pieces))
    shown = list(spoken.pieces())
    assert "".join(shown) == spoken.text
    own = spoken.text.removesuffix(BANK)
    assert not any(re.search(POINTS[0].shows[0], sentence.text) for sentence in split_sentences(own))
    assert "Great answer" not in own
    assert "2.5" not in own
    assert own != spoken.text or ("?" in own and "1.5" in own and own.count("?") == 1)


def test_the_default_settings_are_manners() -> None:
    default = Settings()
    assert Manner(default.persona, default.style, default.strictness) == Manner()


def test_the_settings_offer_each_manner_that_the_examiner_knows() -> None:
    assert (tuple(PERSONAS), tuple(STYLES), tuple(STRICTNESS)) == (config.PERSONAS, config.STYLES, config.STRICTNESS)
