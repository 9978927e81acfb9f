"""The doctor is quick even if a server is silent, shows no key, and lists the models of the user's own server."""

from __future__ import annotations

import itertools
import shutil
import socketserver
import threading
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interviewer.chat.local_servers import Server, ServerSilent, servers
from interviewer.cli import doctor
from interviewer.cli.doctor import BackgroundCheck, Check, run_checks
from interviewer.cli.group import run
from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest
from interviewer.tui.terminal import clipboard_commands
from sandbox.docker.cleanup import Status
from sandbox.docker.gpu import Gpu
from sandbox.job import EngineMissing
from sandbox.process.levels import FORGERY_AS_ROOT, Level
from tests.chat.fake_server import FakeServer
from tests.fakes import RecordingFrontend
from tests.interview.test_spend_cap import Priced

KEY = "sk-test-abcdefghijklmnop"
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def server(running_server: FakeServer) -> FakeServer:
    running_server.forget()
    return running_server


class SilentServer(socketserver.ThreadingTCPServer):
    """Accepts data, never replies, and records the number of clients that waited at the same time."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Silence)
        self.address = f"127.0.0.1:{self.server_address[1]}"
        self.lock = threading.Lock()
        self.waiting = self.most_waiting = 0


class Silence(socketserver.StreamRequestHandler):
    """Read until the client disconnects."""

    server: SilentServer

    def handle(self) -> None:
        with self.server.lock:
            self.server.waiting += 1
            self.server.most_waiting = max(self.server.most_waiting, self.server.waiting)
        self.rfile.read()
        with self.server.lock:
            self.server.waiting -= 1


@pytest.fixture
def silent() -> Iterator[SilentServer]:
    with SilentServer() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def a_kit(model: str = "", **settings: object) -> AppContext:
    context = AppContext(Settings(model=model, **settings), find_folders(), environ={})  # type: ignore[arg-type]
    context.questions = ()
    context.full_tasks = ()
    return context


def found(environ: dict[str, str], model: str = "", **settings: object) -> dict[str, Check]:
    with a_kit(model, **settings) as context:
        return {check.name: check for check in run_checks(context, environ)}


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip torch, which is slow no matter how fast the rest is."""
    monkeypatch.setattr(doctor, "_torch", list)


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(servers, "__defaults__", (lambda name: None,))


@pytest.mark.expectation(number=50)
@pytest.mark.parametrize(
    ("variable", "path", "prefix", "name"),
    [
        ("OLLAMA_API_BASE", "", "ollama_chat/", "ollama"),
        ("HOSTED_VLLM_API_BASE", "/v1", "hosted_vllm/", "vLLM"),
        ("LM_STUDIO_API_BASE", "/v1", "lm_studio/", "LM Studio"),
        ("LLAMAFILE_API_BASE", "/v1", "llamafile/", "llama.cpp"),
        ("OPENAI_BASE_URL", "/v1", "openai/", "OpenAI-like server"),
        ("OPENAI_API_BASE", "/v1", "openai/", "OpenAI-like server"),
    ],
)
def test_the_models_of_a_server_are_listed_with_the_name_that_chooses_one(
    server: FakeServer, no_torch: None, nothing_installed: None, variable: str, path: str, prefix: str, name: str
) -> None:
    url = server.url.removesuffix("/v1") + path
    check = found({variable: url})[f"model server {name}"]
    assert check.is_ok
    assert check.detail == f"{url} offers small, large; set INTERVIEWER_MODEL={prefix}small to use the first model"
    chosen = found({variable: url}, f"{prefix}large")[f"model server {name}"]
    assert chosen.is_ok
    assert chosen.detail.endswith(f"{prefix}large is selected")
    lacking = found({variable: url}, f"{prefix}huge")[f"model server {name}"]
    assert not lacking.is_ok
    assert lacking.detail.endswith("but not the selected model huge")
    assert lacking.fix == f"Set INTERVIEWER_MODEL={prefix}small, or download huge."


def test_a_long_list_is_cut_and_ollamas_own_variable_is_enough(
    server: FakeServer, no_torch: None, nothing_installed: None
) -> None:
    server.offers = [f"m{number}" for number in range(11)]
    place = server.url.removesuffix("/v1")
    check = found({"OLLAMA_HOST": place.removeprefix("http://")})["model server ollama"]
    assert "m6, m7 and 3 more; " in check.detail
    assert check.detail.endswith("set INTERVIEWER_MODEL=ollama_chat/m0 to use the first model")


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("a page", "not a list of models"),
        ("no stream", "not a list of models"),
        ("500", "it answered 500"),
        ("stall first", "it did not respond in time"),
        ("elsewhere", "it answered 302"),
    ],
)
def test_a_server_that_gives_no_list_is_named_with_the_reason(server: FakeServer, mode: str, says: str) -> None:
    server.always = mode
    one = Server("vLLM", "hosted_vllm/", server.url, KEY, "HOSTED_VLLM_API_BASE", True)
    with pytest.raises(ServerSilent, match=says):
        one.models(0.3)
    # The key was sent there and nowhere else.
    assert server.keys_seen == [f"Bearer {KEY}"]


