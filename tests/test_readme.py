"""The README and the pages under docs/ name content, commands and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interviewer.bank.load import load_questions
from interviewer.cli.content import task_markdown
from interviewer.cli.group import cli
from tasks.load import load_tasks
from tests.recorded import Subject

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TASKS = ROOT / "docs" / "tasks.md"


def _table(_: object) -> Subject:
    """Return everything that the table of tasks is made from, titles included."""
    return Subject(
        "", (TASKS, *(path for path in (ROOT / "tasks").rglob("*") if path.suffix in (".md", ".py", ".toml")))
    )


@pytest.mark.recorded(subject_of=_table)
@pytest.mark.slow
@pytest.mark.expectation(number=73)
def test_the_task_table_is_the_generated_one() -> None:
    """If it is out of date, run interviewer tasks --markdown, and paste the output between the two comments."""
    page = TASKS.read_text(encoding="utf-8")
    between = page.split("by `interviewer tasks --markdown` -->")[1].split("<!-- end of tasks -->")[0]
    assert between.strip() == task_markdown(load_tasks())


def test_the_readme_counts_what_there_is() -> None:
    readme, tasks = PAGES[0].read_text(encoding="utf-8"), load_tasks()
    assert f"{len(tasks)} tasks:" in readme
    assert f"{sum(len(task.mistakes) for task in tasks):,}" in readme
    assert f"{len(load_questions())} questions," in readme


@pytest.mark.expectation(number=10)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_named_is_there(page: Path) -> None:
    assert set(re.findall(r"bin/interviewer ([\w-]+)", page.read_text(encoding="utf-8"))) <= set(cli.commands)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_points_at_a_file(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [target for target in targets if not target.startswith("http")]
    assert [target for target in local if not (page.parent / target).exists()] == []
