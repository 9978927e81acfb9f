"""The runner logs before it acts, falls back visibly, keeps interrupted text, and drops late results."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.verdict import Report, Verdict
from interviewer.chat.model import ChatCancelled, Message, ModelUnreachable, Reply
from interviewer.chat.scripted import ScriptedModel
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview, ModelFailures
from interviewer.interview.sessions import resume_session
from interviewer.session import phrases
from interviewer.session.assessment import CheckResult, State
from interviewer.session.engine import fold
from interviewer.session.events import Event
from interviewer.session.move import MoveKind
from interviewer.session.question import Check, Question
from interviewer.session.state import OFFLINE, Awaiting
from tests import fakes
from tests.fakes import FakeGrader, RecordingFrontend, make_interview, offline_participants
from tests.session.build import RUNGS, question, report

ONE = ("question", "clipping")
CODE = ("task", "ppo_clip_loss")
DOWN = ModelUnreachable("m: no server answers.", "Start it.")


def scripted_cast(model: ScriptedModel) -> Participants:
    """Return participants in which this model judges and speaks."""
    return Participants(examiner=LLMExaminer(model), offline=OfflineExaminer(), voice=model)


def finds(point: str, quote: str) -> dict[str, object]:
    """Return a judge's reply that shows one point with a quote and misses the others."""
    shown = {"id": point, "quotes": [quote], "why": "said", "state": "shown"}
    return {"points": [shown], "misconceptions": [], "flags": []}


def test_a_model_words_the_move_and_judges_with_a_checked_quote(tmp_path: Path) -> None:
    text = "The ratio is clipped so that one sample pays nothing more."
    model = ScriptedModel(["Tell me why it works, please?"], [finds("p1", "one sample pays nothing more")])
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    assert front.words.strip() == f"{phrases.GREETING}\n\nTell me why it works, please?"
    interview.answer(text)
    interview.run_until_input(front)
    credit = interview.session.drill.credit_of("p1")
    assert credit is not None
    assert (credit.state, credit.quote in text) == (State.SHOWN, True)
    assert interview.session.transcript[-1].move is MoveKind.DEEPER
    assert interview.usage_text.startswith("3 calls")


class Cold(ScriptedModel):
    """A model that is loaded after it has been asked twice."""

    asked = 0

    def warm_up(self) -> bool:
        self.asked += 1
        return self.asked > 1


def test_the_first_question_does_not_wait_for_the_library_of_the_model(tmp_path: Path) -> None:
    model = Cold(["And on rung 1, what happens beyond that border?"])
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    assert front.words.strip() == f"{phrases.GREETING}\n\nWhy does clipping work?"
    assert (model.asked, model.requests) == (1, [])
    interview.answer("The ratio is clipped so that one sample pays nothing more.")
    interview.run_until_input(front)
    assert "And on rung 1, what happens beyond that border?" in front.words


def test_a_model_explains_what_the_candidate_asks_and_the_question_is_repeated(tmp_path: Path) -> None:
    asks = "Is that per token?"
    judged = {"points": [], "misconceptions": [], "retracts": [], "asks": asks, "flags": []}
    model = ScriptedModel(judgements=[judged, "For one token."])
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    front.words = ""
    interview.answer(f"Hm. {asks}")
    interview.run_until_input(front)
    assert front.words.strip() == "For one token.\n\nWhy does clipping work?"
    assert interview.session.transcript[-1].move is MoveKind.EXPLAIN


def test_a_model_also_explains_what_is_asked_beside_an_answer(tmp_path: Path) -> None:
    said, asks = "one sample pays nothing more", "Is that per token?"
    found = {"id": "p1", "quotes": [said], "why": "", "state": "shown"}
    judged = {"points": [found], "misconceptions": [], "retracts": [], "asks": asks, "flags": []}
    model = ScriptedModel(["And on rung 2, what happens?"], [judged, "Here it is for one token."])
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    front.words = ""
    interview.answer(f"It is that {said}. {asks}")
    interview.run_until_input(front)
    assert front.words.startswith("Here it is for one token.")
    assert phrases.YOUR_ASSUMPTION not in front.words
    assert "rung 2" in front.words
    (prompt,) = (sent[-1].content for sent in model.requests if "You asked:" in sent[-1].content)
    assert "rung" not in prompt.partition("You asked:")[2]


