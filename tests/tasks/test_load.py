"""A task folder that is not complete and consistent does not load, and the error names file and key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interviewer.interview.context import make_task_brief
from tasks.load import TaskError, UnknownTask, find_task, load_task, load_tasks, names_of, task_names
from tasks.task import Tolerance
from tests.graders.build import files_of_mean, write_task


def test_a_sound_folder_loads(tmp_path: Path) -> None:
    task = load_task(write_task(tmp_path, files_of_mean()))
    assert (task.id, task.area, task.entry, task.level) == ("tiny", "area", "scaled_mean", 1)
    assert task.signature == "scaled_mean(x, weight, mask)"
    assert task.case_names == ("literal", "ragged")
    assert [mistake.caught_by for mistake in task.mistakes] == [("ragged",), ("ragged",)]
    assert task.tolerance["float32"].rtol == 1e-5
    assert load_tasks(tmp_path) == (task,)
    assert find_task("tiny", tmp_path) == task


def test_a_gpu_may_have_tolerances_of_its_own(tmp_path: Path) -> None:
    files = files_of_mean()
    files["task.toml"] += "\n[tolerance.cuda.float32]\nrtol = 2e-5\natol = 3e-6\n"
    task = load_task(write_task(tmp_path, files))
    assert task.for_device("cuda").tolerance["float32"] == Tolerance(rtol=2e-5, atol=3e-6)
    assert task.for_device("cpu") is task
    assert task.tolerance["float32"].rtol == 1e-5


def test_a_task_may_bring_the_question_that_follows_a_pass(tmp_path: Path) -> None:
    files = files_of_mean()
    assert load_task(write_task(tmp_path / "without", files)).after_pass == ""
    files["task.toml"] = files["task.toml"].replace("level = 1", 'level = 1\nafter_pass = "What does bf16 round?"', 1)
    task = load_task(write_task(tmp_path / "with", files))
    brief = make_task_brief(task)
    assert task.after_pass == brief.after_pass == "What does bf16 round?"
    assert (brief.area, brief.level) == (task.area, task.level)


CHANGES = [
    ("task.toml", 'title = "Scaled mean"', "", "task.toml: title: missing"),
    ("task.toml", 'title = "', 'titel = "', "task.toml: title: missing; did you mean 'titel'?"),
    ("task.toml", "[limits]", "minuts = 3\n[limits]", "task.toml: minuts: unknown key; did you mean 'minutes'?"),
    ("task.toml", "memory_mib", "memory_mb", "task.toml: limits: memory_mib: missing; did you mean 'memory_mb'?"),
    ("task.toml", '"implement"', '"implment"', "task.toml: kind: expected one of implement, repair, estimate"),
    ("task.toml", "level = 1", "level = 9", "task.toml: level: expected a number from 1 to 5, got 9"),
    ("task.toml", "level = 1", "level = 1.5", "task.toml: level: expected a whole number"),
    ("task.toml", "format = 1", "format = 2", "task.toml: format: expected a number from 1 to 1, got 2"),
    ("task.toml", '["arithmetic"]', "[]", "task.toml: source: expected at least one string"),
    (
        "task.toml",
        'caught_by = ["ragged"]',
        'caught_by = ["raged"]',
        "mistake 1: caught_by: 'raged' is not one of literal, ragged; did",
    ),
    ("task.toml", 'id = "mean_of_all"', 'id = "mean_of_al"', "mistakes/mean_of_al.py: missing"),
    (
        "task.toml",
        'ask = "What counts?"',
        'ask = "?"\nsame_as = "other"',
        "mistake 'mean_of_all': same_as does not name",
    ),
    ("task.toml", 'text = "Count."', 'text = ""', "hint 1: text: expected a non-empty string"),
    ("task.toml", '"raised"', '"passed"', "starter_verdict: the starter must not pass"),
    ("task.toml", "format = 1", "format == 1", "task.toml: invalid TOML"),
    (
        "starter.py",
        "weight, mask",
        "mask, weight",
        "starter.py: scaled_mean: expected the reference's signature scaled_mean(x, weight",
    ),
    ("starter.py", "scaled_mean", "scaled", "starter.py: defines no function 'scaled_mean'"),
    ("reference.py", "return", "retrun", "reference.py: line 8: invalid syntax"),
    ("reference.py", "import torch", "import numpy", "reference.py: line 1: imports 'numpy'"),
    ("reference.py", "import torch", "from tasks.task import Case", "reference.py: line 1: imports 'tasks.task'"),
    ("mistakes/not_detached.py", "x, weight, mask", "x, weight", "mistakes/not_detached.py: scaled_mean: expected the"),
    ("cases.py", 'Case("ragged"', 'Case(name_of("ragged")', "cases.py: line 23: yield Case"),
    ("cases.py", '"ragged"', '"literal"', "cases.py: expected unique case names"),
    ("statement.md", "Mean.", " ", "statement.md: is empty"),
]


@pytest.mark.parametrize(("file", "old", "new", "says"), CHANGES)
def test_an_error_names_file_and_key(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    files = files_of_mean()
    assert old in files[file]
    files[file] = files[file].replace(old, new, 1)
    with pytest.raises(TaskError) as caught:
        load_task(write_task(tmp_path, files))
    assert says in re.sub(r"task\.toml:\d+:", "task.toml:", str(caught.value))


@pytest.mark.expectation(number=69)
@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("[limits]", "minuts = 3\n[limits]", "minuts = 3"),
        ('text = "Count."', 'text = ""', 'text = ""'),
        ('text = "Count."', "", "[[hint]]"),
        ('caught_by = ["', 'caught_by = ["x", "', "caught_by = "),
    ],
)
def test_an_error_of_the_table_has_its_line(tmp_path: Path, old: str, new: str, names: str) -> None:
    files = files_of_mean()
    assert old in files["task.toml"]
    files["task.toml"] = files["task.toml"].replace(old, new, 1)
    with pytest.raises(TaskError, match=r"task\.toml:\d+: ") as caught:
        load_task(write_task(tmp_path, files))
    line = re.findall(r"task\.toml:(\d+): ", str(caught.value))[0]
    assert files["task.toml"].splitlines()[int(line) - 1].startswith(names)


@pytest.mark.parametrize("extra", ["mistakes/forgotten.py", "notes.txt", "harnes.py", "__init__.py"])
def test_files_that_do_not_belong_are_refused(tmp_path: Path, extra: str) -> None:
    with pytest.raises(TaskError, match=extra.rsplit("/", maxsplit=1)[-1]):
        load_task(write_task(tmp_path, {**files_of_mean(), extra: files_of_mean()["reference.py"]}))


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    files = files_of_mean()
    del files["cases.py"]
    with pytest.raises(TaskError, match=r"cases.py: missing"):
        load_task(write_task(tmp_path, files))
    with pytest.raises(TaskError, match=r"nowhere: expected a task folder, found nothing"):
        load_task(tmp_path / "nowhere")


@pytest.mark.expectation(number=69)
def test_content_is_never_executed(tmp_path: Path) -> None:
    files = files_of_mean()
    for name in ("cases.py", "reference.py", "starter.py"):
        files[name] += "\nraise SystemExit('executed')\n"
    assert load_task(write_task(tmp_path, files)).id == "tiny"


def test_an_unknown_id_gets_the_nearest_ones(tmp_path: Path) -> None:
    write_task(tmp_path, files_of_mean())
    with pytest.raises(UnknownTask, match="unknown task 'tine': did you mean tiny"):
        find_task("tine", tmp_path)
    folder = tmp_path / "other" / "tiny"
    folder.mkdir(parents=True)
    (folder / "task.toml").write_text("format = 1")
    with pytest.raises(TaskError, match="the id 'tiny' is already used by"):
        load_tasks(tmp_path)


def with_aliases(root: Path, *aliases: str, folder: str = "tiny") -> Path:
    """Write a task with these aliases and return its folder."""
    files = files_of_mean()
    files["task.toml"] = files["task.toml"].replace("[limits]", f"aliases = {list(aliases)}\n[limits]", 1)
    return write_task(root, files).rename(root / "area" / folder)


def test_a_task_is_found_by_its_aliases(tmp_path: Path) -> None:
    with_aliases(tmp_path, "older", "oldest")

    task = find_task("oldest", tmp_path)

    assert (task.id, task.aliases) == ("tiny", ("older", "oldest"))
    assert load_tasks(tmp_path) == (task,)
    names = task_names(tmp_path)
    assert names == names_of([task])
    assert names.current == {"older": "tiny", "oldest": "tiny"}
    assert [names.title_of(name) for name in ("tiny", "older", "not_there")] == [
        "Scaled mean",
        "Scaled mean",
        "not there",
    ]
    with pytest.raises(UnknownTask, match="did you mean tiny"):
        find_task("tinny", tmp_path)


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        (("shared",), ("shared",), "other/task.toml: aliases: 'shared' is already used by the task a_task; remove it"),
        (("other",), (), "a_task/task.toml: aliases: 'other' is already used by the task other"),
        (("a_task",), (), "task.toml:13: aliases: 'a_task' is the task's own id"),
        (("Old-Id",), (), "task.toml:13: aliases: expected a snake_case id, got 'Old-Id'"),
    ],
)
def test_an_alias_names_one_task(tmp_path: Path, first: tuple[str, ...], second: tuple[str, ...], says: str) -> None:
    with_aliases(tmp_path, *first, folder="a_task")
    with_aliases(tmp_path, *second, folder="other")

    with pytest.raises(TaskError, match=re.escape(says)):
        load_tasks(tmp_path)
    with pytest.raises(TaskError, match=re.escape(says)):
        task_names(tmp_path)
