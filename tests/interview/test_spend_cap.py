"""The cap on a model's cost stops it gracefully: shown, logged, between two effects, and across resumes."""

from __future__ import annotations

import dataclasses
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from interviewer.chat.model import Message, Reply, Usage
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Cap, Payments, month_cost
from interviewer.chat.streaming import never_cancelled
from interviewer.cli.calibrate import print_calibration
from interviewer.cli.import_questions import import_file
from interviewer.cli.judge import judge_answer
from interviewer.config import ConfigError, Settings, find_folders, load_settings
from interviewer.examiner import llm
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview import runner
from interviewer.interview.context import AppContext
from interviewer.interview.participants import forget, make_participants, month_cost_usd
from interviewer.interview.ports import Participants
from interviewer.interview.sessions import new_interview, resume_interview
from interviewer.session.engine import fold
from interviewer.session.events import ExaminerChanged
from interviewer.session.plan import PlanRequest
from interviewer.session.state import OFFLINE, Session
from interviewer.tui.messages import FrontendClosed
from tests.fakes import RecordingFrontend, make_interview
from tests.session.build import question

ONE = ("question", "clipping")
ANSWER = "It is about word1, and that one sample pays nothing more than the border allows."


class Priced(ScriptedModel):
    """Costs ten cents per call."""

    @property
    def usage(self) -> Usage:
        calls = len(self.requests)
        return Usage(calls, 100 * calls, 10 * calls, calls * 0.1 if calls else None)


def capped(model: ScriptedModel, cap: Cap) -> Participants:
    return Participants(examiner=LLMExaminer(model), offline=OfflineExaminer(), voice=model, cap=cap)


def doubtful(schema: Mapping[str, Any] | None) -> dict[str, Any]:
    assert schema
    return {"points": [{"id": "p1", "quotes": ["one sample pays nothing more"], "why": "", "state": "partial"}]}


class Doubting(Priced):
    """Always finds a point partly shown, so that more votes are needed."""

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        temperature: float = 0.0,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> Reply:
        self.requests.append(tuple(messages))
        return Reply(json.dumps(doubtful(schema)), "stop")


@pytest.mark.expectation(number=49)
def test_the_offline_examiner_takes_over_and_the_log_says_why(tmp_path: Path) -> None:
    model = Doubting()
    interview, front = make_interview(tmp_path, ONE, participants=capped(model, Cap(usd=0.15))), RecordingFrontend()
    interview.run_until_input(front)
    assert interview.session.examiner != OFFLINE
    interview.answer(ANSWER)
    interview.run_until_input(front)
    # The judgment in progress was finished with all of its votes, although the first of them exceeded the cap.
    assert len(model.requests) == 4
    assert interview.session.drill.answers[0].assessment.judge == "llm:scripted"
    assert interview.session.examiner == OFFLINE
    changes = [event for event in interview._log.events(interview.session.id) if isinstance(event, ExaminerChanged)]
    assert [change.why for change in changes] == [
        "the session's cap of 0.15 USD has been reached (4 calls, 400 + 40 tokens, 0.4000 USD)"
    ]
    assert front.notices == [f"Switched to the offline examiner: {changes[0].why}."]
    interview.answer("And word2, of course.")
    interview.run_until_input(front)
    assert len(model.requests) == 4
    assert interview.session.drill.answers[-1].assessment.judge == OFFLINE
    assert fold(interview._log.events(interview.session.id)) == interview.session


def test_without_a_price_tokens_are_counted(tmp_path: Path) -> None:
    class Unpriced(Priced):
        @property
        def usage(self) -> Usage:
            return dataclasses.replace(super().usage, cost_usd=None)

    interview, front = (
        make_interview(tmp_path, ONE, participants=capped(Unpriced(), Cap(0.01, 110))),
        RecordingFrontend(),
    )
    interview.run_until_input(front)
    assert interview.session.examiner == OFFLINE
    assert "cap of 110 tokens" in front.notices[0]