def test_a_model_that_cannot_explain_is_reported_and_counts_as_failed(tmp_path: Path) -> None:
    judged = {"points": [], "misconceptions": [], "retracts": [], "asks": "Is that per token?", "flags": []}
    model = ScriptedModel(judgements=[judged, DOWN])
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    interview.answer("Hm. Is that per token?")
    interview.run_until_input(front)
    assert interview.session.transcript[-1].text.startswith(phrases.YOUR_READING)
    assert any("The prepared reply is used instead." in notice for notice in front.notices)
    assert interview._failures.turns == 1


def test_a_question_about_an_improvised_question_is_explained_once(tmp_path: Path) -> None:
    model = Improvising("Would clipping still work with ten times the data?")
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    while front.moves[-1].kind is not MoveKind.IMPROVISE:
        interview.answer("It is word1 word2 word3 word4, as I said.")
        interview.run_until_input(front)
    interview.answer("What do you mean by work?")
    interview.run_until_input(front)
    assert interview.session.transcript[-1].move is MoveKind.EXPLAIN
    assert interview.session.transcript[-1].text.endswith(model.beyond)
    interview.answer("What else could it do?")
    interview.run_until_input(front)
    assert interview.session.drill.answers[-1].text == "What else could it do?"
    assert interview.session.is_over


def test_a_resumed_session_imports_the_models_library_before_the_first_answer(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(ScriptedModel()))
    interview.run_until_input(RecordingFrontend())
    log, model = interview._log, Cold()
    again = Interview(log, resume_session(log, interview.session.id), scripted_cast(model), FakeGrader())
    again.run_until_input(RecordingFrontend())
    assert model.asked > 0


def with_checks(name: str, numbers_at: int = 0) -> Question:
    """Return the question with a check for each rung; the result of rung n's check is 40 + n."""
    checks = tuple(Check(number, f"40 plus {number}?", number=f"40 + {number}") for number in range(1, RUNGS + 1))
    return replace(question(name, numbers_at), checks=checks)


def test_a_check_is_verified_although_the_model_fails_on_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fakes, "question", with_checks)
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(Down())), RecordingFrontend()
    interview.run_until_input(front)
    checked = []
    while not interview.session.is_over and len(interview.session.drill.answers) < 8:
        asked = interview.session.answered
        is_check = asked is not None and asked.kind is MoveKind.CHECK
        interview.answer(f"{40 + asked.rung}" if asked and is_check else "It is about gradients, I would say.")
        interview.run_until_input(front)
        if is_check:
            checked.append(interview.session.drills[0].answers[-1].assessment.check)
    assert checked
    assert set(checked) == {CheckResult.RIGHT}
    assert "the model gets another try" in " ".join(interview.session.notices)


def test_a_session_resumed_without_its_model_is_an_offline_session_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fakes, "question", with_checks)
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(ScriptedModel()))
    interview.run_until_input(RecordingFrontend())
    log, front = interview._log, RecordingFrontend()
    again = Interview(log, resume_session(log, interview.session.id), offline_participants(), FakeGrader())
    again.run_until_input(front)
    assert again.session.examiner == OFFLINE
    assert front.notices == ["Examiner is now the offline examiner: the session was resumed with it"]
    kinds = set()
    while again.session.awaiting is Awaiting.ANSWER:
        asked = again.session.answered
        assert asked is not None
        kinds.add(asked.kind)
        again.answer(f"It is word{max(1, asked.rung)}, and I stand by it.")
        again.run_until_input(front)
    assert MoveKind.CHECK in kinds
    assert MoveKind.IMPROVISE not in kinds


def test_the_voice_never_hears_points_answers_or_states(tmp_path: Path) -> None:
    model = ScriptedModel()
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(model))
    interview.run_until_input(RecordingFrontend())
    interview.answer("a first answer of mine")
    interview.run_until_input(RecordingFrontend())
    spoken = [heard for heard in model.requests if "<convey>" in heard[-1].content]
    prompts = " ".join(message.content for heard in spoken for message in heard)
    assert "Point 1 of clipping" not in prompts
    assert "answer 1" not in prompts
    assert "word1" not in prompts