def test_only_what_is_named_chosen_or_installed_is_called() -> None:
    def kinds(environ: dict[str, str], model: str = "", installed: str = "") -> list[tuple[str, bool]]:
        there = servers(environ, model, lambda name: name if name == installed else None)
        return [(device.kind, device.is_wanted) for device in there]

    assert kinds({}) == []
    assert kinds({"OPENAI_API_KEY": KEY}, "openai/gpt-x") == []
    assert kinds({}, "hosted_vllm/x") == [("vLLM", True)]
    assert kinds({}, "ollama/x") == [("ollama", True)]
    assert kinds({}, installed="ollama") == [("ollama", False)]
    assert kinds({"LM_STUDIO_API_BASE": "http://h:1/v1"}, "ollama_chat/x") == [("ollama", True), ("LM Studio", True)]


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("box:4000", "http://box:4000"),
        ("http://box", "http://box"),
        ("https://me:secret@box:1/x?key=1", "https://box:1/x"),
    ],
)
def test_where_ollama_is(given: str, url: str) -> None:
    (one,) = servers({"OLLAMA_HOST": given}, "", lambda name: None)
    assert one.address == url


@pytest.mark.slow
@pytest.mark.expectation(number=71)
def test_all_are_asked_at_the_same_time(silent: SilentServer, no_torch: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"tcp://{silent.address}")
    url = f"http://{silent.address}/v1"
    environ = {
        "OPENAI_BASE_URL": url,
        "OLLAMA_HOST": silent.address,
        "LM_STUDIO_API_BASE": url,
        "HOSTED_VLLM_API_BASE": url,
    }
    with a_kit("openai/mine") as context:
        checks = {check.name: check for check in run_checks(context, environ)}
    # In sequence, this would take that many times as long.
    assert silent.most_waiting == 5
    assert checks["sandbox"].detail == "no answer within 2.2 s"
    assert "--sandbox process" in checks["sandbox"].fix
    for name in ("ollama", "vLLM", "LM Studio", "OpenAI-like server"):
        assert "did not return a list of models: it did not respond in time" in checks[f"model server {name}"].detail
        assert not checks[f"model server {name}"].is_ok


@pytest.mark.expectation(number=53)
def test_no_secret_is_in_what_may_be_pasted(
    server: FakeServer, no_torch: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.offers = [f"model-{KEY}", "\x1b]0;title\x07"]
    place = server.url.removeprefix("http://")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://me:hidden-words@{place}?token=hidden-too")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for arguments in (["doctor"], ["doctor", "--json"]):
        assert run(arguments) == 0
        out, err = capsys.readouterr()
        assert "model server OpenAI-like server" in out
        for secret in (KEY, "hidden", "\x1b", "\\u001b"):
            assert secret not in out + err


def test_a_look_that_fails_is_a_finding() -> None:
    def broken() -> list[Check]:
        raise RuntimeError("no luck")

    assert BackgroundCheck("x", 5, broken, "Try again.").result() == [
        Check("x", False, "check failed: RuntimeError: no luck", "Try again.")
    ]


ENVIRONMENTS = [
    dict.fromkeys(names, "1")
    for count in range(4)
    for names in itertools.combinations(("SSH_TTY", "SSH_CONNECTION", "WAYLAND_DISPLAY", "DISPLAY", "TMUX"), count)
]


@pytest.mark.expectation(number=71)
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_the_clipboard_is_the_one_that_copying_takes(platform: str) -> None:
    for environ in ENVIRONMENTS:
        said = doctor.clipboard(environ, lambda name: name, platform).detail
        commands = clipboard_commands(environ, platform)
        assert said == f"by {commands[0][0]}" if commands else said.startswith("through the terminal, if it"), environ
    absent = doctor.clipboard({"DISPLAY": ":0"}, lambda name: None, "linux")
    assert absent.detail.endswith("no desktop clipboard tool found; install xclip if copying does not work")


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "16 million colors"),
        ({"TERM": "xterm-256color"}, "256 colors"),
        ({"TERM": "linux"}, "16 colors"),
        ({"TERM": "dumb"}, "no colors"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "no colors (NO_COLOR is set)"),
    ],
)
def test_the_colours_of_a_terminal(environ: dict[str, str], says: str) -> None:
    assert doctor.colours(environ) == says


