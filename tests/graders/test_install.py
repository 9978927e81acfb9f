"""torch is installed while the app is in use: progress is shown, grading waits, and an error is not hidden."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from graders import install
from graders.client import GraderClient
from graders.errors import Cancelled, TorchMissing
from graders.install import Installation, installation
from graders.verdict import Report
from interviewer.cli.grade import tell_installation
from interviewer.cli.plain.interview import PlainFrontend
from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.session.state import Awaiting
from interviewer.tui.app import InterviewerApp
from interviewer.tui.widgets.status import state_text
from tests.fakes import FakeGrader, RecordingFrontend, make_interview
from tests.session.build import report
from tests.tui.conftest import shown_text, wait_for

# The size of torch's file is the largest; the file after it must not turn the progress back.
INSTALLER = """
import pathlib, sys, time
print("Collecting torch")
print("Progress 400 of 1000")
print("Progress 90 of 90", flush=True)
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
print("ERROR: No matching distribution found for torch")
print()
sys.exit(int(sys.argv[2]))
"""


@pytest.fixture(autouse=True)
def status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "torch-install.json"
    monkeypatch.setattr(install, "STATUS", path)
    return path


def wait_until(is_true: Callable[[], bool]) -> None:
    for _ in range(3000):
        if is_true():
            return
        time.sleep(0.01)
    raise AssertionError("waited for 30 s")


def run_installer(tmp_path: Path, exit_code: int) -> None:
    """Run an installer that downloads 40% and continues when it is told to."""
    go = tmp_path / "go"
    command = [sys.executable, "-c", INSTALLER, str(go), str(exit_code)]
    thread = threading.Thread(target=install.install, args=[command])
    thread.start()
    wait_until(lambda: (now := installation()) is not None and now.percent is not None)
    assert (now := installation())
    assert now.text == "PyTorch is still being installed (40 %)"
    assert state_text(Awaiting.SUBMISSION, "installing", 0.0, is_sending_next=False) == f"{now.text} · esc: cancel"
    assert install.is_missing()
    go.touch()
    thread.join(30)


# What uv 0.13 writes to a terminal, shortened: it redraws its bars, and says nothing while it unpacks.
UV = r"""
import sys, time
def draw(text):
    sys.stderr.write(text)
    sys.stderr.flush()
    time.sleep(0.3)
if not sys.stderr.isatty():
    sys.exit("uv shows no progress without a terminal")