def test_a_model_that_says_an_open_point_is_not_heard_and_may_say_it_once_it_was_shown(tmp_path: Path) -> None:
    leaks = "So word1 matters there. What is on rung 2?"
    text = "It is that word1 of yours, one sample pays nothing more."
    model = ScriptedModel([leaks, leaks], [finds("p1", "one sample pays nothing more")])
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    assert front.words.strip() == f"{phrases.GREETING}\n\nWhy does clipping work?"
    assert front.notices == []
    interview.answer(text)
    interview.run_until_input(front)
    assert "So word1 matters there." in front.words


@pytest.mark.expectation(number=52)
def test_a_model_that_is_down_is_told_once_and_for_all_after_two_failures(tmp_path: Path) -> None:
    model = ScriptedModel([DOWN, DOWN, DOWN], [DOWN, DOWN, DOWN])
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    assert "Why does clipping work?" in front.words
    assert "no server answers. Start it." in front.notices[0]
    interview.answer("It is about word1 and word2, I would say.")
    interview.run_until_input(front)
    assert interview.session.examiner == OFFLINE
    assert any("Switched to the offline examiner" in notice for notice in front.notices)
    assert interview.session.drill.credit_of("p2") is not None
    assert interview.session.drill.answers[0].assessment.judge == OFFLINE
    calls = len(model.requests)
    interview.answer("And word3 as well, of course.")
    interview.run_until_input(front)
    assert len(model.requests) == calls
    assert fold(interview._log.events(interview.session.id)) == interview.session


class Amused(ScriptedModel):
    """Begins each message with a reaction to a joke."""

    def stream(self, messages: Sequence[Message], *given: Any) -> Iterator[str]:
        yield f"Ha, good one. {messages[-1].content.rpartition('<convey>')[2].partition('</convey>')[0].strip()}"


@pytest.mark.parametrize(("flags", "reaction"), [(["off_topic"], "Ha, good one. "), ([], "")], ids=["joke", "answer"])
def test_the_model_words_the_encouragement_and_may_react_to_a_joke(
    tmp_path: Path, flags: list[str], reaction: str
) -> None:
    model = Amused(judgements=[{"points": [], "flags": flags}] * 2)
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    asked = replace(interview.session.questions[0], probes=())
    interview.session = replace(interview.session, questions=(asked,))
    interview.run_until_input(front)
    for _ in range(2):
        interview.answer("A goldfish walks into a bar, and the bartender asks for its learning rate.")
        interview.run_until_input(front)
    last = interview.session.transcript[-1]
    assert (last.move, last.text) == (MoveKind.HINT, f"{reaction}{phrases.SAY_WHAT_YOU_KNOW}")


class Drafting(ScriptedModel):
    """Judges only after every draft is written, and words each question differently."""

    def __init__(self, judgement: dict[str, object]) -> None:
        super().__init__(judgements=[judgement])
        self.written = threading.Semaphore(0)

    def stream(self, messages: Sequence[Message], *given: Any) -> Iterator[str]:
        self.requests.append(tuple(messages))
        yield f"So then: {messages[-1].content.rpartition('<convey>')[2].partition('</convey>')[0].strip()}"
        self.written.release()

    def complete(self, *given: Any) -> Reply:
        for _ in range(2):
            assert self.written.acquire(timeout=10)
        return super().complete(*given)


@pytest.mark.parametrize(
    ("judgement", "rung", "calls"),
    [(finds("p1", "one sample pays nothing more"), 2, 3), ({"points": []}, 1, 3)],
    ids=["shown", "nothing"],
)
def test_the_likely_questions_are_worded_while_the_answer_is_judged(
    tmp_path: Path, judgement: dict[str, object], rung: int, calls: int
) -> None:
    model = Drafting(judgement)
    participants = replace(scripted_cast(model), has_drafts=True)
    interview, front = make_interview(tmp_path, ONE, participants=participants), RecordingFrontend()
    interview.run_until_input(front)
    assert model.written.acquire(timeout=10)
    front.words = ""
    model.requests.clear()
    interview.answer("The ratio is clipped so that one sample pays nothing more.")
    interview.run_until_input(front)
    assert front.words.strip().endswith(f"So then: clipping rung {rung}?")
    # Both drafts and the judge: the next question was not worded again.
    assert len(model.requests) == calls