def test_the_letters_of_a_terminal() -> None:
    assert "(ASCII only, because of the locale)" in doctor.terminal({"LC_ALL": "C"}).detail
    assert "(UTF-8)" in doctor.terminal({"LANG": "en_GB.UTF-8"}).detail


@pytest.mark.expectation(number=71)
def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**12, 0, 3 * 2**30))
    assert doctor.disk(tmp_path / "not/there/yet").is_ok
    assert doctor.docker_disk("/var", has_image=True).is_ok
    lacking = doctor.docker_disk("/var", has_image=False)
    assert not lacking.is_ok
    assert lacking.detail == "3.0 GiB free in /var, 4.0 GiB needed to build the sandbox image"
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**12, 0, 50 * 2**20))
    assert not doctor.disk(tmp_path).is_ok
    assert "50 MiB free" in doctor.disk(tmp_path).detail


def test_an_engine_whose_files_lie_elsewhere(tmp_path: Path) -> None:
    check = doctor.docker_disk(str(tmp_path / "none"), has_image=False)
    assert check.is_ok
    assert "is on a different machine, where 4.0 GiB must be free" in check.detail


def test_the_plain_process_sandbox_of_root_says_what_root_can_forge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "best_level", lambda python: Level.PLAIN)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with a_kit(sandbox="process") as context:
        (check,) = doctor._engine(context)
    assert check.detail.endswith(FORGERY_AS_ROOT)


