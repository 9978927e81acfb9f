"""Every point was compared with an expert's answer that was written without seeing the rubric."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.load import load_questions

FOLDER = Path(__file__).parent / "experts"
QUESTIONS = {question.id: question for question in load_questions()}


def folded(text: str) -> str:
    return " ".join(text.split())


def read_expert(question_id: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{question_id}.toml").read_text(encoding="utf-8"))


def test_each_question_has_an_expert_and_nothing_else_does() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(QUESTIONS)


@pytest.mark.parametrize("question_id", sorted(QUESTIONS))
def test_each_point_is_reached_by_the_expert_or_settled_with_a_reason(question_id: str) -> None:
    question, expert = QUESTIONS[question_id], read_expert(question_id)
    answers = [folded(rung["answer"]) for rung in expert["rung"]]
    assert expert["question"] == question_id
    assert [rung["number"] for rung in expert["rung"]] == list(range(len(question.rungs) + 1))
    assert [point["id"] for point in expert["point"]] == [point.id for point in question.points]
    for point in expert["point"]:
        reached, settled = folded(point.get("reached", "")), folded(point.get("settled", ""))
        assert reached or settled, f"{point['id']}: neither reached nor settled"
        assert not reached or any(reached in answer for answer in answers), f"{point['id']}: {reached}"
        assert not settled or settled.startswith(("kept: ", "changed: ")), f"{point['id']}: {settled}"
    for entry in expert.get("settled", []):
        assert folded(entry["what"])
        assert folded(entry["why"])