def test_a_draft_that_states_a_point_that_stayed_open_is_not_said(tmp_path: Path) -> None:
    class Leaking(Drafting):
        def stream(self, messages: Sequence[Message], *given: Any) -> Iterator[str]:
            yield "It is word4, I say. "
            yield from super().stream(messages, *given)

    model = Leaking({"points": []})
    interview = make_interview(tmp_path, ONE, participants=replace(scripted_cast(model), has_drafts=True))
    front = RecordingFrontend()
    interview.run_until_input(front)
    interview.answer("The ratio is clipped so that one sample pays nothing more.")
    interview.run_until_input(front)
    assert "word4" not in front.words
    assert "clipping rung 1?" in front.words


def test_the_lead_is_shown_while_the_model_words_the_question(tmp_path: Path) -> None:
    front = RecordingFrontend()
    shown_before: list[str] = []

    class Watching(ScriptedModel):
        def stream(self, messages: Sequence[Message], *given: Any) -> Iterator[str]:
            shown_before.append(front.words)
            yield from super().stream(messages, *given)

    quote = "the ratio stays inside the interval"
    belief = {"points": [], "misconceptions": [{"id": "wrong", "quote": quote}]}
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(Watching([], [belief] * 3)))
    interview.run_until_input(front)
    interview.answer(f"I would say that {quote}.")
    interview.run_until_input(front)
    lead = f"You said: “{quote}”"
    assert lead in front.moves[-1].lead
    assert lead in shown_before[-1]
    assert front.words.count(lead) == 1
    assert front.words.rstrip("\n").endswith(interview.session.transcript[-1].text)


class Improvising(ScriptedModel):
    """Judges each answer as complete. In a request without a schema, asks for one thing beyond the question."""

    def __init__(self, beyond: str) -> None:
        super().__init__()
        self.beyond = beyond
        self.written_in: list[threading.Thread] = []

    def complete(self, messages: Sequence[Message], schema: Any = None, *given: Any, **named: Any) -> Reply:
        if schema is None:
            self.written_in.append(threading.current_thread())
            return Reply(self.beyond, "stop")
        shown = {"quotes": ["word1 word2 word3 word4"], "why": "", "state": "shown"}
        points = [{"id": f"p{number}", **shown} for number in range(1, 5)]
        return Reply(json.dumps({"points": points, "misconceptions": [], "flags": []}), "stop")


@pytest.mark.parametrize("has_drafts", [True, False])
def test_a_question_beyond_the_bank_is_written_while_the_answer_is_judged(tmp_path: Path, has_drafts: bool) -> None:
    model = Improvising("Would clipping still work with ten times the data?")
    participants = replace(scripted_cast(model), has_drafts=has_drafts)
    interview, front = make_interview(tmp_path, ONE, participants=participants), RecordingFrontend()
    interview.run_until_input(front)
    while not interview.session.is_over and front.moves[-1].kind is not MoveKind.IMPROVISE:
        interview.answer("It is word1 word2 word3 word4, as I said.")
        interview.run_until_input(front)
    assert front.moves[-1].kind is MoveKind.IMPROVISE
    assert interview.session.transcript[-1].text == model.beyond
    (thread,) = model.written_in
    assert (thread is not threading.current_thread()) is has_drafts, "a draft is written beside the judgment"


class Down(ScriptedModel):
    """Fails until it is up again."""

    is_up = False

    def stream(self, *given: Any) -> Iterator[str]:
        if not self.is_up:
            self.requests.append(())
            raise DOWN
        yield from super().stream(*given)

    def complete(self, *given: Any) -> Reply:
        if not self.is_up:
            self.requests.append(())
            raise DOWN
        return super().complete(*given)


def judges_of(interview: Interview) -> list[str]:
    return [answer.assessment.judge for answer in interview.session.drill.answers]