draw("\x1b[2mUsing Python 3.11.7\x1b[0m\r\n\x1b[37m-\x1b[0m \x1b[2mResolving dependencies...\x1b[0m\r\x1b[2K")
draw("Preparing packages... (0/9)\n")
draw("\x1b[2mtorch     \x1b[0m \x1b[32m---\x1b[30m------\x1b[0m 44.00 MiB/176.00 MiB  \x1b[1A\r\x1b[2K")
draw("\x1b[2mtorch     \x1b[0m ---- 88.00 MiB/176.00 MiB\r\n")
draw("\x1b[2msympy     \x1b[0m --- 6.00 MiB/6.01 MiB\x1b[1A\r\x1b[2K")
draw("\x1b[2mtorch     \x1b[0m ---- 176.00 MiB/176.00 MiB\x1b[1A\r\x1b[2K")
draw("Prepared 9 packages in 9s\r\n")
sys.exit(int(sys.argv[1]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("exit_code", [0, 1])
def test_uv_reports_its_progress_because_it_gets_a_terminal(exit_code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[Installation] = []
    monkeypatch.setattr(install, "_save", saved.append)
    assert install.install([sys.executable, "-c", UV, str(exit_code)]) == exit_code
    assert [now.percent for now in saved[:4]] == [None, 25, 50, None]
    # While torch is unpacked, no percentage is known, and none is invented.
    texts = [now.text for now in saved[:4]]
    assert texts[1:3] == [f"PyTorch is still being installed ({percent} %)" for percent in (25, 50)]
    assert re.fullmatch(r"PyTorch is still being installed \(\d+ s so far\)", texts[3])
    assert [now.error for now in saved[4:]] == ["Prepared 9 packages in 9s"] * exit_code


def test_without_a_percentage_the_time_is_told() -> None:
    began_at = time.time() - 125
    assert Installation(1, began_at=began_at).text == "PyTorch is still being installed (2 min so far)"
    assert Installation(1, 40, began_at=began_at).text == "PyTorch is still being installed (40 %)"
    assert Installation(1).text == "PyTorch is still being installed"


async def test_the_home_screen_shows_the_progress_and_then_nothing(status: Path) -> None:
    context = AppContext(Settings(), find_folders(), environ={})
    install._save(Installation(os.getpid(), 40))
    app = InterviewerApp(context, None)
    async with app.run_test(size=(80, 24)) as pilot:
        told = "PyTorch is still being installed (40 %). Your code is graded after that."
        await wait_for(pilot, lambda: told in shown_text(app), "the progress")
        await wait_for(pilot, lambda: "All other checks passed." in shown_text(app), "the other checks")
        install._save(Installation(os.getpid(), 41))
        await wait_for(pilot, lambda: "(41 %)" in shown_text(app), "the next percent")
        status.unlink()
        await wait_for(pilot, lambda: "PyTorch" not in shown_text(app), "the end")
        assert "All checks passed." in shown_text(app)
    context.close()


@pytest.mark.usefixtures("without_torch")
def test_the_home_screen_says_why_an_installation_failed() -> None:
    install._save(Installation(os.getpid(), error="No space left on device"))
    told = AppContext(Settings(), find_folders(), environ={}).installation_line()
    assert told == "PyTorch could not be installed: No space left on device. Doctor shows how to fix it."


def test_a_command_and_plain_mode_say_what_a_grade_waits_for(capsys: pytest.CaptureFixture[str]) -> None:
    install._save(Installation(os.getpid(), 40))
    tell_installation()
    out, err = capsys.readouterr()
    assert (out, err) == ("", "PyTorch is still being installed (40 %). Your code is graded after that.\n")
    plain = io.StringIO()
    PlainFrontend(plain, plain).show_busy("installing")
    assert plain.getvalue() == "\n(PyTorch is still being installed (40 %); your code is graded after that …)\n"


def test_the_progress_is_told_until_the_installer_ends(tmp_path: Path, status: Path) -> None:
    run_installer(tmp_path, 0)
    assert installation() is None
    assert list(tmp_path.glob("torch-install*")) == []
    assert not install.is_missing()


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graders.install.find_spec", lambda name: None)


@pytest.mark.usefixtures("without_torch")
def test_a_failed_installation_says_why_and_a_grade_says_it_too(tmp_path: Path) -> None:
    run_installer(tmp_path, 1)
    with pytest.raises(TorchMissing, match="PyTorch is not installed: ERROR: No matching distribution") as found:
        GraderClient().grade("gae", "")
    assert "pip install torch" in found.value.fix


def test_torch_that_was_installed_by_hand_after_a_failure_is_used() -> None:
    install._save(Installation(os.getpid(), error="no network"))
    assert installation() is None
    thread, kinds = grade_in_thread(Answering())
    thread.join(30)
    assert kinds == ["Acted"]


def test_an_installer_that_ends_between_two_looks_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([Installation(1, 99)])
    for module in ("client", "install"):
        monkeypatch.setattr(f"graders.{module}.installation", lambda: next(looks, None))
    monkeypatch.setattr("graders.client.POLL_SECONDS", 0.01)
    thread, kinds = grade_in_thread(Answering())
    thread.join(30)
    assert kinds == ["Acted"]


@pytest.mark.usefixtures("without_torch")
def test_an_installer_that_was_killed_is_no_installer(status: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    status.write_text(json.dumps({"pid": int(ended.stdout), "percent": 12, "error": ""}))
    assert (now := installation())
    assert now.error == "the installer was stopped"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1, "nobody": 2}'])
def test_a_broken_status_file_is_no_installation(status: Path, text: str) -> None:
    status.write_text(text)
    assert installation() is None


def test_a_second_installer_is_not_started(status: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    monkeypatch.setattr("graders.install.subprocess.Popen", lambda command, **_: started.append(command))
    install.main(["pip", "install", "torch"])
    assert started == [], "torch is there"
    install._save(Installation(os.getpid()))
    install.main(["pip", "install", "torch"])
    assert started == [], "it is being installed"
    install._save(Installation(os.getpid(), error="no network"))
    monkeypatch.setattr("graders.install.find_spec", lambda name: None)
    install.main(["pip", "install", "torch"])
    assert [command[1:] for command in started] == [["-m", "graders.install", "--now", "pip", "install", "torch"]]


class Answering(GraderClient):
    """Record each request instead of sending it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[dict[str, Any]] = []

    def _start_child(self) -> None:
        self.asked.append({"start": True})

    def _write(self, message: Mapping[str, Any]) -> None:
        """Send nothing."""

    def _ask(self, request: dict[str, Any], cancelled: threading.Event) -> dict[str, Any]:
        self.asked.append(request)
        return {"error": {"message": "acted", "fix": "none", "kind": "Acted"}}


def grade_in_thread(client: GraderClient) -> tuple[threading.Thread, list[str]]:
    kinds: list[str] = []

    def grade() -> None:
        try:
            client.grade("gae", "x = 1")
        except Exception as error:
            kinds.append(getattr(error, "kind", repr(error)))

    thread = threading.Thread(target=grade)
    thread.start()
    return thread, kinds


def test_a_grade_waits_for_torch_and_then_runs(status: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graders.client.POLL_SECONDS", 0.01)
    looks = itertools.count()
    monkeypatch.setattr("graders.client.installation", lambda: (next(looks), installation())[1])
    install._save(Installation(os.getpid(), 40))
    client = Answering()
    client.start(warm="docker")
    thread, kinds = grade_in_thread(client)
    wait_until(lambda: next(looks) > 4)
    assert client.asked == [], "no worker is started before torch is there"
    status.unlink()
    thread.join(30)
    assert kinds == ["Acted"]
    assert client.asked[0] == {"start": True}


def test_a_waiting_grade_can_be_cancelled() -> None:
    install._save(Installation(os.getpid(), 40))
    client = Answering()
    thread, kinds = grade_in_thread(client)
    wait_until(client._turn.locked)
    while thread.is_alive():
        client.cancel()
        thread.join(0.05)
    assert kinds == [Cancelled.__name__]
    assert client.asked == []


def test_the_clock_stops_while_a_grade_waits_for_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grader = FakeGrader(report())
    interview, front = make_interview(tmp_path, ("task", "ppo_clip_loss"), grader=grader), RecordingFrontend()
    interview.run_until_input(front)
    now = 5000.0
    monkeypatch.setattr(interview, "_clock", lambda: now)
    left = interview.seconds_left

    def grade(task: str, source: str) -> Report:
        nonlocal now
        now += 90
        return report()

    monkeypatch.setattr(grader, "grade", grade)
    install._save(Installation(os.getpid(), 40))
    interview.submit("def f(): ...")
    interview.run_until_input(front)
    assert interview.seconds_left == pytest.approx(left, abs=2)
    assert "installing" in front.busy
    assert "grading" not in front.busy
