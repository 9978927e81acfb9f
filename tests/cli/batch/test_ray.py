"""A real Ray cluster gives one machine's verdicts, survives a killed node, and gets no secret and no submitted code."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from interviewer.errors import BadInput, InterviewerError
from sandbox.owner import is_abandoned
from tasks.load import find_task
from tests.cli.test_grade_all import folder_of, rows_of
from tests.subjects import starts

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'interviewer[cluster]'"),
]
on_a_cluster = pytest.mark.recorded(subject_of=starts("interviewer.cli.grade_all", tasks=("gae",), package="ray"))
SECRET = "sk-canary-7f3a91c2d4e5b6a7"
LOADED = "import pathlib\npathlib.Path({!r}).write_text('imported')\n"
MAIN = "from interviewer.cli.main import main; main()"


@pytest.fixture
def short_temp(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a temp folder for all programs of the test; a socket path can have at most 107 characters."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="r-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr("tempfile.tempdir", folder)
        yield Path(folder)


def submissions_in(folder: Path, count: int, slow_from: int = 99) -> dict[str, str]:
    """Write submissions and return the expected verdicts by name; the last ones take seconds."""
    task = find_task("gae")
    wrong = next(mistake.source for mistake in task.mistakes if mistake.id == "monte_carlo_targets")
    kinds = [(task.reference, "passed"), (wrong, "wrong_value"), ("raise ValueError('red')", "not_loaded")]
    chosen = {f"s{place:02}": kinds[place % len(kinds)] for place in range(count)}
    starts = ["" if place < slow_from else "import time\ntime.sleep(3)\n" for place in range(count)]
    sources = [start + source for start, (source, _) in zip(starts, chosen.values(), strict=True)]
    folder_of(folder, **{name: f"# {name}\n{source}" for name, source in zip(chosen, sources, strict=True)})
    return {f"{name}.py": verdict for name, (_, verdict) in chosen.items()}


def start(current: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a command with this folder as its current folder."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", MAIN, "grade-all", "gae", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=current,
        env={**os.environ, "OPENAI_API_KEY": SECRET},
    )


def wait_for(is_so: Callable[[], object], seconds: float = 90.0, app: subprocess.Popen[str] | None = None) -> None:
    """Wait until something is so; a command that ends meanwhile, or takes too long, says what it printed."""
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until or (app is not None and app.poll() is not None):
            said = ""
            if app is not None:
                app.terminate()
                logs = Path(tempfile.gettempdir()).rglob("ray_client_server*.err")
                said = "\n".join([*app.communicate(timeout=60), *(file.read_text()[-3000:] for file in logs)])
            pytest.fail(f"it did not happen in time\n{said}")
        time.sleep(0.05)


def count_rows(path: Path) -> int:
    return len(rows_of(path)) if path.exists() else 0


def without_times(path: Path) -> list[str]:
    """Return the lines of a CSV without the seconds."""
    return [",".join(cell for name, cell in row.items() if name != "seconds") for row in rows_of(path)]


def processes_of(temp: Path) -> dict[int, bytes]:
    """Return the environments of all processes that use this temp folder, by process id."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            environment = (folder / "environ").read_bytes()
            if f"TMPDIR={temp}".encode() in environment:
                found[int(folder.name)] = environment
    return found


def assert_no_secret(temp: Path, pid: int) -> None:
    """Fail if a Ray process has the command's key in its environment, or if a file that Ray writes contains the key."""
    processes = processes_of(temp)
    del processes[pid]
    assert any(b"raylet" in Path(f"/proc/{other}/cmdline").read_bytes() for other in processes)
    assert [other for other, environment in processes.items() if SECRET.encode() in environment] == []
    logs = [file for file in temp.rglob("*") if file.is_file()]
    assert any(file.name.startswith("raylet") for file in logs)
    assert [file for file in logs if SECRET.encode() in file.read_bytes()] == []


@pytest.mark.docker
@on_a_cluster
def test_interrupted_and_resumed_it_ends_with_the_csv_of_one_machine(tmp_path: Path, short_temp: Path) -> None:
    expected = submissions_in(tmp_path / "in", 6, slow_from=4)
    # Ray would let its workers import from the current folder, which here belongs to the candidates.
    hostile, mark = tmp_path / "hostile", tmp_path / "mark"
    folder_of(hostile, **dict.fromkeys(("torch", "docker", "graders", "sandbox", "click"), LOADED.format(str(mark))))
    path, once = tmp_path / "ray.csv", tmp_path / "once.csv"
    same = (str(tmp_path / "in"), "--sandbox", "docker")
    with start(hostile, *same, "--csv", str(path), "--on", "ray", "--seed", "5") as app:
        wait_for(lambda: count_rows(path) >= 2)
        assert_no_secret(short_temp, app.pid)
        app.send_signal(signal.SIGINT)
        out, err = app.communicate(timeout=60)
    assert app.returncode == 130, err
    assert "Stopped after" in out
    assert 2 <= count_rows(path) < 6
    assert not mark.exists()
    wait_for(lambda: processes_of(short_temp) == {}, 30)
    # A busy machine may stop a node before it has removed its folder; then the next start removes it.
    left = list(short_temp.iterdir())
    assert [file.name for file in left if not is_abandoned(file.name)] == []
    with start(hostile, *same, "--resume", str(path), "--on", "ray") as app:
        out, err = app.communicate(timeout=120)
    assert (app.returncode, err) == (1, "")
    assert "2 of 6 passed" in out
    assert [file for file in left if file.exists()] == []
    with start(hostile, *same, "--csv", str(once), "--seed", "5") as app:
        app.communicate(timeout=120)
    assert without_times(path) == without_times(once)
    assert {row["name"]: row["verdict"] for row in rows_of(path)} == expected
    assert not mark.exists()