def test_two_failed_calls_in_one_turn_count_once_and_the_model_is_tried_again_two_turns_later(tmp_path: Path) -> None:
    model = Down()
    model.is_up = True
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    model.is_up = False
    # The judge and the voice fail in the same turn.
    interview.answer("It is about word1, I would say.")
    interview.run_until_input(front)
    assert interview.session.examiner != OFFLINE
    interview.answer("It is about word2, I would say.")
    interview.run_until_input(front)
    assert interview.session.examiner == OFFLINE
    calls = len(model.requests)
    interview.answer("And word3 as well, of course.")
    interview.run_until_input(front)
    assert len(model.requests) == calls
    model.is_up = True
    interview.answer("And word4 as well, of course.")
    interview.run_until_input(front)
    assert interview.session.examiner == "llm:scripted"
    assert judges_of(interview) == [OFFLINE, OFFLINE, OFFLINE, "llm:scripted"]
    assert fold(interview._log.events(interview.session.id)) == interview.session


def test_a_draft_that_is_used_ends_the_failures_of_the_voice(tmp_path: Path) -> None:
    model = Drafting({"points": []})
    participants = replace(scripted_cast(model), has_drafts=True)
    interview, front = make_interview(tmp_path, ONE, participants=participants), RecordingFrontend()
    interview.run_until_input(front)
    assert model.written.acquire(timeout=10)
    interview._failures.add("voice", 0)
    interview.answer("The ratio is clipped so that one sample pays nothing more.")
    interview.run_until_input(front)
    assert front.words.strip().endswith("So then: clipping rung 1?")
    assert interview._failures.turns == 0


def test_only_consecutive_turns_with_a_failure_count() -> None:
    failures = ModelFailures()
    for role, turn in (("voice", 1), ("judge", 3)):
        failures.add(role, turn)
    assert failures.turns == 1, "turn 2 had no failure, although the voice was not needed"
    failures.add("voice", 4)
    assert (failures.turns, failures.description) == (2, "failed 2 turns in a row")
    failures.pause(4)
    assert failures.is_retry_due(6)
    failures.begin_retry(6)
    assert failures.turns == 1
    failures.add("judge", 6)
    assert (failures.turns, failures.description) == (2, "failed again")


def test_a_model_that_fails_its_second_try_is_left_alone_for_two_more_turns(tmp_path: Path) -> None:
    model = Down()
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    used = []
    for text in ("", "word1 it is.", "word2 it is.", "word3 it is.", "word4 it is.", "word1 it is."):
        if text and interview.session.awaiting is Awaiting.ANSWER:
            interview.answer(f"I would say that {text}")
        before = len(model.requests)
        interview.run_until_input(front)
        used.append(len(model.requests) > before)
    assert used == [True, True, False, True, False, True]
    reasons = [event.why for event in interview._log.events(interview.session.id) if hasattr(event, "why")]
    assert any("failed again" in reason for reason in reasons)


def test_a_resumed_model_gets_its_next_try_two_turns_after_it_failed(tmp_path: Path) -> None:
    model = Down()
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    for text in ("word1 it is.", "word2 it is."):
        interview.answer(f"I would say that {text}")
        interview.run_until_input(front)
    assert interview.session.examiner == OFFLINE
    log = interview._log
    again = Interview(log, resume_session(log, interview.session.id), interview._participants, FakeGrader())
    model.is_up = True
    again.answer("I would say that word3 it is.")
    again.run_until_input(front)
    assert again.session.examiner == "llm:scripted"


