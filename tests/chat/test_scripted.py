from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.chat.model import ChatCancelled, Message, RateLimited, ReplyUnusable
from interviewer.chat.scripted import ScriptedJudgment, ScriptedModel

POINTS = {"properties": {"points": {"items": {"properties": {"id": {"enum": ["a", "b"]}}}}}}


def user(text: str) -> list[Message]:
    return [Message("user", text)]


def test_replies_come_in_order_and_in_pieces() -> None:
    model = ScriptedModel(["First  reply,\nin two lines.", "Second."])
    pieces = list(model.stream(user("x")))
    assert "".join(pieces) == "First  reply,\nin two lines."
    assert len(pieces) > 4
    assert "".join(model.stream(user("y"))) == "Second."
    assert [messages[0].content for messages in model.requests] == ["x", "y"]
    assert model.usage.calls == 2
    assert model.usage.cost_usd is None


def test_without_a_script_it_says_what_it_was_told_to_convey() -> None:
    asked = user("turns <convey>no</convey>\n<convey>\nWhy a minimum?\nSay it.\n</convey>")
    assert "".join(ScriptedModel().stream(asked)) == "Why a minimum?\nSay it."
    with pytest.raises(ReplyUnusable, match="no reply"):
        list(ScriptedModel().stream(user("nothing to convey")))


def test_without_a_script_every_point_is_missing() -> None:
    judgement = json.loads(ScriptedModel().complete(user("x"), POINTS).text)
    assert [(point["id"], point["state"]) for point in judgement["points"]] == [("a", "missing"), ("b", "missing")]
    assert judgement["misconceptions"] == []


def test_judgements_in_order_or_whenever_their_text_is_heard() -> None:
    model = ScriptedModel(judgements=[{"n": 1}, "not json", ScriptedJudgment({"n": 3}, when="clip")])
    texts = [model.complete(user(text), POINTS).text for text in ("x", "the clip", "y", "clip again")]
    assert texts == ['{"n": 1}', '{"n": 3}', "not json", '{"n": 3}']


def test_a_script_may_fail_and_be_stopped() -> None:
    failure = RateLimited("too many", "wait")
    model = ScriptedModel([failure, "words to stop"], judgements=[failure])
    with pytest.raises(RateLimited):
        list(model.stream(user("x")))
    with pytest.raises(RateLimited):
        model.complete(user("x"))
    words = model.stream(user("x"), lambda: len(model.requests) > 3)
    next(words)
    model.requests.append(())
    with pytest.raises(ChatCancelled):
        list(words)


def test_a_script_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"replies": ["Hi."], "judgements": [{"when": "", "reply": {"n": 1}}]}))
    model = ScriptedModel.load(path)
    assert "".join(model.stream(user("x"))) == "Hi."
    assert model.complete(user("x")).text == '{"n": 1}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not a JSON file"),
        ("[]", "expected an object"),
        ('{"reply": []}', "keys judgements, replies"),
        ('{"replies": [1]}', "list of strings"),
        ('{"judgements": {}}', "expected a list"),
        ('{"judgements": [{"if": "x", "reply": {}}]}', "judgements: expected"),
        ('{"judgements": [{"when": 1, "reply": {}}]}', "`when` must be a string"),
    ],
)
def test_a_bad_script_names_file_and_key(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=says) as caught:
        ScriptedModel.load(path)
    assert str(path) in str(caught.value)
