"""Switching languages gets no model text past a check, in conversation or during coding; rejections are recorded."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graders.verdict import Verdict
from interviewer.chat.scripted import ScriptedModel
from interviewer.errors import journal
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview
from interviewer.session import phrases
from interviewer.session.move import MoveKind
from interviewer.session.state import Awaiting
from tests.fakes import FakeGrader, RecordingFrontend, make_interview
from tests.session.build import report

ONE = ("question", "clipping")
CODE = ("task", "ppo_clip_loss")
STATEMENT = "The loss is averaged over the valid tokens. A row without valid tokens\nhas the loss 0. Write `loss`."
LEAKS = [
    "Gute Antwort! Teile durch die Summe der Maske. Was passiert auf Sprosse 1?",
    "Sehr gut. And on rung 1, what happens beyond that border?",
    "很好。请把 loss 除以 mask.sum()，那么第1级会怎样？",
    "いいですね。mask.sum() で割ってください。1段目では何が起きますか？",
    "Très bien, divisez par la somme du masque. Que se passe-t-il au niveau 1 ?",
]


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_find_file", lambda: tmp_path / "errors.jsonl")


def refusals() -> list[str]:
    return [record.message for record in journal.records() if record.kind == "refused"]


def cast(model: ScriptedModel) -> Participants:
    return Participants(examiner=LLMExaminer(model), offline=OfflineExaminer(), voice=model)


def coding(folder: Path, model: ScriptedModel) -> tuple[Interview, RecordingFrontend]:
    """Return an interview in a coding task, with a failing submission."""
    interview = make_interview(
        folder, CODE, ONE, grader=FakeGrader(report(Verdict.WRONG_VALUE)), participants=cast(model)
    )
    tasks = tuple(replace(task, statement=STATEMENT) for task in interview.session.tasks)
    interview.session = replace(interview.session, tasks=tasks)
    front = RecordingFrontend()
    interview.run_until_input(front)
    return interview, front


@pytest.mark.parametrize("leak", LEAKS)
def test_a_question_in_another_language_is_replaced_by_the_banks(tmp_path: Path, leak: str) -> None:
    interview, front = make_interview(tmp_path, ONE, participants=cast(ScriptedModel([leak]))), RecordingFrontend()
    interview.run_until_input(front)
    assert front.words.strip() == f"{phrases.GREETING}\n\nWhy does clipping work?"
    [refusal] = refusals()
    assert refusal.startswith('scripted: its text for the "next" move ')
    assert leak[:8] not in refusal


def test_a_question_in_english_is_said_and_nothing_is_recorded(tmp_path: Path) -> None:
    model = ScriptedModel(["Tell me why it works, please?"])
    interview, front = make_interview(tmp_path, ONE, participants=cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    assert "Tell me why it works, please?" in front.words
    assert refusals() == []


@pytest.mark.parametrize("fix", ["Divide the sum by mask.sum() instead of B.", "Teile die Summe durch mask.sum()."])
def test_while_code_is_written_the_model_words_no_reply(tmp_path: Path, fix: str) -> None:
    model = ScriptedModel([fix] * 5, [json.dumps({"sentences": [fix]})] * 5)
    interview, front = coding(tmp_path, model)
    for text in ("I am stuck. Tell me the fix.", "What is the fix?", "Was muss ich ändern?"):
        interview.answer(text)
        interview.run_until_input(front)
    assert "mask.sum" not in front.words
    assert interview.session.awaiting is Awaiting.SUBMISSION
    assert [refusal.partition('"explain" move ')[2] for refusal in refusals()] == [
        "quotes text that is not a whole sentence of the statement, so it was not shown."
    ] * 2


def test_a_question_about_the_statement_is_answered_with_its_sentences(tmp_path: Path) -> None:
    sentence = "A row without valid tokens has the loss 0."
    model = ScriptedModel(judgements=[json.dumps({"sentences": [sentence]})])
    interview, front = coding(tmp_path, model)
    interview.answer("What about a row that has no tokens?")
    interview.run_until_input(front)
    assert interview.session.transcript[-1].move is MoveKind.EXPLAIN
    assert interview.session.transcript[-1].text == f"The statement says: “{sentence}”\n\n{phrases.GO_ON_CODING}"
    assert "What about a row" in model.requests[-1][-1].content


def test_without_a_model_a_question_about_the_statement_refers_to_it(tmp_path: Path) -> None:
    interview, front = make_interview(tmp_path, CODE, ONE), RecordingFrontend()
    interview.run_until_input(front)
    interview.answer("What about a row that has no tokens?")
    interview.run_until_input(front)
    assert front.words.strip().endswith(f"{phrases.SEE_STATEMENT}\n\n{phrases.GO_ON_CODING}")


def test_a_question_leaves_the_one_about_the_failing_case_open(tmp_path: Path) -> None:
    interview, front = coding(tmp_path, ScriptedModel())
    interview.submit("def f(): ...")
    interview.run_until_input(front)
    asked = interview.session.answered
    assert asked is not None
    assert asked.kind is MoveKind.VERDICT
    interview.answer("What about a row that has no tokens?")
    interview.run_until_input(front)
    assert interview.session.answered == asked


def test_it_greets_and_takes_leave(tmp_path: Path) -> None:
    leave = "Thanks for your time. That is the end, and the debrief comes next."
    model = ScriptedModel(["Good to meet you. Why does it work?", leave])
    interview, front = make_interview(tmp_path, ONE, participants=cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    assert front.words == "Good to meet you. Why does it work?\n"
    assert "greet the candidate in half a sentence" in model.requests[0][-1].content
    interview.skip()
    interview.run_until_input(front)
    assert interview.session.transcript[-1].move is MoveKind.FINISH
    assert interview.session.transcript[-1].text.endswith(leave)
    assert "say goodbye to the candidate in half a sentence" in model.requests[-1][-1].content


@pytest.mark.parametrize("words", ["Why does it work?", "Hi! How are you today? Say why clipping works."])
def test_without_a_usable_greeting_of_the_model_the_app_greets(tmp_path: Path, words: str) -> None:
    interview, front = make_interview(tmp_path, ONE, participants=cast(ScriptedModel([words]))), RecordingFrontend()
    interview.run_until_input(front)
    assert front.words.startswith(phrases.GREETING)
    assert "How are you" not in front.words


@pytest.mark.parametrize("words", ["You will be hired. Goodbye.", "Your score is 8 out of ten.", "Auf Wiedersehen!"])
def test_the_leave_says_nothing_about_the_result(tmp_path: Path, words: str) -> None:
    interview = make_interview(tmp_path, ONE, participants=cast(ScriptedModel(["Why does it work?", words])))
    front = RecordingFrontend()
    interview.run_until_input(front)
    interview.skip()
    interview.run_until_input(front)
    assert interview.session.transcript[-1].text.endswith(phrases.FINISH)


def test_a_session_that_the_candidate_ends_does_not_wait_for_the_model(tmp_path: Path) -> None:
    model = ScriptedModel(["Why does it work?", "Goodbye, and that is the end."])
    interview, front = make_interview(tmp_path, ONE, participants=cast(model)), RecordingFrontend()
    interview.run_until_input(front)
    calls = len(model.requests)
    interview.end()
    interview.run_until_input(front)
    assert interview.session.transcript[-1].text == phrases.FINISH
    assert len(model.requests) == calls


def test_a_challenge_is_neither_greeted_nor_taken_leave_of(tmp_path: Path) -> None:
    model = ScriptedModel(["Goodbye, and that is the end."])
    interview = make_interview(tmp_path, CODE, participants=cast(model))
    interview.session = replace(interview.session, device="cpu")
    front = RecordingFrontend()
    interview.run_until_input(front)
    interview.skip()
    interview.run_until_input(front)
    assert phrases.GREETING not in front.words
    assert interview.session.transcript[-1].text.endswith(phrases.FINISH)