@pytest.mark.expectation(number=71)
def test_a_log_that_cannot_be_kept_is_exit_code_3_and_a_missing_engine_is_not(
    no_torch: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere.sock")
    assert run(["doctor"]) == 0
    assert "no  sandbox: " in capsys.readouterr().out
    folder = find_folders().data
    shutil.rmtree(folder)
    folder.write_text("a file where the folder should be")
    for arguments in (["doctor"], ["doctor", "--json"]):
        assert run(arguments) == 3
        assert "practice log" in capsys.readouterr().out


def test_what_the_month_has_cost_is_told(no_torch: None, tmp_path: Path) -> None:

    script = tmp_path / "script.json"
    script.write_text("{}")
    with AppContext(Settings(model=f"scripted/{script}"), find_folders(), environ={}) as context:
        context.model = Priced()
        request = PlanRequest(20, questions=("ppo_clipping",))
        new_interview(context, request, seed=1).run_until_input(RecordingFrontend())
        checks = {check.name: check for check in run_checks(context, {})}
    assert checks["model"].detail.endswith("; 0.10 of 20 USD used this month")


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Simulate a machine with a GPU, whose toolkit and engine a test can change."""
    machine: dict[str, Any] = {"version": (1, 17, 8), "info": {"Runtimes": {"nvidia": {}}}, "has_image": True}

    @contextmanager
    def engine() -> Iterator[Any]:
        if machine["info"] is None:
            raise EngineMissing("no answer", "Start Docker.")
        yield SimpleNamespace(info=lambda: machine["info"])

    monkeypatch.setattr(doctor, "find_gpus", lambda: [Gpu(0, "GPU-1", "H200", 10, 140_000)])
    monkeypatch.setattr(doctor, "toolkit_version", lambda: machine["version"])
    monkeypatch.setattr(doctor, "connect", engine)
    monkeypatch.setattr(doctor, "status", lambda image: Status("28", image, machine["has_image"], ()))
    monkeypatch.setattr(metadata, "version", lambda name: "2.13.0")
    return machine


def test_a_machine_without_a_supported_gpu_grades_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_gpus", list)
    (without,) = doctor.gpu_checks(a_kit(), {}, "linux")
    assert (without.is_ok, without.detail) == (True, "no NVIDIA GPU found: tasks are graded on the CPU")
    (apple,) = doctor.gpu_checks(a_kit(), {}, "darwin")
    assert (apple.is_ok, "MPS) are not supported: tasks are graded on the CPU" in apple.detail) == (True, True)


def test_each_thing_that_a_gpu_needs_is_a_line(gpu: dict[str, Any]) -> None:
    checks = doctor.gpu_checks(a_kit(), {}, "linux")
    assert [(check.name, check.is_ok) for check in checks] == [
        ("gpu", True),
        ("gpu torch", True),
        ("gpu toolkit", True),
        ("gpu in Docker", True),
        ("gpu image", True),
    ]
    assert "GPU 0 H200 (140000 MiB free)" in checks[0].detail
    assert "gloo on the CPU" in checks[0].detail
    assert checks[3].detail.endswith("the nvidia runtime")
    gpu["info"] = {"DiscoveredDevices": [{"Source": "cdi", "ID": "nvidia.com/gpu=0"}]}
    assert doctor.gpu_checks(a_kit(), {}, "linux")[3].detail.endswith("through CDI")
    checks = doctor.gpu_checks(a_kit(sandbox="process"), {}, "linux")
    assert [check.name for check in checks] == ["gpu", "gpu torch", "gpu sandbox"]
    assert "plain process" in checks[2].detail
    assert "only run code you trust" in checks[2].detail


@pytest.mark.parametrize(
    ("free_mib", "visible", "is_ok", "says", "fix"),
    [
        (2048, None, True, "GPU 0 H200 (2048 MiB free);", ""),
        (2047, None, False, "GPU 0 H200 (2047 MiB free);", "Free at least 2048 MiB on a GPU."),
        (2048, "0", True, "GPU 0 H200 (2048 MiB free);", ""),
        (
            2048,
            "1",
            False,
            "GPU 0 H200 (2048 MiB free, hidden by CUDA_VISIBLE_DEVICES);",
            "change CUDA_VISIBLE_DEVICES",
        ),
    ],
)
def test_a_gpu_that_no_grade_may_use_is_told(
    free_mib: int,
    visible: str | None,
    is_ok: bool,
    says: str,
    fix: str,
    gpu: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "find_gpus", lambda: [Gpu(0, "GPU-1", "H200", 10, free_mib)])
    environ = {} if visible is None else {"CUDA_VISIBLE_DEVICES": visible}
    check = doctor.gpu_checks(a_kit(), environ, "linux")[0]
    assert (check.name, check.is_ok) == ("gpu", is_ok)
    assert says in check.detail
    assert fix in check.fix


def test_memory_that_the_last_grade_left_in_use_is_told(
    gpu: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "lock_folder", lambda: tmp_path)
    (tmp_path / "GPU-1.lock").write_text("after the last grading run, 900 MiB more than before were still in use")
    check = doctor.gpu_checks(a_kit(), {}, "linux")[0]
    assert "(140000 MiB free, after the last grading run, 900 MiB more than before were still in use);" in check.detail


@pytest.mark.parametrize(
    ("version", "says"), [("2.13.0+cpu", "2.13.0+cpu was built without CUDA"), (None, "torch is not installed")]
)
def test_torch_without_cuda_beside_a_gpu_is_told(
    version: str | None, says: str, gpu: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def version_of(name: str) -> str:
        if version is None:
            raise metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(metadata, "version", version_of)
    check = doctor.gpu_checks(a_kit(), {}, "linux")[1]
    assert (check.name, check.is_ok) == ("gpu torch", False)
    assert says in check.detail
    assert "torch==2.13.0" in check.fix


@pytest.mark.parametrize(
    ("change", "place", "says", "fix"),
    [
        ({"version": (1, 17, 7)}, 2, "1.17.7: expected 1.17.8 or newer", "Upgrade"),
        ({"info": {"Runtimes": {"runc": {}}}}, 3, "exposes no GPUs", "nvidia-ctk runtime configure"),
        ({"info": None}, 3, "no answer", "Start Docker."),
        ({"has_image": False}, 4, "-cuda missing", "sandbox build --cuda"),
    ],
)
def test_what_a_gpu_lacks_comes_with_its_fix(
    gpu: dict[str, Any], change: dict[str, Any], place: int, says: str, fix: str
) -> None:
    gpu.update(change)
    checks = doctor.gpu_checks(a_kit(), {}, "linux")
    assert [check.name for check in checks if not check.is_ok] == [checks[place].name]
    assert says in checks[place].detail
    assert fix in checks[place].fix


def test_a_toolkit_of_unknown_version_is_said_to_be_unchecked(gpu: dict[str, Any]) -> None:
    gpu["version"] = None
    assert "was not checked for CVE-2025-23266" in doctor.gpu_checks(a_kit(), {}, "linux")[2].detail


@pytest.mark.parametrize("command", [["grade", "gae", "x.py"], ["challenge", "gae"], ["lab", "kv_bytes"]])
def test_apples_gpus_are_refused_with_what_to_do(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, "--device", "mps"]) == 2
    assert "mps (Apple GPUs) is not supported: leave out --device to grade on the CPU" in capsys.readouterr().err
