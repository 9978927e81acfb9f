"""What is sent to a model, and which part of its reply is its submission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from graders.verdict import Outcome, Report, Symptom, Verdict
from interviewer.chat.model import Message, RateLimited, ReplyUnusable
from interviewer.chat.scripted import ScriptedJudgment, ScriptedModel
from interviewer.cli.benchmark.candidate import (
    FAILED_SHOWN_MAX,
    NO_SUBMISSION,
    Attempt,
    feedback_text,
    opening_messages,
    solve,
    source_in,
)
from tasks.load import find_task, load_tasks
from tasks.task import Task
from tests.session.build import report

DEF = "def gae(rewards):\n    return rewards\n"


@pytest.fixture(scope="module")
def gae() -> Task:
    return find_task("gae")


@pytest.mark.parametrize(
    ("reply", "source"),
    [
        (f"Sure.\n```python\n{DEF}```\nDone.", DEF),
        (f"```\n{DEF}```", DEF),
        (f"```py title=gae.py\n{DEF}```", DEF),
        (f"```python\ndef helper(): ...\n```\nand\n```python\n{DEF}```", DEF),
        (f"```python\n{DEF}```\nUse it:\n```python\nprint(gae([1]))\n```", DEF),
        (f"First:\n```python\ndef gae(): ...\n```\nNo, better:\n```python\n{DEF}```", DEF),
        (f"<think>\n```python\ndef gae(): 1\n```\n</think>\n```python\n{DEF}```", DEF),
        ("<think>\n```python\ndef gae(): 1\n```\n</think>\nI give up.", ""),
        ("```python\ngae = lambda rewards: rewards\n```", "gae = lambda rewards: rewards\n"),
        ("```python\nclass gae:\n    pass\n```", "class gae:\n    pass\n"),
        # Without the entry, the grader says what is missing.
        ("```python\ndef gae_loss(): ...\n```", "def gae_loss(): ...\n"),
        (DEF, DEF),
        (f"```python\n{DEF}", DEF),
        ("I would rather not.", ""),
        ("Call gae(rewards) twice.", ""),
        ("", ""),
        (f"```python\n{DEF}# {'x' * 2**20}\n```", ""),
    ],
)
def test_the_submission_is_the_last_block_that_defines_the_entry(reply: str, source: str) -> None:
    assert source_in(reply, "gae") == source


@pytest.mark.content
def test_no_prompt_contains_a_line_of_a_reference_a_mistake_or_a_case() -> None:
    for task in load_tasks():
        sent = "\n".join(message.content for message in opening_messages(task))
        known = f"{task.statement}\n{task.starter}"
        hidden = [task.reference, task.cases_source, *(path.read_text() for path in task.folder.glob("mistakes/*.py"))]
        lines = {line.strip() for text in hidden for line in text.splitlines() if len(line.strip()) > 25}
        assert [line for line in lines if line in sent and line not in known] == []
        assert [mistake.id for mistake in task.mistakes if mistake.wrong in sent or mistake.ask in sent] == []
        assert task.starter.strip() in sent


def test_feedback_shows_the_failing_cases_and_not_the_diagnosis() -> None:
    failed = replace(
        report(Verdict.WRONG_VALUE, "max_for_min"), symptoms=(Symptom("sign", "Has the wrong sign.", "Why?"),)
    )
    text = feedback_text(replace(failed, stdout="f6: hello"))
    assert "wrong value. 1 of 2 cases passed." in text
    assert "- f6: wrong value: loss: expected 0.1, got -0.1" in text
    assert "f6: hello" in text
    assert [
        hidden for hidden in ("max_for_min", "Takes the maximum", "advantage", "wrong sign") if hidden in text
    ] == []


def test_feedback_is_bounded() -> None:
    cases = tuple(Outcome(f"c{n}", Verdict.RAISED, 1.0, f"error {n}") for n in range(30))
    text = feedback_text(replace(report(), cases=cases, stdout="x" * 10**6))
    assert sum(line.startswith("- c") for line in text.splitlines()) == FAILED_SHOWN_MAX
    assert "22 more failures" in text
    assert len(text) < 5000


class Grades:
    """Grade in order, and record what was requested."""

    def __init__(self, *results: Report) -> None:
        self.results = list(results)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, source: str, attempt: int) -> Report:
        self.asked.append((source, attempt))
        return self.results.pop(0)


def a_model(*replies: Any) -> ScriptedModel:
    return ScriptedModel(judgements=[ScriptedJudgment(reply) for reply in replies])


def verdicts(attempts: Sequence[Attempt]) -> list[str]:
    return [attempt.verdict for attempt in attempts]


def test_a_failure_is_followed_by_its_cases_until_one_passes(gae: Task) -> None:
    model = a_model(f"```python\n{DEF}```", f"```python\n{DEF}# again\n```", "never asked")
    grades = Grades(report(Verdict.WRONG_VALUE, "max_for_min"), report())
    attempts = solve(gae, model, grades, feedback=3)
    assert verdicts(attempts) == ["wrong_value", "passed"]
    assert attempts[0].mistakes == ("max_for_min",)
    assert grades.asked == [(DEF, 0), (f"{DEF}# again\n", 1)]
    first, second = model.requests
    assert [message.role for message in first] == ["system", "user"]
    assert second[:2] == first
    assert second[2] == Message("assistant", f"```python\n{DEF}```")
    assert "f6: wrong value" in second[3].content


def test_without_feedback_there_is_one_attempt(gae: Task) -> None:
    model = a_model(f"```python\n{DEF}```")
    assert verdicts(solve(gae, model, Grades(report(Verdict.RAISED)))) == ["raised"]
    assert len(model.requests) == 1


def test_a_reply_without_code_is_an_attempt_that_the_grader_never_sees(gae: Task) -> None:
    grades = Grades(report())
    attempts = solve(gae, a_model("Hm.", f"```python\n{DEF}```"), grades, feedback=1)
    assert verdicts(attempts) == [NO_SUBMISSION, "passed"]
    assert [attempt for _, attempt in grades.asked] == [1]


def test_a_refusal_ends_the_sample_and_a_failing_server_is_no_attempt(gae: Task) -> None:
    refused = ReplyUnusable("scripted: the model refused to answer.", "")
    (attempt,) = solve(gae, a_model(refused), Grades(), feedback=2)
    assert (attempt.verdict, attempt.why) == (NO_SUBMISSION, refused.message)
    with pytest.raises(RateLimited):
        solve(gae, a_model(RateLimited("too many requests", "")), Grades(), feedback=2)
