"""A report and an error say that ranks communicate with gloo, for exactly those tasks that have ranks."""

from __future__ import annotations

import pytest

from graders.plan import make_plan
from interviewer.config import Settings, find_folders
from interviewer.errors import BadInput
from interviewer.interview.context import AppContext
from interviewer.interview.ranks import device_text, has_ranks
from tasks.load import find_task, load_tasks


def test_a_report_names_the_device_and_the_backend_of_ranks() -> None:
    assert device_text(find_task("gae"), "cpu") == "CPU"
    assert device_text(find_task("gae"), "cuda") == "GPU"
    assert device_text(find_task("first_log_line"), "cpu") == "CPU, ranks with gloo"


def test_a_gpu_is_refused_for_ranks_with_the_reason() -> None:
    with AppContext(Settings(), find_folders(), environ={}) as context:
        with pytest.raises(BadInput, match="not cuda: the task's ranks always use gloo on the CPU"):
            context.task("first_log_line", "cuda")
        with pytest.raises(BadInput, match=r"not cuda$"):
            context.task("kv_bytes", "cuda")


@pytest.mark.content
@pytest.mark.slow
def test_the_tasks_with_ranks_are_those_whose_cases_have_several() -> None:
    for task in load_tasks():
        is_distributed = make_plan(task, 0).is_distributed
        assert has_ranks(task) == is_distributed, task.id
        assert not is_distributed or task.devices == ("cpu",), task.id
