"""A draft contains what the list says and nothing else, can be read back unchanged, and does not echo its prompt."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from interviewer.authoring.drafting import make_draft, make_id, make_phrasings, toml_text
from interviewer.authoring.outline_parser import OutlineQuestion
from interviewer.bank.parse import Draft, parse_table
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import State

LIST = OutlineQuestion(
    "What are the limits of Q-learning?",
    4,
    ("Discrete action spaces only", "A table does not scale", "Sample inefficiency", "Q-learning", "V(s) = r"),
)
NASTY = "it's '''all''' \"quoted\"\\ and \x7f long\nwith a tab\tand an end'"


def test_draft_holds_what_the_list_holds() -> None:
    draft, problems = parse_table(make_draft(LIST, "mine", "list.md, line 4"), Path("mine/limits.toml"), is_own=True)

    assert problems == []
    assert isinstance(draft, Draft)
    assert draft.prompt == LIST.prompt
    assert draft.topics == ("mine",)
    # "Q-learning" says nothing beyond the prompt.
    assert [point.says for point in draft.points] == [answer for answer in LIST.answers if answer != "Q-learning"]
    assert [rung.points for rung in draft.rungs] == [
        ("discrete_action_spaces", "table_scale", "sample_inefficiency"),
        (draft.points[3].id,),
    ]


def test_answers_in_either_order_are_heard_and_an_echo_is_not() -> None:
    draft, _ = parse_table(make_draft(LIST, "mine", "list.md"), Path("mine/limits.toml"), is_own=True)
    assert draft is not None

    assessment = OfflineExaminer().assess(draft, "", "It only works when the spaces of actions are discrete. V(s) = r.")
    echo = OfflineExaminer().assess(draft, "", "The limits of Q-learning are what they are.")

    assert [point.id for point in assessment.points if point.state is State.SHOWN] == [
        "discrete_action_spaces",
        "v_s_r",
    ]
    assert all(point.state is State.MISSING for point in echo.points)


def test_a_denied_answer_earns_nothing() -> None:
    draft, _ = parse_table(make_draft(LIST, "mine", "list.md"), Path("mine/limits.toml"), is_own=True)
    assert draft is not None
    judged = OfflineExaminer().assess(draft, "", "It does not need discrete action spaces.")
    assert judged.state_of("discrete_action_spaces") is not State.SHOWN


def test_phrasings_never_hit_what_we_say() -> None:
    assert make_phrasings(
        "the clip bounds the ratio", ["Does the clip bound a ratio, or does a ratio clip the bounds?"]
    ) == [r"the\s*clip\s*bounds\s*the\s*ratio"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What is Reinforcement Learning, and how does it differ?", "reinforcement_learning_differ"),
        ("3D attention?", "question_3d_attention"),
        ("什么是策略？", "question"),
        ("L'état naïve?", "letat_naive"),
    ],
)
def test_names_are_snake_case(text: str, name: str) -> None:
    assert make_id(text, (), "question") == name
    assert make_id(text, {name, f"{name}_2"}, "question") == f"{name}_3"


def test_whatever_a_text_holds_is_read_back() -> None:
    table = {
        "format": 1,
        "draft": True,
        "prompt": NASTY,
        "source": ["a'b", "x" * 120, "\r\n", "'''"],
        "point": [{"id": "a", "when": {"missing": NASTY}, "shows": [r"\bclip\w*\b.{0,60}'", "plain"]}],
    }
    assert tomllib.loads(toml_text(table, ["two\nlines of # comment"])) == table


def test_a_lone_surrogate_cannot_break_the_file() -> None:
    assert tomllib.loads(toml_text({"a": "x\ud800'''"}).encode().decode()) == {"a": "x\ufffd'''"}
