"""Stored statements are tested by kind; missing statements, reused words and wrong judgments are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.authoring.statements import StatementResult, find_problems, run_statements, summary
from interviewer.bank.load import load_questions
from interviewer.session.assessment import State

ABOUT = "minimum_is_lower_bound"
SAID = {
    "right": "The smaller term is a lower bound of it.",
    "foreign": "That choice is pessimistic.",
    "unseen": "It never promises more than is there.",
    "wrong": "The minimum is an upper limit of the surrogate.",
    "denied": "The minimum is not a lower bound of the surrogate.",
}


def tried_with(bank: Path, folder: Path, more: str = "", **changed: str) -> tuple[list[str], list[StatementResult]]:
    """Return the problems that the gate reports for this point, and all results, with some statements changed."""
    lines = [f"[{ABOUT}]", *(f'{kind} = "{text}"' for kind, text in (SAID | changed).items()), more]
    (folder / "small_clip.toml").write_text("\n".join(lines), encoding="utf-8")
    questions = load_questions(bank)
    tried = run_statements(questions, folder)
    return [line for line in find_problems(questions, tried, folder) if ABOUT in line], tried


def test_fitting_statements_are_no_complaint_and_the_unseen_one_is_only_counted(bank: Path, tmp_path: Path) -> None:
    problems, tried = tried_with(bank, tmp_path)

    assert problems == []
    assert {result.kind: result.state for result in tried} == {
        "right": State.SHOWN,
        "foreign": State.SHOWN,
        "unseen": State.MISSING,
        "wrong": State.MISSING,
        "denied": State.CONTRADICTED,
    }
    line = "held-out right statements: 0% of 1 credited, 0% of 1 partly; held-out wrong statements: "
    assert summary(tried) == f"{line}none credited"
    problems, tried = tried_with(bank, tmp_path, unseen_wrong="It is a lower bound of the advantage.")
    assert problems == []
    assert summary(tried) == f"{line}100% of 1 credited"


def test_statements_of_a_point_without_phrasings_must_be_there_and_are_not_judged(bank: Path, tmp_path: Path) -> None:
    file = bank / "trust_regions" / "small_clip.toml"
    shows = "shows = ['lower bound', 'pessimist', 'conservative estimate']\n"
    before = file.read_text(encoding="utf-8")
    assert shows in before
    file.write_text(before.replace(shows, ""), encoding="utf-8")

    problems, tried = tried_with(bank, tmp_path, right="It is what it is.")

    assert (problems, tried) == ([], [])
    questions = load_questions(bank)
    (tmp_path / "small_clip.toml").write_text("", encoding="utf-8")
    assert any(ABOUT in line for line in find_problems(questions, [], tmp_path))


def test_further_statements_are_tried_as_their_kind_says(bank: Path, tmp_path: Path) -> None:
    more = f"[{ABOUT}.more]\nright = ['Nothing of it.']\nunseen = ['Pessimistic.', 'What?']\nunseen_wrong = ['Large.']"
    problems, tried = tried_with(bank, tmp_path, more)

    assert problems == [f"small_clip point '{ABOUT}': right is judged missing: 'Nothing of it.'"]
    assert summary(tried).startswith("held-out right statements: 33% of 3 credited, 0% of 3 partly; ")
    assert summary(tried).endswith("0% of 1 credited")
    problems, _ = tried_with(bank, tmp_path, f"[{ABOUT}.more]\nseen = ['Pessimistic.']")
    assert problems == [
        f"small_clip.toml: [{ABOUT}] expected right, foreign, unseen, wrong, denied; got {', '.join(SAID)}, more"
    ]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"right": "It is what it is."}, "right is judged missing: 'It is what it is.'"),
        ({"wrong": "The minimum is a lower bound of the advantage."}, "wrong is judged shown"),
        ({"denied": "The minimum: a pessimistic surrogate."}, "denied is judged shown"),
        ({"foreign": "The lower one, so pessimistic."}, "the statement `foreign` contains words from the point: low"),
        (
            {"wrong": "Something else is the minimum."},
            "the statement `wrong` contains too few words from the point to be tested",
        ),
    ],
)
def test_what_does_not_fit_is_named(bank: Path, tmp_path: Path, changed: dict[str, str], says: str) -> None:
    problems, _ = tried_with(bank, tmp_path, **changed)

    assert [says in line for line in problems] == [True], problems


def test_a_point_without_statements_and_a_table_without_a_point_are_named(bank: Path, tmp_path: Path) -> None:
    (tmp_path / "small_clip.toml").write_text('[no_point]\nright = "x"\n', encoding="utf-8")
    questions = load_questions(bank)

    problems = find_problems(questions, run_statements(questions, tmp_path), tmp_path)

    assert "small_clip.toml: [no_point] is not one of the question's points" in problems
    assert f"small_clip.toml: [{ABOUT}] expected right, foreign, unseen, wrong, denied; got nothing" in problems
    assert len(find_problems(questions, [], tmp_path / "missing")) == 1