def free_port() -> int:
    """Return a free port that no program gets by chance: Ray's own servers take theirs from above 32,767."""
    for port in random.sample(range(21_000, 30_000), 50):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    pytest.fail("no free port")


@pytest.fixture
def two_nodes(short_temp: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Start a Ray cluster of two nodes with a core each, and return its address."""
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    port = free_port()
    head = {"num_cpus": 1, "ray_client_server_port": port, "include_dashboard": False}
    cluster = import_module("ray.cluster_utils").Cluster(initialize_head=True, head_node_args=head)
    try:
        cluster.add_node(num_cpus=1)
        yield f"ray://127.0.0.1:{port}"
    finally:
        cluster.shutdown()


def graders_running() -> list[int]:
    """Return the process ids of the actors."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (folder / "cmdline").read_bytes().startswith(b"ray::NodeGrader"):
                found.append(int(folder.name))
    return found


@on_a_cluster
def test_a_killed_node_loses_nothing(tmp_path: Path, short_temp: Path, two_nodes: str) -> None:
    expected = submissions_in(tmp_path / "in", 9)
    path = tmp_path / "out.csv"
    arguments = (str(tmp_path / "in"), "--sandbox", "process", "--csv", str(path), "--on", two_nodes)
    with start(tmp_path, *arguments) as app:
        wait_for(lambda: count_rows(path) >= 1, app=app)
        first = graders_running()[0]
        # While it is stopped, the first node cannot grade everything before the other node has started.
        os.kill(first, signal.SIGSTOP)
        wait_for(lambda: len(graders_running()) == 2)
        assert_no_secret(short_temp, app.pid)
        os.kill(first, signal.SIGKILL)
        out, err = app.communicate(timeout=200)
    assert app.returncode == 1, err
    assert err.count("Lost: node") == 1
    assert "3 of 9 passed" in out
    assert {row["name"]: row["verdict"] for row in rows_of(path)} == expected
    assert len(rows_of(path)) == 9


def test_an_address_without_a_cluster_is_bad_input(tmp_path: Path) -> None:
    submissions_in(tmp_path / "in", 1)
    with start(tmp_path, str(tmp_path / "in"), "--on", "ray://127.0.0.1:1") as app:
        _, err = app.communicate(timeout=120)
    assert app.returncode == 2
    assert "ray://127.0.0.1:1: " in err
    assert "ray start --head" in err


@pytest.mark.parametrize(
    ("message", "failures", "tries"),
    [
        ("Starting Ray client server failed. See x.err", 2, 3),
        ("Starting Ray client server failed.", 9, 4),
        # The process had ended before Ray read its command line.
        ('  File "proxier.py", line 396, in start_specific_server\n    cmd = x\npsutil.ZombieProcess: zombie', 2, 3),
        ("no", 9, 1),
    ],
)
def test_a_client_server_that_does_not_start_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, message: str, failures: int, tries: int
) -> None:
    ray_cluster = import_module("interviewer.cli.batch.ray_cluster")
    calls = []

    def init(address: str) -> None:
        calls.append(address)
        if len(calls) <= failures:
            raise RuntimeError(message)

    monkeypatch.setattr(ray_cluster.ray, "init", init)
    monkeypatch.setattr(ray_cluster.time, "sleep", lambda _: None)
    monkeypatch.setattr(ray_cluster.socket, "create_connection", lambda *_: socket.socket())
    with pytest.raises(BadInput, match=message) if failures > tries else nullcontext():
        ray_cluster._connect("ray://here:1", {})
    assert len(calls) == tries


@pytest.mark.parametrize(("module", "name"), [("builtins", "ConnectionError"), ("grpc", "RpcError")])
def test_a_lost_head_ends_the_batch_with_the_results_so_far(
    monkeypatch: pytest.MonkeyPatch, module: str, name: str
) -> None:
    ray_cluster = import_module("interviewer.cli.batch.ray_cluster")
    error = getattr(import_module(module), name)('<_InactiveRpcError:\n\tdetails = "the head is gone"\n>')

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(ray_cluster.ray, "put", lambda _: None)
    monkeypatch.setattr(ray_cluster.ray, "remote", lambda _: None)
    for function in ("nodes", "wait", "get", "kill"):
        monkeypatch.setattr(ray_cluster.ray, function, fail)
    nodes = ray_cluster.RayNodes(None, None, 1)
    lost = SimpleNamespace(remote=fail)
    nodes._actors["a"] = SimpleNamespace(check=lost, grade=lost, close=lost)
    for call in (
        nodes.available,
        lambda: nodes.check("a"),
        lambda: nodes.grade("a", ""),
        lambda: nodes.wait([1], 0.0),
        lambda: nodes.answer(1),
    ):
        with pytest.raises(InterviewerError, match="lost: the head is gone") as told:
            call()
        # With this kind, the command shows the results so far, unless the input was bad.
        assert (told.value.kind, isinstance(told.value, BadInput)) == ("cluster", False)
    nodes.close()
    assert nodes._actors == {}
