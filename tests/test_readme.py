"""What the README says of the content and the commands is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interviewer.cli.content import task_markdown
from interviewer.cli.group import cli
from tasks.load import load_tasks

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.expectation(number=73)
def test_the_task_table_is_the_generated_one() -> None:
    """Mend with: interviewer tasks --markdown, pasted between the two comments."""
    between = README.split("by `interviewer tasks --markdown` -->")[1].split("<!-- end of tasks -->")[0]
    assert between.strip() == task_markdown(load_tasks())


@pytest.mark.expectation(number=10)
def test_every_command_named_is_there() -> None:
    named = set(re.findall(r"bin/interviewer (\w+)", README))
    assert named
    assert named <= set(cli.commands)


def test_every_link_and_picture_points_at_a_file() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert [target for target in targets if not target.startswith("http") and not (ROOT / target).exists()] == []
