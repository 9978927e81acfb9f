"""On a GPU, every right program passes and every mistake is identified, in the process sandbox."""

from __future__ import annotations

import pytest

from tests.graders.gpu_table import Row, row
from tests.graders.test_acted_gpu import TASKS


@pytest.mark.cuda
@pytest.mark.timeout(600)
@pytest.mark.parametrize("task_id", [task.id for task in TASKS])
def test_right_programs_pass_and_mistakes_are_named_on_the_gpu(task_id: str) -> None:
    line = row(task_id, "cuda")
    assert (line.refused, line.missed) == ((), ())


def test_the_table_tells_what_went_wrong() -> None:
    odd = Row("gae", 4, ("looped raised in literal: no",), 9, ("a not named",), 12.3)
    assert str(odd) == "| gae | 3 of 4 | 8 of 9 | looped raised in literal: no; a not named | 12 |"
    assert str(Row("gae", 4, (), 9, (), 12.3)) == "| gae | 4 of 4 | 9 of 9 | none | 12 |"
