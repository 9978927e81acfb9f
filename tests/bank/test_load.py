"""A file that is not a complete question is rejected, and every problem in it is reported."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.bank.load import (
    QUESTIONS,
    QuestionFileError,
    QuestionTreeError,
    SeedsError,
    TaskTopicsError,
    load_question,
    load_questions,
    load_shipped_tasks,
    load_source_items,
    read_questions,
    unknown_topics,
)
from interviewer.bank.topics import TOPICS
from interviewer.cli.check import _check_task_topics
from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from tasks.load import find_task, load_task, load_tasks
from tasks.new import scaffold


def test_good_question_is_read(bank: Path) -> None:
    (question,) = load_questions(bank)

    assert (question.id, question.area, question.level) == ("small_clip", "trust_regions", 3)
    assert question.topics == ("ppo", "clipping")
    assert [point.id for point in question.points][:2] == ["flat_outside", "way_back_kept"]
    assert question.rungs[0].points == ("flat_outside", "way_back_kept")
    assert [(probe.missing, probe.believes) for probe in question.probes][1:] == [
        ("flat_outside", ""),
        ("", "clip_bounds_ratio"),
    ]
    assert question.misconception("clip_bounds_ratio").ask == "Where is it after ten epochs?"


CLARIFY = """
[[clarify]]
words = ["Eps", "which interval"]
says = "The half-width."
[[clarify]]
words = ["eps per token"]
says = "One token."
"""


@pytest.mark.parametrize(
    ("asks", "says"),
    [
        ("What is EPS?", "The half-width."),
        ("Which one, the interval?", "The half-width."),
        ("Is eps per token?", "One token."),
        ("What is eps? And is it fixed?", "The half-width."),
        ("The gradient is zero outside eps, per token. Is that enough?", ""),
        ("The gradient is zero outside eps, per token. Is that enough？", ""),
        ("Which token?", ""),
        ("Steps?", ""),
    ],
)
def test_a_clarification_is_found_by_its_words(bank: Path, good: str, asks: str, says: str) -> None:
    path = bank / "trust_regions" / "small_clip.toml"
    path.write_text(good + CLARIFY, encoding="utf-8")
    assert load_question(path).clarification(asks) == says


def test_each_shipped_question_is_prepared_for_questions_back() -> None:
    assert {len(question.clarify) for question in load_questions()} <= {2, 3}


@pytest.mark.slow
def test_shipped_questions_are_sound_with_their_phrasings_compiled() -> None:
    questions, problems = read_questions(QUESTIONS)

    assert not problems
    assert {question.id for question in questions} == {question.id for question in load_questions()}


def test_what_ships_has_only_the_topics_of_the_list() -> None:
    questions = load_questions()
    used = {topic for question in questions for topic in question.topics}
    used |= {topic for task in load_tasks() for topic in task.topics}
    assert used == set(TOPICS)
    assert len(TOPICS) == len(set(TOPICS)) <= 50
    assert unknown_topics(Path("x.toml"), ["PPO", "kv cache"]) == [
        "x.toml: topics: unknown topic 'kv cache'; did you mean 'KV cache'?"
    ]


def test_a_shipped_task_with_an_unknown_topic_is_refused_with_its_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tasks" / "losses" / "ppo_clip_loss"
    shutil.copytree(find_task("ppo_clip_loss").folder, folder)
    toml = folder / "task.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace('topics = ["', 'topics = ["data-parallel", "', 1))
    line = next(n for n, text in enumerate(toml.read_text().splitlines(), 1) if text.startswith("topics"))
    expected = f"{toml}:{line}: topics: unknown topic 'data-parallel'; did you mean 'data parallelism'?"
    monkeypatch.setattr("interviewer.bank.load.load_tasks", lambda: (load_task(folder),))
    with pytest.raises(TaskTopicsError) as refused:
        load_shipped_tasks()
    assert refused.value.problems == (expected,)
    context = AppContext(Settings(), find_folders(), environ={})
    with pytest.raises(TaskTopicsError):
        context.full_tasks  # noqa: B018
    # The gate reports the same, but only for a shipped folder.
    monkeypatch.setattr("interviewer.cli.check.load_tasks", lambda: (load_task(folder),))
    assert _check_task_topics(tmp_path) == 1
    assert capsys.readouterr().out == f"{expected}\n"
    assert _check_task_topics(tmp_path / "elsewhere") == 0


def test_a_users_own_task_may_have_a_topic_of_its_own() -> None:
    folders = find_folders()
    scaffold(folders.tasks / "losses" / "my_loss")
    toml = folders.tasks / "losses" / "my_loss" / "task.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace('["masking"]', '["my topic"]'), encoding="utf-8")
    context = AppContext(Settings(), folders, environ={})
    assert [task.topics for task in context.full_tasks if task.id == "my_loss"] == [("my topic",)]
    assert context.own_tasks.problems == ()


DAMAGES = [
    ('number = "1 + eps"', 'number = "1 + epsilon"', "check[0].number: 'epsilon' is not arithmetic"),
    ('number = "1 + eps"', 'number = "1 / (eps - eps)"', "division by zero (with eps = "),
    ('check = "1 + 0.2"', 'check = "one"', "rung[2].check: 'one' is not arithmetic"),
    ("level = 3", "level = 6", "level: expected a whole number from 1 to 5, got int '6'"),
    ("within = 0.001", "within = 2", "within: expected a number >= 0 and < 1, got int '2'"),
    ("level = 3", "level = true", "level: expected a whole number"),
    ("format = 1", "format = 2", "format: expected 1, got int '2'"),
    ("level = 3", "levl = 3", "levl: unknown key; did you mean 'level'?"),
    ("level = 3", "levl = 3", "level: expected a whole number from 1 to 5, got nothing"),
    ('source = ["arXiv:1707.06347, eq. 7"]', "source = []", "source: expected a list with at least one string"),
    ('source = ["arXiv:1707.06347, eq. 7"]', "source = [7]", "source[0]: expected text or a table, got int '7'"),
    ('source = ["arXiv:1707.06347, eq. 7"]', 'source = [{ says = "x" }]', "source[0].terms: expected a list"),
    (
        'source = ["arXiv:1707.06347, eq. 7"]',
        'source = [{ says = "x", repository = "o/n", path = "p", terms = ["t"],'
        ' checked = "verl 0.7 @ 1dda039, 2026-13" }]',
        "source[0].checked: expected \"verl 0.7 @ 1dda039, 2026-08\", got 'verl 0.7 @ 1dda039, 2026-13'",
    ),
    (
        'source = ["arXiv:1707.06347, eq. 7"]',
        'source = [{ says = "x", repository = "verl", path = "p", terms = ["t"], checked = "verl 0.7, 2026-08" }]',
        "source[0].repository: expected owner/name, got 'verl'",
    ),
    ('topics = ["ppo", "clipping"]', 'topics = ["ppo", 3]', "topics[1]: expected text, got int '3'"),
    ("prompt = 'What does the clip of PPO do?'", "prompt = '  '", "prompt: expected text, got str"),
    ('says = "Outside the', 'sais = "Outside the', "point[0].sais: unknown key; did you mean 'says'?"),
    ('points = ["minimum_is_lower_bound"]', 'points = ["minimum_is_lower"]', "did you mean 'minimum_is_lower_bound'?"),
    ('missing = "way_back_kept"', 'missing = "way_back"', "probe[0].when.missing: 'way_back' is not defined in"),
    ('believes = "clip_bounds_ratio"', 'believes = "clip"', "probe[2].when.believes: 'clip' is not defined in"),
    ('{ missing = "way_back_kept" }', '{ mising = "way_back_kept" }', "did you mean 'missing'?"),
    ('{ missing = "way_back_kept" }', "{ }", "probe[0].when: expected one of { missing"),
    ('id = "way_back_kept"', 'id = "flat_outside"', "the id 'flat_outside' is used 2 times"),
    ('id = "way_back_kept"', 'id = "Way back"', "point[1].id: expected snake_case, got 'Way back'"),
    ("'way back'", "'way (back'", "point 'way_back_kept' shows[0]: not a regular expression"),
    ("'overflow'", "'over[flow'", "misconception 'minimum_is_for_stability' shows[0]: not a regular expression"),
    ("[[probe]]", "[[clarify]]\nwords = ['?']\nsays = 'x'\n[[probe]]", "clarify[0].words: expected at least one word"),
    ("[[probe]]", "[[clarify]]\nword = ['x']\nsays = 'x'\n[[probe]]", "unknown key; did you mean 'words'?"),
    ("[[probe]]", "[[prob]]", "prob: unknown key; did you mean 'probe'?"),
    ("level = 3", "level = ", "invalid TOML"),
]


@pytest.mark.parametrize(("before", "after", "expected"), DAMAGES, ids=[damage[2][:40] for damage in DAMAGES])
def test_damage_is_named(bank: Path, good: str, before: str, after: str, expected: str) -> None:
    assert before in good
    path = bank / "trust_regions" / "small_clip.toml"
    path.write_text(good.replace(before, after), encoding="utf-8")

    with pytest.raises(QuestionFileError) as caught:
        load_question(path)

    assert any(expected in problem and str(path) in problem for problem in caught.value.problems), str(caught.value)


def test_all_problems_of_a_file_are_collected(bank: Path, good: str) -> None:
    path = bank / "trust_regions" / "small_clip.toml"
    path.write_text(good.replace("level = 3", "level = 9").replace("'way back'", "'('"), encoding="utf-8")

    with pytest.raises(QuestionFileError) as caught:
        load_question(path)

    assert len(caught.value.problems) == 2


def test_fewer_than_three_rungs_are_refused(bank: Path, good: str) -> None:
    path = bank / "trust_regions" / "small_clip.toml"
    head, *rungs = good.split("[[rung]]")
    path.write_text("[[rung]]".join([head, rungs[0], rungs[-1]]), encoding="utf-8")

    with pytest.raises(QuestionFileError, match="expected at least 3 rungs, got 2"):
        load_question(path)


def test_bytes_that_are_no_text_are_refused(bank: Path) -> None:
    path = bank / "trust_regions" / "small_clip.toml"
    path.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(QuestionFileError, match="invalid TOML"):
        load_question(path)


@pytest.mark.parametrize(
    ("stray", "problem"),
    [
        ("notes.md", "notes.md: unknown file; question files are <area>/<slug>.toml"),
        ("trust_regions/notes.md", "notes.md: unknown file; a question file is named <snake_case>.toml"),
        ("trust_regions/Small-Clip.toml", "Small-Clip.toml: unknown file"),
        ("trust_region/other.toml", "unknown area 'trust_region'; did you mean 'trust_regions'?"),
        ("numerics/small_clip.toml", "the slug 'small_clip' is taken by"),
    ],
)
def test_strays_in_the_tree_are_errors(bank: Path, good: str, stray: str, problem: str) -> None:
    (bank / stray).parent.mkdir(exist_ok=True)
    (bank / stray).write_text(good, encoding="utf-8")

    with pytest.raises(QuestionTreeError) as caught:
        load_questions(bank)

    assert problem in str(caught.value)


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(QuestionTreeError, match="no such folder; expected the question folder"):
        load_questions(tmp_path / "nowhere")


def test_seeds_hold_every_source_document() -> None:
    seeds = load_source_items()

    assert len(seeds) == 109
    assert [sum(seed.startswith(document) for seed in seeds) for document in ("000", "001", "002", "003", "004")] == [
        8,
        35,
        59,
        5,
        2,
    ]


def test_seed_listed_twice_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "seeds.toml"
    path.write_text('format = 1\n[[seed]]\nid = "001 #1"\nsays = "a"\n[[seed]]\nid = "001 #1"\nsays = "b"\n')

    with pytest.raises(SeedsError, match=r"seed\[1\]\.id: '001 #1' is listed twice"):
        load_source_items(path)


def test_loading_imports_no_heavy_package() -> None:
    program = "import sys, interviewer.bank.load, interviewer.authoring.check, interviewer.examiner.offline as _;"
    program += "print([name for name in ('torch', 'textual', 'litellm') if name in sys.modules])"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
