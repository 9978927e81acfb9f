"""Decides which tests run here: Docker and GPU tests are skipped with a reason, or required by the environment."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import recorded

if TYPE_CHECKING:
    from interviewer.session.question import Question
    from tasks.task import Task
    from tests.chat.fake_server import FakeServer

    Parsed = tuple[Question | None, list[str]]

REQUIRED = {name.strip() for name in os.environ.get("INTERVIEWER_REQUIRE", "").split(",") if name.strip()}
# On a busy machine, a sandbox may take two minutes to start, and a test may start several.
DOCKER_SECONDS = 300
_KEYS = ("_API_KEY", "INTERVIEWER_")


@cache
def why_no_docker() -> str:
    """Return why Docker tests cannot run here, or "" if they can."""
    from sandbox.docker.cleanup import status
    from sandbox.docker.image import image_tag
    from sandbox.job import SandboxError

    try:
        now = status()
    except SandboxError as error:
        return error.message
    return "" if now.has_image else f"the image {image_tag()} is not built: make image"


@cache
def why_no_cuda() -> str:
    """Return why GPU tests cannot run here, or "" if they can."""
    import torch

    return "" if torch.cuda.is_available() else "torch sees no GPU"


def pytest_configure(config: pytest.Config) -> None:
    # If a shell started this job in the background, SIGINT is ignored, including in the processes that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if recorded.MODE == "write" and not hasattr(config, "workerinput"):
        config.pluginmanager.register(recorded.Recorder())


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give tests that start containers more time than others, unless they set their own limit."""
    if item.get_closest_marker("docker") and not item.get_closest_marker("timeout"):
        item.add_marker(pytest.mark.timeout(DOCKER_SECONDS))


def pytest_collection_finish() -> None:
    """Exclude long-lived objects (torch, the tests, the content) from garbage collection, and collect less often.

    An app's widgets are thousands of young objects in cycles: by default, the collector takes a fifth of a test's time.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)


def pytest_collection() -> None:
    """Parse each shipped question and task once per process, because hundreds of tests load all of them.

    The first load is real, and the content does not change while tests run.
    """
    gc.disable()
    from interviewer.bank import load as bank
    from interviewer.bank.parse import parse_question
    from tasks import load as tasks

    load_task = tasks.load_task
    questions_folder, tasks_folder = bank.QUESTIONS, tasks.TASKS_FOLDER

    @cache
    def parsed(path: Path, is_proved: bool) -> Parsed:
        return parse_question(path, is_proved=is_proved)

    @cache
    def loaded(folder: Path, is_proved: bool) -> Task:
        return load_task(folder, is_proved=is_proved)

    def parse_question_once(path: Path, *, is_proved: bool = False, is_own: bool = False) -> Parsed:
        if is_own or not path.is_relative_to(questions_folder):
            return parse_question(path, is_proved=is_proved, is_own=is_own)
        question, problems = parsed(path, is_proved)
        return question, problems[:]

    def load_task_once(folder: Path, *, is_proved: bool = False) -> Task:
        if not folder.is_relative_to(tasks_folder):
            return load_task(folder, is_proved=is_proved)
        return loaded(folder, is_proved)

    patch = pytest.MonkeyPatch()
    patch.setattr(bank, "parse_question", parse_question_once)
    patch.setattr(tasks, "load_task", load_task_once)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark, why_not in (("docker", why_no_docker), ("cuda", why_no_cuda)):
        if item.get_closest_marker(mark) and (reason := why_not()):
            if mark in REQUIRED:
                pytest.fail(f"INTERVIEWER_REQUIRE contains {mark}, but {reason}", pytrace=False)
            pytest.skip(reason)
    if reason := recorded.why_skipped(item):
        pytest.skip(reason)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the developer's own keys, settings and log out of every test."""
    set_clean_environment(monkeypatch, tmp_path / "home")


def set_clean_environment(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Remove the developer's own keys and settings, and use this folder for the log."""
    for name in list(os.environ):
        if name.endswith(_KEYS[0]) or name.startswith(_KEYS[1]):
            monkeypatch.delenv(name)
    monkeypatch.setenv("INTERVIEWER_HOME", str(home))
    # Tests of the app start hundreds of processes; those of the matcher and of resident workers start their own.
    monkeypatch.setenv("INTERVIEWER_MATCHER", "off")
    monkeypatch.setenv("INTERVIEWER_KEEP_GRADER", "off")


@pytest.fixture(scope="module")
def running_server() -> Iterator[FakeServer]:
    """A server that acts as a language model for the tests of one file."""
    from tests.chat.fake_server import serving

    with serving() as running:
        yield running


@pytest.fixture
def server(running_server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    """Return the server configured as the provider whose key and address are set."""
    from tests.chat.fake_server import KEY

    running_server.forget()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", running_server.url)
    monkeypatch.delenv("OPENAI_API_BASE", raising=False)
    return running_server


@pytest.fixture
def local_server(running_server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    """Return the server at vLLM's default address; nothing listens at the other default addresses."""
    from interviewer.chat import local_servers

    running_server.forget()
    # No program listens on port 1.
    places = {"vLLM": running_server.url}
    kinds = tuple(
        (
            kind,
            prefixes,
            variables,
            usual and places.get(kind, f"http://127.0.0.1:1/{kind.lower().replace(' ', '')}"),
            key,
            name,
        )
        for kind, prefixes, variables, usual, key, name in local_servers._KINDS
    )
    monkeypatch.setattr(local_servers, "_KINDS", kinds)
    return running_server
