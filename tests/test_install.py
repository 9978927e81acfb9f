"""What pip, pipx or uv would install contains all content, asks and grades, and opens no connections unasked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tasks.load import find_task
from tests.terminal import Terminal

ROOT = Path(__file__).parent.parent
PACKAGES = ("interviewer", "tasks", "graders", "sandbox")
# Runs in the process before any of our code; each line names a place it wrote to or tried to reach over a network.
WITNESS = """
import atexit, os, sys
noted = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
del sys.argv[1]
changing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
def note(kind, what):
    os.write(noted, f"{kind} {what}\\n".encode())
def witness(event, args):
    if event == "open" and isinstance(args[0], (str, bytes)) and (args[2] or 0) & changing:
        note("wrote", os.path.abspath(os.fsdecode(args[0])))
    elif event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate"):
        note("wrote", os.path.abspath(os.fsdecode(args[0])))
    elif event == "sqlite3.connect":
        note("wrote", os.path.abspath(os.fsdecode(args[0])))
    elif event == "socket.connect" and not isinstance(args[1], (str, bytes)):
        note("connected", args[1])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        note("asked", args[0])
sys.addaudithook(witness)
from interviewer.cli.main import main
main()
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the contents of the wheel, as an installer lays them out."""
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(words, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def installed(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the installed app from a folder that is not a checkout."""
    environment = {**os.environ, "PYTHONPATH": str(site), "INTERVIEWER_HOME": str(folder / "home")}
    command = [sys.executable, "-m", "interviewer", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.expectation(number=1)
@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_packages(site: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [name for name in tracked.stdout.splitlines() if not (site / name).exists()] == []


@pytest.mark.expectation(number=1)
@pytest.mark.slow
def test_the_installed_app_lists_and_grades_without_the_checkout(site: Path, tmp_path: Path) -> None:
    questions = json.loads(installed(site, tmp_path, "questions", "--json").stdout)["questions"]
    assert len(questions) == len(list((ROOT / "interviewer/bank/questions").glob("*/*.toml")))
    (tmp_path / "gae.py").write_text(find_task("gae").reference, encoding="utf-8")
    graded = installed(site, tmp_path, "grade", "gae", "gae.py", "--sandbox", "process", "--json")
    assert json.loads(graded.stdout)["verdict"] == "passed", graded
    assert str(ROOT) not in graded.stdout + graded.stderr


@pytest.mark.terminal
@pytest.mark.expectation(number=2)
@pytest.mark.expectation(number=5)
@pytest.mark.expectation(number=6)
@pytest.mark.slow
def test_a_first_interview_stands_within_a_minute_writes_only_at_home_and_asks_no_network(tmp_path: Path) -> None:
    home, noted = tmp_path / "home", tmp_path / "noted"
    kept = {name: value for name, value in os.environ.items() if not name.endswith(("_KEY", "_TOKEN"))}
    environment = {**kept, "INTERVIEWER_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(tmp_path)}
    terminal = Terminal((sys.executable, "-c", WITNESS, str(noted)), environment)
    terminal.until("Mock")
    for key, sign in (("m", "20 minutes"), ("\r", "Your answer")):
        terminal.press(key)
        terminal.until(sign)
    terminal.press("The ratio is clipped.\r")
    terminal.rest(1)
    terminal.quit("\x11")
    lines = noted.read_text(encoding="utf-8").splitlines()
    wrote = {line.removeprefix("wrote ") for line in lines if line.startswith("wrote ")}
    assert any(path.startswith(str(home / "data" / "log.db")) for path in wrote)
    assert [path for path in wrote if not path.startswith((str(tmp_path), "/dev/"))] == []
    assert [line for line in lines if not line.startswith("wrote ")] == []
