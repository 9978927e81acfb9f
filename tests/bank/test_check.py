"""The gate rejects a question whose phrasings cannot tell its answers from repeated text or from another question's."""

from pathlib import Path

import pytest

from interviewer.authoring.check import check_questions, main
from interviewer.bank.load import load_questions


def _complaints(bank: Path) -> str:
    return "\n".join(check_questions(load_questions(bank)))


def _damage(bank: Path, before: str, after: str) -> None:
    path = bank / "trust_regions" / "small_clip.toml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_good_question_passes(bank: Path) -> None:
    assert _complaints(bank) == ""


DAMAGES = [
    (
        "'lower bound', 'pessimist', 'conservative estimate'",
        "'lower bound', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'pessimist'",
        "expected at most 8, got 9",
    ),
    ("hints = ['Add.', 'What is the sum?']", "hints = ['Add.']", "rung[2].hints: expected 2, got 1"),
    ('title = "Clipping"', "", 'title: expected a short name, for example "PPO clipping", got nothing'),
    (
        'still_open = "the upper end"',
        "",
        "point 'limit_is_one_point_two' still_open: expected text that says what an answer without",
    ),
    ('the upper end"', 'whether it is a lower bound"', "matches still_open of point 'limit_is_one_point_two'"),
    ("[[probe]]", "[[clarify]]\nwords = ['x']\nsays = 'A lower bound.'\n[[probe]]", "matches clarify[0].says"),
    (
        "the upper end is 1.2.",
        "the upper end is 1.2; the lower is 0.8.",
        "enough: expected text that says how many of its 2 claims",
    ),
    ("the upper end is 1.2.", "the end is 1.2. The lower is 0.8. Either half is enough.", "move it to `enough`"),
    ("With eps 0.2 the upper end", "At least one of: the upper end", "'At least' is an instruction to the judge"),
    ("rung = 4", "rung = 1", "rung[3]: no [[check]] with rung = 4"),
    (
        "[0.1, 0.2, 0.3]",
        "[0.1, 0.2]",
        "check[0] (rung 1): given: expected inputs that give at least 3 different results, got 2",
    ),
    ('"1 - eps", "1"', '"1 - eps"', "check[0] (rung 1): wrong: expected at least 2 common wrong results, got 1"),
    ('"1 - eps", "1"', '"1 - eps", "1 + eps"', "check[0] (rung 1): the wrong answer"),
    ("With eps {eps} and", "With", "given: eps is not used in any text; write {name} where the value belongs"),
    ('"1 + eps"', '"eps"', "check[0] (rung 1): the right answer"),
    ('"smaller term", "minimum"', '"what decides it"', "accepts: 'what decides it' appears in the question's own text"),
    ('["rounding", "masking"]', '["clamp", "masking"]', "check[2] (rung 3): the right answer 'clamp' is judged unread"),
    (
        "['overflow', 'numerical(ly)? stab', 'exponent explodes']",
        "['overflow', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']",
        "'minimum_is_for_stability' shows: expected at most 8, got 9",
    ),
    ('["flat_outside", "way_back_kept"]', '["flat_outside"]', "'way_back_kept': not used by any rung"),
    ("It is a lower bound.", "It is smaller.", "'minimum_is_lower_bound': no phrasing matches the answer to rung 1"),
    ("It is a lower bound.", "It is not a lower bound.", "except perhaps under a negation"),
    ("What does the clip of PPO do?", "Is it a lower bound?", "'minimum_is_lower_bound' shows[0] matches the prompt"),
    ("Why a minimum?", "Why pessimist?", "shows[1] matches rung[1].ask"),
    ("Add.", "Add, to 1.2 perhaps.", "shows[0] matches rung[2].hints[0]"),
    ("And from the other side?", "Is there a way back?", "shows[0] matches probe[0].ask"),
    ("What overflows?", "Is it a lower bound?", "matches the `ask` of misconception 'minimum_is_for_stability'"),
    ("It is 1.2.", "It is 1.2. That avoids overflow.", "'minimum_is_for_stability' matches a correct answer"),
    ('"1 + 0.2"', '"1 + 0.3"', "rung[2].check: evaluates to 1.3, but no number in the answer is within 0.001 of it"),
    ('["ppo_clip_loss"]', '["ppo_clip_los"]', "tasks: 'ppo_clip_los' does not exist; did you mean 'ppo_clip_loss'?"),
    ("level = 3", 'level = 3\nafter = ["small_clip"]', "after: 'small_clip' does not exist"),
    ('["001 #7"]', '["001 #77"]', "'001 #77' is not in bank/seeds.toml; did you mean '001 #7'?"),
]


@pytest.mark.parametrize(("before", "after", "complaint"), DAMAGES, ids=[damage[2][:40] for damage in DAMAGES])
def test_damage_earns_a_complaint(bank: Path, before: str, after: str, complaint: str) -> None:
    _damage(bank, before, after)

    complaints = _complaints(bank)

    assert complaint in complaints
    assert complaints.startswith("trust_regions/small_clip.toml: ")


def test_a_question_needs_no_phrasing(bank: Path, good: str) -> None:
    lines = [line for line in good.split("\n") if not line.startswith("shows = ")]
    assert len(lines) < len(good.split("\n"))
    (bank / "trust_regions" / "small_clip.toml").write_text("\n".join(lines), encoding="utf-8")

    assert _complaints(bank) == ""


def test_denied_misconception_in_an_answer_is_no_complaint(bank: Path) -> None:
    _damage(bank, "It is 1.2.", "It is 1.2, and not for reasons of overflow.")

    assert _complaints(bank) == ""


def test_neighbour_with_the_same_answers_is_found_when_a_topic_is_shared(bank: Path, good: str) -> None:
    (bank / "numerics").mkdir()
    other = bank / "numerics" / "twin.toml"

    other.write_text(good.replace('topics = ["ppo", "clipping"]', 'topics = ["rounding"]'), encoding="utf-8")
    assert _complaints(bank) == ""

    other.write_text(good, encoding="utf-8")
    assert "this question's answers earn 0.25 of twin's points (limit 0.15)" in _complaints(bank)


def test_program_names_complaints_and_exits_with_one(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(bank)]) == 0
    assert capsys.readouterr().out == "questions: 1 valid, 0 complaints\nseeds claimed: 1 of 109\n"

    _damage(bank, "level = 3", "level = 7")
    assert main([str(bank / "trust_regions" / "small_clip.toml")]) == 1
    assert "level: expected a whole number" in capsys.readouterr().out


def test_program_refuses_a_file_that_is_not_in_a_bank(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(bank / "trust_regions" / "no_such.toml")]) == 1
    assert "no_such.toml: not a question file; expected <questions>/<area>/<slug>.toml" in capsys.readouterr().out
