"""A list becomes drafts: each question once, no file is overwritten, and a model's words are data that code checks."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.parse import Draft
from interviewer.bank.user_questions import load_user_questions
from interviewer.chat.model import ModelUnreachable, Reply
from interviewer.chat.scripted import ScriptedModel
from interviewer.cli.group import run
from interviewer.cli.import_questions import import_file
from interviewer.config import Folders, Settings
from interviewer.errors import BadInput
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest

Captured = pytest.CaptureFixture[str]
LIST = "1. **What are the limits of Q-learning?**\n   - Discrete action spaces only\n   - A table does not scale\n\n"
LIST += "2. Why?\n"
LADDER = {
    "level": 4,
    "points": [
        {"says": "IGNORED, the list has its own words", "phrases": ["discrete actions", "what limits"]},
        {"says": "x", "phrases": ["table scale"]},
        {"says": "Off-policy data is reused.", "phrases": ["off-policy reuse", "(a+)+$"]},
    ],
    "rungs": [
        {"ask": "What is stored?", "answer": "A table.", "points": [2], "hints": ["Think small.", "Count cells."]},
        {"ask": "And then?", "answer": "Reuse \x1b[31mit.", "points": [1, 3], "hints": []},
    ],
    "probes": [{"point": 1, "ask": "Which spaces?"}],
    "misconceptions": [
        {"says": "Believes it is on-policy.", "phrases": ["fresh policy data"], "ask": "Whose data?"},
        {"says": "Cannot be heard.", "phrases": ["it"], "ask": "Is it?"},
    ],
}


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path / "config", tmp_path / "data", tmp_path / "cache", tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "list.md"
    path.write_text(LIST, encoding="utf-8")
    return path


def imported(
    capsys: Captured, folders: Folders, file: Path, model: ScriptedModel | None = None
) -> list[Mapping[str, Any]]:
    """Import a file and return the outcome of each question."""
    context = AppContext(Settings(), folders, {})
    context.model = model
    assert import_file(context, file, "mine", as_json=True) == 0
    found: list[Mapping[str, Any]] = json.loads(capsys.readouterr().out)["questions"]
    return found


def test_a_list_becomes_drafts_and_a_form(capsys: Captured, folders: Folders, file: Path) -> None:
    first, second = imported(capsys, folders, file)

    own = load_user_questions(folders.questions)
    assert own.problems == ()
    assert [(draft.id, draft.area) for draft in own.drafts] == [("limits_q_learning", "mine")]
    assert [form.id for form in own.forms] == ["question"]
    assert (first["state"], first["points"], first["rungs"], first["ladder_by"]) == ("written", 2, 1, "list")
    assert "[[point]]: expected 5 to 8, got 2" in first["missing"]
    assert second["points"] == 0
    assert own.drafts[0].source == ("imported from list.md, line 1",)


def test_one_question_and_one_draft_are_singular(capsys: Captured, folders: Folders, file: Path) -> None:
    file.write_text("## What are the limits of Q-learning?\n", encoding="utf-8")
    assert import_file(AppContext(Settings(), folders, {}), file, "mine", as_json=False) == 0
    assert "1 question found: 1 draft written, 0 already existed" in capsys.readouterr().out


def test_the_same_list_makes_nothing_new_and_nothing_is_overwritten(
    capsys: Captured, folders: Folders, file: Path
) -> None:
    imported(capsys, folders, file)
    path = folders.questions / "mine" / "limits_q_learning.toml"
    path.write_text(path.read_text(encoding="utf-8") + "\ntypo = 1\n", encoding="utf-8")
    before = {path: path.read_text(encoding="utf-8") for path in folders.questions.rglob("*.toml")}

    again = imported(capsys, folders, file)

    assert [question["state"] for question in again] == ["there already", "there already"]
    assert {path: path.read_text(encoding="utf-8") for path in folders.questions.rglob("*.toml")} == before


def test_a_taken_name_gets_a_number_and_says_so(capsys: Captured, folders: Folders, file: Path) -> None:
    imported(capsys, folders, file)
    file.write_text("## What are the limits of Q-learning, then?\n## How does PPO clipping work?\n", encoding="utf-8")
    (folders.questions / "mine" / "ppo_clipping.toml").write_text("x = [", encoding="utf-8")

    first, second = imported(capsys, folders, file)

    assert first["id"] == "limits_q_learning_2"
    assert first["notes"] == ["the name limits_q_learning is taken; saved as limits_q_learning_2"]
    assert second["id"] == "ppo_clipping_work"


def test_a_file_that_appears_meanwhile_is_not_overwritten(capsys: Captured, folders: Folders, file: Path) -> None:
    there = folders.questions / "mine" / "limits_q_learning.toml"

    class SlowModel(ScriptedModel):
        def complete(self, *_: object, **__: object) -> Reply:
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_text("mine", encoding="utf-8")
            return Reply(json.dumps(LADDER), "stop")

    first, _ = imported(capsys, folders, file, SlowModel())

    assert first["id"] == "limits_q_learning_2"
    assert there.read_text(encoding="utf-8") == "mine"


def test_what_ships_is_not_imported_again(capsys: Captured, folders: Folders, file: Path) -> None:
    context = AppContext(Settings(), folders, {})
    file.write_text(f"Q: {context.questions[0].prompt}\n".replace("\n", " ") + "\n", encoding="utf-8")
    assert [question["state"] for question in imported(capsys, folders, file)] == ["there already"]


def test_drafts_are_asked_only_when_they_are_named(capsys: Captured, folders: Folders, file: Path) -> None:
    imported(capsys, folders, file)
    with AppContext(Settings(examiner="offline"), folders, {}) as context:
        assert not {"limits_q_learning", "question"} & {question.id for question in context.questions}
        named = new_interview(context, PlanRequest(questions=("limits_q_learning",)))
        assert [part.id for part in named.session.plan.parts] == ["limits_q_learning"]
        assert named.session.plan.spare, "and others are offered after it"
        with pytest.raises(BadInput, match=r"question.toml has no \[\[point\]\] yet"):
            new_interview(context, PlanRequest(questions=("question",)))
        with pytest.raises(BadInput, match="mine"):
            new_interview(context, PlanRequest(focus=("mine",)))


def test_a_model_drafts_the_ladder_and_the_list_keeps_its_words(capsys: Captured, folders: Folders, file: Path) -> None:
    model = ScriptedModel(judgements=[LADDER, ModelUnreachable("no server", "Start it.")])

    first, second = imported(capsys, folders, file, model)

    (draft,) = load_user_questions(folders.questions).drafts
    assert isinstance(draft, Draft)
    assert (first["ladder_by"], draft.level, len(draft.rungs), len(draft.probes)) == ("model", 4, 2, 1)
    says = ["Discrete action spaces only", "A table does not scale", "Off-policy data is reused."]
    assert [point.says for point in draft.points] == says
    # Code writes the expressions, so a hostile one becomes plain words; a phrase from the question is dropped.
    assert draft.points[0].shows == (r"\bdiscret\w*\b.{0,60}\baction\w*",)
    assert draft.points[2].shows == (r"\bpolic\w*\b.{0,60}\breus\w*",)
    assert draft.rungs[1].answer == "Reuse [31mit."
    heard = r"\bfresh\w*\b.{0,60}\bpolic\w*\b.{0,60}\bdata\w*"
    assert [(misconception.id, misconception.shows) for misconception in draft.misconceptions] == [
        ("believes_policy", (heard,))
    ]
    assert (second["ladder_by"], second["points"]) == ("list", 0)
    assert "not be called again: no server Start it." in second["notes"][0]
    asked = json.loads(model.requests[0][-1].content)
    assert asked["given_answers"] == ["Discrete action spaces only", "A table does not scale"]


@pytest.mark.parametrize(
    ("spoiled", "said"),
    [
        ({"points": LADDER["points"][:1]}, "points: expected at least 2"),  # type: ignore[index]
        ({"rungs": "none"}, "rungs: expected a list of objects"),
        ({"rungs": []}, "rung: expected at least one"),
        ({"probes": [{"point": 9, "ask": "?"}]}, "expected a point number from 1 to 3, got '9'"),
        ({"misconceptions": [{"says": 3, "phrases": [], "ask": "?"}]}, "says: expected text, got '3'"),
    ],
)
def test_a_draft_that_cannot_be_used_is_mended_once(
    capsys: Captured, folders: Folders, file: Path, spoiled: dict[str, Any], said: str
) -> None:
    file.write_text(LIST.split("\n2.", maxsplit=1)[0], encoding="utf-8")
    model = ScriptedModel(judgements=[{**LADDER, **spoiled}, LADDER])

    (one,) = imported(capsys, folders, file, model)

    assert one["ladder_by"] == "model"
    assert len(model.requests) == 2
    assert said in model.requests[1][-1].content


def test_after_a_second_bad_draft_the_list_alone_is_used(capsys: Captured, folders: Folders, file: Path) -> None:
    model = ScriptedModel(judgements=["no JSON", '{"points": [', LADDER])

    first, _ = imported(capsys, folders, file, model)

    assert (first["ladder_by"], first["points"]) == ("list", 2)
    assert first["notes"] == ["unusable draft from the model: the reply contains no JSON object with the key `points`"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "not UTF-8 text"),
        ("Why?\n".encode("utf-16"), "not UTF-8 text"),
        (b"What is it?\n" * 900_000, "10 MiB, expected at most 1 MiB"),
        (b"nothing to ask here\n", "no question found"),
        (b"", "no question found"),
        ("".join(f"Why {number}?\n" for number in range(501)).encode(), "501 questions, expected at most 500"),
        (None, "Is a directory"),
    ],
    ids=["binary", "utf-16", "large", "no_question", "empty", "too_many", "directory"],
)
def test_bad_input_is_named(capsys: Captured, tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "list.md"
    path.mkdir() if content is None else path.write_bytes(content)

    assert run(["import", str(path)]) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert f"{path}: {said}" in err
    assert not (tmp_path / "home").exists()


def test_a_wrong_area_and_a_missing_file_are_bad_input(capsys: Captured, tmp_path: Path) -> None:
    assert run(["import", str(tmp_path / "none.md"), "--json"]) == 2
    assert "No such file" in json.loads(capsys.readouterr().out)["error"]["message"]
    (tmp_path / "list.md").write_text(LIST, encoding="utf-8")
    assert run(["import", str(tmp_path / "list.md"), "--area", "../up"]) == 2
    assert "expected snake_case" in capsys.readouterr().err


def test_the_command_tells_what_was_made_and_what_is_missing(capsys: Captured, tmp_path: Path, file: Path) -> None:
    file.write_text(LIST + "3. Nothing to ask.\n", encoding="utf-8")
    assert run(["import", str(file), "--examiner", "offline"]) == 0

    out = capsys.readouterr().out

    assert "line 1: limits_q_learning: 2 points, 1 rung, drafted from the list alone" in out
    assert "still missing: [[point]]: expected 5 to 8, got 2; [[rung]]" in out
    assert "line 5: question: 0 points, 1 rung" in out
    assert "add at least one point, so that it can be asked" in out
    assert "line 6: skipped, not a question: Nothing to ask." in out
    made = tmp_path / "home" / "questions" / "imported" / "limits_q_learning.toml"
    assert tomllib.loads(made.read_text(encoding="utf-8"))["draft"] is True
