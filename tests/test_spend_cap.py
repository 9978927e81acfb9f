"""The cap on what a model may cost stops it politely: said, logged, between two effects, and over resumes."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from interviewer.casting import cast_for
from interviewer.chat.model import Message, Reply, Usage
from interviewer.chat.paid import PAID_SLOT
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Cap
from interviewer.chat.waiting import never
from interviewer.config import ConfigError, Settings, find_folders, load_settings
from interviewer.driver import Cast
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.kit import Kit
from interviewer.session.engine import fold
from interviewer.session.events import ExaminerChanged
from interviewer.session.plan import Wishes
from interviewer.session.state import OFFLINE
from tests.fakes import RecordingFront, make_interview
from tests.session.build import question

ONE = ("question", "clipping")
ANSWER = "It is about word1, and that one sample pays nothing more than the border allows."


class Priced(ScriptedModel):
    """Cost ten cents a call."""

    @property
    def usage(self) -> Usage:
        calls = len(self.heard)
        return Usage(calls, 100 * calls, 10 * calls, calls * 0.1 if calls else None)


def capped(model: ScriptedModel, cap: Cap) -> Cast:
    return Cast(examiner=LLMExaminer(model), offline=OfflineExaminer(), voice=model, cap=cap)


def doubtful(schema: Mapping[str, Any] | None) -> dict[str, Any]:
    ids = schema["properties"]["points"]["items"]["properties"]["id"]["enum"] if schema else []
    quote = [{"s": 1, "quote": "one sample pays nothing more"}]
    states = [{"id": one, "evidence": quote if one == "p1" else [], "why": "", "state": "missing"} for one in ids]
    return {"points": [{**one, "state": "partial"} if one["id"] == "p1" else one for one in states]}


class Doubting(Priced):
    """Always find a point partial, so that votes are needed."""

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        temperature: float = 0.0,
        is_cancelled: Callable[[], bool] = never,
    ) -> Reply:
        self.heard.append(tuple(messages))
        return Reply(json.dumps(doubtful(schema)), "stop")


def test_the_offline_examiner_takes_over_and_the_log_says_why(tmp_path: Path) -> None:
    model = Doubting()
    interview, front = make_interview(tmp_path, ONE, cast=capped(model, Cap(usd=0.15))), RecordingFront()
    interview.settle(front)
    assert interview.session.examiner != OFFLINE
    interview.answer(ANSWER)
    interview.settle(front)
    # The judgement under way was finished, both its votes, though the first of them passed the cap.
    assert len(model.heard) == 3
    assert interview.session.drill.answers[0].assessment.judge == "llm:scripted"
    assert interview.session.examiner == OFFLINE
    changes = [one for one in interview._log.events(interview.session.id) if isinstance(one, ExaminerChanged)]
    assert [one.why for one in changes] == [
        "the cap of 0.15 USD a session is reached (3 calls, 300 + 30 tokens, 0.3000 USD)"
    ]
    assert front.notices == [f"The offline examiner serves from here on: {changes[0].why}."]
    interview.answer("And word2, of course.")
    interview.settle(front)
    assert len(model.heard) == 3
    assert interview.session.drill.answers[-1].assessment.judge == OFFLINE
    assert fold(interview._log.events(interview.session.id)) == interview.session


def test_without_a_price_tokens_are_counted(tmp_path: Path) -> None:
    class Unpriced(Priced):
        @property
        def usage(self) -> Usage:
            return dataclasses.replace(super().usage, cost_usd=None)

    interview, front = make_interview(tmp_path, ONE, cast=capped(Unpriced(), Cap(0.01, 110))), RecordingFront()
    interview.settle(front)
    assert interview.session.examiner == OFFLINE
    assert "the cap of 110 tokens" in front.notices[0]


def test_a_resumed_session_has_not_got_its_money_back(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text("{}")
    settings = Settings(model=f"scripted/{script}", spend_cap_usd=0.25)
    folders = find_folders({"INTERVIEWER_HOME": str(tmp_path)})
    with Kit(settings, folders, environ={}) as kit:
        kit.__dict__["model"] = Priced()
        interview = kit.new_interview(Wishes(20, questions=("ppo_clipping",)), seed=1)
        interview.settle(RecordingFront())
        assert interview.spend == "1 calls, 100 + 10 tokens, 0.1000 USD"
        kept = kit.log.draft(interview.session.id, PAID_SLOT)
        assert '"calls": 1' in kept
        # Another interview of the same app begins with nothing spent.
        assert kit.new_interview(Wishes(20, questions=("ppo_clipping",)), seed=1).spend.startswith("0 calls")
    with Kit(settings, folders, environ={}) as kit:
        kit.__dict__["model"] = Priced()
        again = kit.resume(interview.session.id)
        assert again.spend == "1 calls, 100 + 10 tokens, 0.1000 USD"
        again.answer("The smaller of the two terms is taken, so that the objective is a lower bound.")
        front = RecordingFront()
        again.settle(front)
        # One earlier call, one judgement and its words: the cap is for all of them together.
        assert again.session.examiner == OFFLINE
        assert "the cap of 0.25 USD" in front.notices[0]


def test_the_settings_reach_the_cast() -> None:
    settings = Settings(persona="skeptical", style="quant", strictness="strict", spend_cap_usd=0.5, token_cap=7)
    cast = cast_for(settings, ScriptedModel(), ())
    assert cast.cap == Cap(0.5, 7)
    assert dataclasses.astuple(cast.manner) == ("skeptical", "quant", "strict")
    assert cast.examiner.name == "llm:scripted"
    assert cast_for(settings, None, ()).examiner.name == OFFLINE


def test_no_manner_changes_what_the_judge_reads() -> None:
    read = set()
    other = Settings(persona="friendly", style="quant", strictness="lenient")
    for settings in (Settings(), other, Settings(strictness="strict")):
        model = ScriptedModel()
        cast_for(settings, model, ()).examiner.assess(question("clipping"), "Why?", ANSWER)
        read.add(re.sub(r"\b[0-9a-f]{16}\b", "TAG", "".join(one.content for one in model.heard[0])))
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
    ],
)
def test_a_setting_that_cannot_be_is_told_with_the_nearest_that_can(
    tmp_path: Path, values: dict[str, Any], says: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(find_folders({"INTERVIEWER_HOME": str(tmp_path)}), {}, values)
    assert says in str(caught.value)
