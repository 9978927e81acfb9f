"""A whole interview with a model over real HTTP whose server misbehaves: it continues, and no key is leaked."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest

from interviewer.chat.litellm_model import LitellmModel
from interviewer.chat.streaming import Timeouts
from interviewer.examiner.examples import Examples
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.ports import Participants
from interviewer.session.codec import to_plain
from interviewer.session.phrases import GREETING
from interviewer.session.state import OFFLINE, Awaiting
from tests.chat.fake_server import KEY, FakeServer
from tests.examiner.build import ANSWER, QUESTION
from tests.fakes import RecordingFrontend, make_interview

ONE = ("question", "clipping")
SAID = "It is about word1, and that one sample pays nothing more than the border allows."
MODES = (
    "401",
    "403",
    "404",
    "500 with key",
    "429 for ever",
    "no quota",
    "wait 429 3600",
    "context",
    "malformed",
    "failing in words",
    "key in words",
    "key as a judgement",
    "key in a refusal",
    "an error as a page",
    "a page",
    "empty",
    "length",
    "disconnect",
)


def a_model() -> LitellmModel:
    """Return a model that also words the first question, because its library is already imported."""
    model = LitellmModel("openai/test", Timeouts(5.0, 5.0, 20.0), retry_seconds=(0.02,))
    while not model.warm_up():
        time.sleep(0.01)
    return model


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_the_interview_goes_on_and_no_key_is_said_or_logged(server: FakeServer, mode: str, tmp_path: Path) -> None:
    server.always = mode
    model = a_model()
    participants = Participants(examiner=LLMExaminer(model), offline=OfflineExaminer(), voice=model)
    interview = make_interview(tmp_path, ONE, participants=participants)
    front = RecordingFrontend()
    interview.run_until_input(front)
    for answer in (SAID, "And word2, because of word3."):
        interview.answer(answer)
        interview.run_until_input(front)
    assert interview.session.awaiting is Awaiting.ANSWER
    assert "Why does clipping work?" in front.words
    # Whatever the model returned, the offline examiner judged.
    assert {answer.assessment.judge for answer in interview.session.drill.answers} == {OFFLINE}
    assert interview.session.drill.credit_of("p1") is not None
    assert interview.session.examiner == OFFLINE
    everything = [front.words, *front.notices, interview.usage_text, str(to_plain(interview.session))]
    with sqlite3.connect(tmp_path / "log.db") as log:
        everything += [str(row) for row in log.execute("SELECT line FROM events UNION ALL SELECT text FROM drafts")]
    assert [text for text in everything if KEY in text] == []
    assert server.seen[mode] > 0


@pytest.mark.slow
@pytest.mark.expectation(number=51)
def test_a_wait_that_the_server_asks_for_is_told(server: FakeServer, tmp_path: Path) -> None:
    server.always = "wait 429 0.1"
    model = a_model()
    interview = make_interview(tmp_path, ONE, participants=Participants(OfflineNamed(), OfflineExaminer(), model))
    front = RecordingFrontend()
    interview.run_until_input(front)
    assert front.notices == ["openai/test: too many requests. Trying again in 0.1 s."]
    assert front.waits == [0.1, 0.0]
    assert front.words.strip() == f"{GREETING}\n\nWhy does clipping work?"


def test_a_prompt_too_long_for_the_server_is_judged_without_examples(server: FakeServer) -> None:
    class Long(Examples):
        def text_for(self, *_: object) -> str:
            return "EXAMPLE " * 500

    server.chars_max = 6_000
    examiner = LLMExaminer(a_model(), examples=Long({}))
    assessment = examiner.assess(QUESTION, "Go on.", ANSWER)
    # "Why is that?" is not a judgment: the model is asked to fix its reply, then the answer is ungraded, never zero.
    assert "no usable judgment" in assessment.why_not
    assert ["EXAMPLE" in body["messages"][1]["content"] for body in server.requests][:2] == [True, False]


def test_a_long_talk_is_shortened_for_a_server_with_a_small_context(server: FakeServer, tmp_path: Path) -> None:
    model = a_model()
    participants = Participants(examiner=OfflineNamed(), offline=OfflineExaminer(), voice=model)
    interview, front = make_interview(tmp_path, ONE, participants=participants), RecordingFrontend()
    interview.run_until_input(front)
    for answer in ("A first answer. ", "A second answer. "):
        interview.answer(answer + "I would say that it goes on like this, and on. " * 25)
        interview.run_until_input(front)
    size = sum(len(message["content"]) for message in server.requests[-1]["messages"])
    server.forget()
    server.chars_max = size
    interview.answer("It is about word1, and much more could be said of it. " * 10)
    interview.run_until_input(front)
    assert interview.session.examiner != OFFLINE
    sizes = [sum(len(message["content"]) for message in body["messages"]) for body in server.requests]
    assert len(sizes) == 2
    assert sizes[0] > size > sizes[1]
    assert "candidate, in short: A second answer." in server.requests[1]["messages"][1]["content"]


class OfflineNamed(OfflineExaminer):
    """Judges offline under a different name, so that the voice stays."""

    name = "llm:openai/test"
