"""A user's own questions are loaded with the shipped ones; an invalid file is reported with its key and skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.authoring.check import check_questions
from interviewer.bank.load import load_questions
from interviewer.bank.user_questions import UserQuestions, load_user_questions

DRAFT = 'format = 1\ndraft = true\nlevel = 2\ntopics = ["mine"]\nsource = ["me"]\nprompt = "What is it?"\n'
WITH_POINT = (
    DRAFT + '[[point]]\nid = "p"\nsays = "It is."\nshows = ["it is"]\n[[rung]]\nask = "What?"\npoints = ["p"]\n'
)


@pytest.fixture
def own(tmp_path: Path, good: str) -> Path:
    """Return a user's folder with one valid question in an area of its own, without seeds."""
    folder = tmp_path / "own"
    (folder / "my_area").mkdir(parents=True)
    (folder / "my_area" / "mine.toml").write_text(good.replace('seeds = ["001 #7"]\n', ""), encoding="utf-8")
    return folder


def _read(own: Path, bank: Path) -> UserQuestions:
    return load_user_questions(own, bank)


def test_without_a_folder_there_is_nothing(tmp_path: Path) -> None:
    assert load_user_questions(tmp_path / "nowhere") == UserQuestions(tmp_path / "nowhere")


def test_any_area_and_no_seeds_are_right_for_an_own_question_only(own: Path, bank: Path, good: str) -> None:
    own_questions = _read(own, bank)
    assert [(question.id, question.area, question.seeds) for question in own_questions.questions] == [
        ("mine", "my_area", ())
    ]
    assert own_questions.problems == ()

    (bank / "trust_regions" / "small_clip.toml").write_text(good.replace('seeds = ["001 #7"]\n', ""), encoding="utf-8")
    with pytest.raises(Exception, match="seeds: expected a list"):
        load_questions(bank)


def test_a_draft_that_ships_is_an_error(bank: Path, good: str) -> None:
    (bank / "trust_regions" / "small_clip.toml").write_text("draft = true\n" + good, encoding="utf-8")
    with pytest.raises(Exception, match="draft: unknown key"):
        load_questions(bank)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("broken.toml", "x = [", "invalid TOML"),
        ("deep.toml", "x = " + "[" * 100_000, "invalid TOML"),
        ("typo.toml", DRAFT.replace("prompt", "promt"), "promt: unknown key; did you mean 'prompt'?"),
        ("flag.toml", DRAFT.replace("true", '"yes"'), "draft: expected true or false"),
        ("bare.toml", WITH_POINT.replace('points = ["p"]', ""), "rung[0].points: expected the id of at least one"),
        ("rungless.toml", WITH_POINT.split("[[rung]]", maxsplit=1)[0], "rung: expected at least one [[rung]]"),
        ("regex.toml", WITH_POINT.replace('"it is"', '"("'), "shows[0]: not a regular expression"),
        ("small_clip.toml", WITH_POINT, "used by the bundled <bank>/trust_regions/small_clip.toml; rename your file"),
        ("Notes.txt", "x", "unknown file; a question file is named <snake_case>.toml"),
    ],
    ids=lambda value: value[:20],
)
def test_a_wrong_file_is_told_and_left_out(own: Path, bank: Path, name: str, text: str, problem: str) -> None:
    problem = problem.replace("<bank>", str(bank))
    (own / "my_area" / name).write_text(text, encoding="utf-8")

    own_questions = _read(own, bank)

    assert [question.id for question in own_questions.questions] == ["mine"]
    assert (own_questions.drafts, own_questions.forms) == ((), ())
    assert any(line.startswith(f"{own}/my_area/{name}:") and problem in line for line in own_questions.problems)
    assert not name.endswith(".toml") or problem in own_questions.why_unusable(name.removesuffix(".toml"))


def test_two_own_files_with_one_id_count_once(own: Path, bank: Path) -> None:
    (own / "other").mkdir()
    (own / "other" / "mine.toml").write_text(WITH_POINT, encoding="utf-8")

    own_questions = _read(own, bank)

    assert [(question.id, question.area) for question in own_questions.questions] == [("mine", "my_area")]
    assert f"{own}/other/mine.toml: the slug 'mine' is taken by {own}/my_area/mine.toml" in own_questions.problems[0]


def test_drafts_are_kept_apart_and_forms_cannot_be_asked(own: Path, bank: Path) -> None:
    (own / "my_area" / "ready.toml").write_text(WITH_POINT, encoding="utf-8")
    (own / "my_area" / "form.toml").write_text(DRAFT, encoding="utf-8")
    (own / ".git").mkdir()

    own_questions = _read(own, bank)

    assert [question.id for question in own_questions.questions] == ["mine"]
    assert [question.id for question in own_questions.drafts] == ["ready"]
    assert [question.id for question in own_questions.forms] == ["form"]
    assert own_questions.problems == ()
    assert own_questions.why_unusable("ready") == ""
    assert "form.toml has no [[point]] yet" in own_questions.why_unusable("form")


def test_own_phrasings_are_tried_against_what_ships_and_only_own_files_are_blamed(own: Path, bank: Path) -> None:
    shipped = load_questions(bank)
    (mine,) = _read(own, bank).questions

    complaints = check_questions([mine], shipped, ["ppo_clip_loss"])

    assert all(line.startswith("my_area/mine.toml: ") for line in complaints)
    assert any("the rung answers of small_clip earn 0.25 of this question's points" in line for line in complaints)
    assert check_questions([mine]) == []


def test_own_tasks_may_be_linked(own: Path, bank: Path) -> None:
    path = own / "my_area" / "mine.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"ppo_clip_loss"', '"my_loss"'), encoding="utf-8")
    (mine,) = _read(own, bank).questions
    assert "tasks: 'my_loss' does not exist" in "".join(check_questions([mine]))
    assert check_questions([mine], own_tasks=["my_loss"]) == []