class SlowModel(ScriptedModel):
    """Takes a minute for every reply."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def stream(self, *given: Any) -> Iterator[str]:
        self.now += 60
        yield from super().stream(*given)

    def complete(self, *given: Any) -> Reply:
        self.now += 60
        return super().complete(*given)


def test_the_clock_stops_while_the_candidate_waits_for_the_model(tmp_path: Path) -> None:
    model = SlowModel()
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(model))
    interview._clock = lambda: model.now
    planned = interview.seconds_left
    interview.run_until_input(RecordingFrontend())
    model.now += 5
    interview.answer("It is about word1, I would say.")
    interview.run_until_input(RecordingFrontend())
    assert model.now > 1180
    assert planned - interview.seconds_left == pytest.approx(5, abs=2)
    assert interview.session.elapsed_seconds == pytest.approx(5, abs=2)


def test_the_clock_does_not_count_earlier_waits_when_one_more_question_is_accepted(tmp_path: Path) -> None:
    model = SlowModel()
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(model), spare="entropy")
    interview._clock = lambda: model.now
    interview.run_until_input(RecordingFrontend())
    interview.skip()
    interview.run_until_input(RecordingFrontend())
    assert interview.session.awaiting is Awaiting.OFFER
    before = interview.session.last_at
    assert model.now > before + 50, "the model took a minute to ask its first question"
    interview.ask_more()
    assert interview.session.last_at == pytest.approx(before, abs=2)


def test_the_candidate_lets_the_offline_examiner_judge_and_the_model_is_kept(tmp_path: Path) -> None:
    front = RecordingFrontend()

    class Stuck(ScriptedModel):
        def complete(self, *given: Any) -> Reply:
            interview.judge_offline()
            assert given[-1](), "the request is cancelled"
            raise ChatCancelled("m: stopped.", "No action needed.")

    stuck = Stuck()
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(stuck))
    interview.judge_offline()
    interview.run_until_input(front)
    assert interview.session.awaiting is Awaiting.ANSWER, "there was nothing to judge"
    calls = len(stuck.requests)
    interview.answer("It is about word1, I would say.")
    interview.run_until_input(front)
    assert judges_of(interview) == ["offline"]
    assert interview.session.drill.is_credited("p1")
    assert any("The offline examiner judged this answer instead." in text for text in front.notices)
    assert interview.session.examiner != OFFLINE, "the model judges the next answer"
    assert len(stuck.requests) == calls, "the candidate does not wait for the next question's wording either"


def test_a_judge_without_json_leaves_an_unhearable_answer_ungraded(tmp_path: Path) -> None:
    model = ScriptedModel([], ["not json", "still not json"])
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(model))
    interview.run_until_input(RecordingFrontend())
    interview.answer(" ")
    interview.run_until_input(RecordingFrontend())
    assessment = interview.session.drill.answers[0].assessment
    assert not assessment.is_graded
    assert interview.session.drill.answers[0].has_passed is None


class StoppingFront(RecordingFrontend):
    """Stops the interview when the model is asked to word a question, which is shown as "speaking" after a lead."""

    interview: Interview

    def show_busy(self, what: str) -> None:
        super().show_busy(what)
        if what in ("wording", "speaking"):
            self.interview.stop()


def test_of_words_that_are_stopped_nothing_is_shown(tmp_path: Path) -> None:
    model = ScriptedModel(["A long lead goes before it. And the question goes on and on until it is stopped, does it?"])
    interview, front = make_interview(tmp_path, ONE, participants=scripted_cast(model)), StoppingFront()
    front.interview = interview
    interview.run_until_input(front)
    said = f"{phrases.GREETING}\n\nWhy does clipping work?"
    assert interview.session.transcript[0].text == front.words.strip() == said
    assert interview.session.awaiting is Awaiting.ANSWER


def test_the_voice_is_told_what_is_open_in_neutral_words_and_the_lead(tmp_path: Path) -> None:
    model = ScriptedModel(judgements=[finds("p1", "one sample pays nothing more")])
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(model))
    asked = interview.session.questions[0]
    open_texts = tuple(replace(point, still_open=f"what {point.id} is about") for point in asked.points)
    interview.session = replace(interview.session, questions=(replace(asked, points=open_texts),))
    interview.run_until_input(RecordingFrontend())
    interview.answer("The ratio is clipped so that one sample pays nothing more.")
    interview.run_until_input(RecordingFrontend())
    move = interview.session.answered
    assert move is not None
    last = model.requests[-1][-1].content
    wanted = asked.rungs[move.rung - 1].points
    assert f"Left open: {'; '.join(f'what {point} is about' for point in wanted)}\n" in last
    assert f"Already said just before your words: {move.lead or 'nothing'}\n" in last
    assert "candidate: The ratio is clipped" in last


class EndingGrader(FakeGrader):
    """Ends the session while a grading run is in progress, as a candidate may."""

    interview: Interview

    def grade(self, task: str, source: str) -> Report:
        self.interview.end()
        return super().grade(task, source)


def test_a_verdict_that_comes_after_the_end_is_dropped(tmp_path: Path) -> None:
    grader = EndingGrader(report())
    interview = make_interview(tmp_path, CODE, grader=grader)
    grader.interview = interview
    interview.run_until_input(RecordingFrontend())
    interview.submit("code")
    interview.run_until_input(RecordingFrontend())
    assert interview.session.is_over
    assert interview.session.work.attempts[0].source == "code"
    assert interview.session.work.attempts[0].report is None


def test_an_end_between_two_effects_stops_the_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interview = make_interview(tmp_path, ONE)
    write = interview._log.append

    def as_the_driver_goes_on(session: str, number: int, *written: Event) -> None:
        # What `run_until_input` does before each effect, in its own thread; the lock keeps it from reading the session.
        interview._stop.clear()
        write(session, number, *written)

    monkeypatch.setattr(interview._log, "append", as_the_driver_goes_on)
    interview.end()
    assert interview._stop.is_set()


def test_the_grader_is_told_once_which_task_is_open(tmp_path: Path) -> None:
    grader = FakeGrader(report(Verdict.WRONG_VALUE, "max_for_min"))
    interview, front = make_interview(tmp_path, CODE, grader=grader), RecordingFrontend()
    interview.run_until_input(front)
    assert grader.prepared == ["ppo_clip_loss"]
    interview.submit("code")
    interview.run_until_input(front)
    assert grader.prepared == ["ppo_clip_loss"]


@pytest.mark.parametrize("act", [lambda interview: interview.submit("code"), lambda interview: interview.mark(())])
def test_what_is_out_of_turn_is_not_logged(tmp_path: Path, act: Callable[[Interview], None]) -> None:
    interview = make_interview(tmp_path, ONE)
    interview.run_until_input(RecordingFrontend())
    before = len(interview._log.events(interview.session.id))
    with pytest.raises(ValueError, match="awaits answer"):
        act(interview)
    assert len(interview._log.events(interview.session.id)) == before


def test_a_resumed_session_does_what_was_pending(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    interview.run_until_input(RecordingFrontend())
    interview.answer("half way, with word1 in it")
    log = interview._log
    again = Interview(log, resume_session(log, interview.session.id), interview._participants, FakeGrader())
    front = RecordingFrontend()
    again.run_until_input(front)
    assert again.session.awaiting is Awaiting.ANSWER
    assert len(again.session.drill.answers) == 1
    assert front.moves


def test_a_script_from_a_file_speaks_and_judges(tmp_path: Path) -> None:
    words = "The clipped sample pays nothing more beyond that border."
    path = tmp_path / "script.json"
    script = {"replies": ["Hello, why does clipping work?"], "judgements": [{"reply": finds("p2", words)}]}
    path.write_text(json.dumps(script))
    interview = make_interview(tmp_path, ONE, participants=scripted_cast(ScriptedModel.load(path)))
    front = RecordingFrontend()
    interview.run_until_input(front)
    interview.answer(words)
    interview.run_until_input(front)
    assert "Hello, why does clipping work?" in front.words
    assert interview.session.drill.credit_of("p2") is not None


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (
            "I took the maximum, so the pessimistic bound is lost.",
            f"{phrases.you_said('I took the maximum, so the pessimistic bound is lost.')}\n\n{phrases.NEAR_OFFLINE}",
        ),
        ("I averaged over the wrong axis.", phrases.UNMATCHED_OFFLINE),
    ],
)
def test_offline_an_explanation_that_names_the_mistake_is_recognized(tmp_path: Path, answer: str, reply: str) -> None:
    grader = FakeGrader(report(Verdict.WRONG_VALUE, "max_for_min"))
    interview, front = make_interview(tmp_path, CODE, grader=grader), RecordingFrontend()
    interview.run_until_input(front)
    interview.submit("loss = torch.max(plain, clipped)\n")
    interview.run_until_input(front)
    interview.answer(answer)
    interview.run_until_input(front)
    assert interview.session.transcript[-1].text == reply
    assert interview.session.awaiting is Awaiting.SUBMISSION