def test_who_leaves_during_a_judgment_still_pays_for_it(tmp_path: Path) -> None:
    class Left(RecordingFrontend):
        def show_busy(self, what: str) -> None:
            if not what:
                raise FrontendClosed

    kept: list[str] = [""]
    model, paid = Doubting(), Payments("", lambda text: kept.__setitem__(0, text))
    interview = make_interview(tmp_path, ONE, participants=dataclasses.replace(capped(model, Cap()), paid=paid))
    interview.run_until_input(RecordingFrontend())
    interview.answer(ANSWER)
    with pytest.raises(FrontendClosed):
        interview.run_until_input(Left())
    assert len(model.requests) == 4
    assert Payments(kept[0]).used == model.usage


def test_a_resumed_session_has_not_got_its_money_back(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text("{}")
    settings = Settings(model=f"scripted/{script}", spend_cap_usd=0.25)
    folders = find_folders({"INTERVIEWER_HOME": str(tmp_path)})
    with AppContext(settings, folders, environ={}) as context:
        context.model = Priced()
        interview = new_interview(context, PlanRequest(20, questions=("ppo_clipping",)), seed=1)
        interview.run_until_input(RecordingFrontend())
        assert interview.usage_text == "1 call, 100 + 10 tokens, 0.1000 USD"
        kept = context.log.payment(interview.session.id)
        assert '"calls": 1' in kept
        # A second interview in the same app begins with nothing spent.
        assert new_interview(context, PlanRequest(20, questions=("ppo_clipping",)), seed=1).usage_text.startswith(
            "0 calls"
        )
    with AppContext(settings, folders, environ={}) as context:
        context.model = Priced()
        again = resume_interview(context, interview.session.id)
        assert again.usage_text == "1 call, 100 + 10 tokens, 0.1000 USD"
        again.answer("The smaller of the two terms is taken, so that the objective is a lower bound.")
        front = RecordingFrontend()
        again.run_until_input(front)
        # One earlier call, one judgment and its words: the cap covers all of them together.
        assert again.session.examiner == OFFLINE
        assert "cap of 0.25 USD" in front.notices[0]


class Month:
    """A home folder with a model that has a price, and a clock that the test sets."""

    def __init__(self, home: Path, cap_usd: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = at(2026, 11, 30, 23, 50)
        monkeypatch.setattr(time, "time", lambda: self.now)
        # One call to judge and one to speak, so that the calls can be counted.
        monkeypatch.setattr(llm, "_WHOLE_POINTS_MAX", 99)
        monkeypatch.setattr(runner, "likely_moves", lambda *_: [])
        (home / "script.json").write_text("{}")
        self.settings = Settings(model=f"scripted/{home / 'script.json'}", spend_cap_usd=0.0, month_cap_usd=cap_usd)
        self.folders = find_folders({"INTERVIEWER_HOME": str(home)})

    def talk(self, answers: int, resume: str = "") -> tuple[Session, list[str], int]:
        """Play a session, or resume one; return it, its notices, and the number of calls."""
        with AppContext(self.settings, self.folders, environ={}) as context:
            model = context.model = Priced()
            request = PlanRequest(20, questions=("ppo_clipping",))
            interview, front = (
                resume_interview(context, resume) if resume else new_interview(context, request, seed=1),
                RecordingFrontend(),
            )
            interview.run_until_input(front)
            for _ in range(answers):
                interview.answer("The smaller of the two terms is taken, so that the objective is a lower bound.")
                interview.run_until_input(front)
            return interview.session, front.notices, len(model.requests)

    def why(self, session: str) -> list[str]:
        with AppContext(self.settings, self.folders, environ={}) as context:
            return [event.why for event in context.log.events(session) if isinstance(event, ExaminerChanged)]


def at(*parts: int) -> float:
    """Return this local time in epoch seconds."""
    return datetime(*parts).timestamp()  # type: ignore[arg-type]


@pytest.mark.expectation(number=49)
def test_a_month_costs_no_more_than_its_cap_and_the_next_one_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = Month(tmp_path, 0.25, monkeypatch)
    first, notices, calls = month.talk(0)
    assert (calls, notices) == (1, [])
    second, notices, calls = month.talk(1)
    assert second.examiner == OFFLINE
    # The judgment in progress was finished. Of the 0.3, the other session cost 0.1, and this opening and judgment 0.2.
    reason = "the monthly cap of 0.25 USD has been reached (total for 2026-11: 0.3000 USD)"
    assert (calls, month.why(second.id)) == (2, [reason])
    assert notices == [f"Switched to the offline examiner: {reason}."]
    third, _, calls = month.talk(1)
    assert (calls, third.examiner, month.why(third.id)) == (0, OFFLINE, [reason])
    month.now = at(2026, 12, 1, 0, 10)
    fourth, notices, calls = month.talk(0)
    assert (calls, notices) == (1, [])
    assert fourth.examiner != OFFLINE
    # Resumed in the next month: what the session cost before counts toward the previous month.
    again, _, _ = month.talk(1, resume=first.id)
    assert month.why(again.id) == [reason.replace("11", "12")]


def test_a_forgotten_session_still_counts_for_the_month_and_leaves_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = Month(tmp_path, 5.0, monkeypatch)
    sessions = [month.talk(1)[0].id for _ in range(3)]
    with AppContext(month.settings, month.folders, environ={}) as context:
        cost = month_cost_usd(context.log, "2026-11")
        assert cost >= 0.6
        for name in (sessions[0], sessions[1], None):
            assert forget(context.log, name) == 1
            assert month_cost_usd(context.log, "2026-11") == pytest.approx(cost)
        (left,) = context.log.payments(0.0)
        assert left.session not in sessions
        assert json.loads(left.text) == {"months": {"2026-11": pytest.approx(cost)}}


class Interrupted(Priced):
    """Ends its second call as Ctrl+C does."""

    def complete(self, *arguments: Any, **named: Any) -> Reply:
        reply = super().complete(*arguments, **named)
        if len(self.requests) == 2:
            raise KeyboardInterrupt
        return reply


@pytest.mark.parametrize(
    "command",
    [
        lambda context, answer: judge_answer(context, "ppo_clipping", answer, rung=0, as_json=True),
        lambda context, answer: print_calibration(context, as_json=True),
    ],
    ids=["judge", "calibrate"],
)
def test_a_command_that_is_interrupted_counts_for_the_month(
    command: Callable[[AppContext, str], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = Month(tmp_path, 5.0, monkeypatch)
    monkeypatch.setattr(llm, "_WHOLE_POINTS_MAX", 1)
    answer = tmp_path / "answer.txt"
    answer.write_text(ANSWER)
    with AppContext(month.settings, month.folders, environ={}) as context:
        model = context.model = Interrupted()
        with pytest.raises(KeyboardInterrupt):
            command(context, str(answer))
        assert len(model.requests) >= 2
        assert month_cost_usd(context.log, "2026-11") == pytest.approx(0.1 * len(model.requests))


def test_commands_outside_a_session_count_for_the_month_and_stop_at_its_cap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    month = Month(tmp_path, 0.25, monkeypatch)
    answer = tmp_path / "answer.txt"
    answer.write_text(ANSWER)
    questions = tmp_path / "questions.md"
    questions.write_text("1. What limits Q-learning?\n2. Why a target network?\n3. What is a replay buffer?\n")

    def held(command: Callable[[AppContext], int]) -> tuple[int, dict[str, Any], int]:
        with AppContext(month.settings, month.folders, environ={}) as context:
            model = context.model = Priced()
            code = command(context)
            return code, json.loads(capsys.readouterr().out), len(model.requests)

    def judged(context: AppContext) -> int:
        return judge_answer(context, "ppo_clipping", str(answer), rung=0, as_json=True)

    # The script is empty: each call is paid for, and its reply is useless.
    code, output, calls = held(lambda context: import_file(context, questions, "mine", as_json=True))
    assert (code, calls, [question["ladder_by"] for question in output["questions"]]) == (0, 4, ["list"] * 3)
    reason = "the monthly cap of 0.25 USD has been reached (total for 2026-11: 0.4000 USD)"
    assert output["questions"][2]["notes"] == [reason]
    code, output, calls = held(judged)
    assert (code, calls, output["error"]["message"]) == (3, 0, reason)
    assert month.talk(1)[0].examiner == OFFLINE

    month.now = at(2026, 12, 1, 0, 10)
    code, output, calls = held(lambda context: print_calibration(context, as_json=True))
    assert (code, output["result"]) == (3, None)
    assert 3 <= calls < 10
    assert (
        output["error"]["message"]
        == f"the monthly cap of 0.25 USD has been reached (total for 2026-12: {calls / 10:.4f} USD)"
    )
    assert held(judged)[2] == 0


def test_no_cap_a_month_is_none_and_a_server_of_ones_own_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = Month(tmp_path, 0.0, monkeypatch)
    assert month.talk(2)[0].examiner != OFFLINE
    for name, is_free in (("ollama_chat/qwen3", True), ("hosted_vllm/x", True), ("openai/gpt-5.4", False)):
        model = ScriptedModel()
        model.name = name
        assert (make_participants(Settings(), model, ()).cap.month_usd == 0) is is_free


def test_what_an_earlier_version_kept_counts_for_the_month_of_its_last_call() -> None:
    kept = json.dumps(
        {"used": {"calls": 1, "prompt_tokens": 1, "completion_tokens": 1, "cost_usd": 0.7}, "replies": {}}
    )
    assert month_cost(kept, "2026-11", at(2026, 11, 30, 23, 59)) == 0.7
    assert month_cost(kept, "2026-12", at(2026, 11, 30, 23, 59)) == 0.0
    over_the_end = json.dumps({"months": {"2026-11": 0.2, "2026-12": 0.1}})
    assert month_cost(over_the_end, "2026-11", at(2026, 12, 1)) == 0.2
    assert month_cost(over_the_end, "2026-12", at(2026, 12, 1)) == 0.1
    assert month_cost("no json", "2026-11", at(2026, 11, 1)) == 0.0


def test_the_settings_reach_the_cast() -> None:
    settings = Settings(
        persona="skeptical", style="quant", strictness="strict", spend_cap_usd=0.5, token_cap=7, month_cap_usd=3.0
    )
    participants = make_participants(settings, ScriptedModel(), ())
    assert participants.cap == Cap(0.5, 7, 3.0)
    assert dataclasses.astuple(participants.manner) == ("skeptical", "quant", "strict")
    assert participants.examiner.name == "llm:scripted"
    assert make_participants(settings, None, ()).examiner.name == OFFLINE


def test_no_manner_changes_what_the_judge_reads() -> None:
    read = set()
    other = Settings(persona="friendly", style="quant", strictness="lenient")
    for settings in (Settings(), other, Settings(strictness="strict")):
        model = ScriptedModel()
        make_participants(settings, model, ()).examiner.assess(question("clipping"), "Why?", ANSWER)
        read.add(re.sub(r"\b[0-9a-f]{16}\b", "TAG", "".join(message.content for message in model.requests[0])))
    assert len(read) == 1


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"persona": "sceptical"}, "did you mean skeptical?"),
        ({"style": "quants"}, "did you mean quant?"),
        ({"strictness": "string"}, "did you mean strict?"),
        ({"persona": "x"}, "expected one of friendly, neutral, skeptical, got 'x'"),
        ({"spend_cap_usd": -1.0}, "expected 0 (no cap) or more, got -1"),
        ({"spend_cap_usd": float("nan")}, "expected 0 (no cap) or more, got nan"),
        ({"token_cap": -5}, "expected 0 (no cap) or more, got -5"),
        ({"patience_seconds": 4.0}, "expected 5 to 600, got 4"),
        ({"month_cap_usd": float("inf")}, "expected 0 (no cap) or more, got inf"),
    ],
)
def test_a_setting_that_cannot_be_is_told_with_the_nearest_that_can(
    tmp_path: Path, values: dict[str, Any], says: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(find_folders({"INTERVIEWER_HOME": str(tmp_path)}), {}, values)
    assert says in str(caught.value)
