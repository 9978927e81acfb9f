"""What only a container promises, and the error if there is none."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import docker
import pytest

from sandbox.docker.cleanup import clean, remove, status
from sandbox.docker.engine import connect
from sandbox.docker.image import image_tag
from sandbox.docker.sandbox import DockerSandbox
from sandbox.docker.spec import container_config
from sandbox.job import CellLost, Ending, EngineMissing, ImageMissing, IsolationRefused, Job, SandboxError
from sandbox.owner import DEADLINE_LABEL, OWNER_LABEL, owner_labels, owner_of
from tests.recorded import grader
from tests.sandbox.conftest import own_containers, processes_with

pytestmark = pytest.mark.recorded(subject_of=grader)

MIB = 2**20


def job(
    program: str, wall_seconds: float = 60.0, device: str = "cpu", processes: int = 64, has_loopback: bool = False
) -> Job:
    return Job(program, b"", wall_seconds, 256 * MIB, processes, device=device, has_loopback=has_loopback)


@pytest.fixture
def docker_sandbox() -> Iterator[DockerSandbox]:
    yield DockerSandbox()
    assert own_containers() == []


@pytest.mark.docker
def test_nothing_outside_can_be_reached_but_loopback_works(docker_sandbox: DockerSandbox) -> None:
    program = """
import socket
for address in [("1.1.1.1", 443), ("169.254.169.254", 80), ("172.17.0.1", 2375)]:
    try:
        socket.create_connection(address, 2)
        print("reached", address)
    except OSError as error:
        print(error.errno)
try:
    socket.getaddrinfo("pypi.org", 443)
    print("resolved")
except socket.gaierror:
    print("unknown name")
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname(), 2)
print("loopback")
"""
    finished = docker_sandbox.run(job(program, has_loopback=True))
    assert finished.result.split(b"\n")[:5] == [b"101"] * 3 + [b"unknown name", b"loopback"]


@pytest.mark.docker
def test_only_tmp_and_shm_can_be_written_and_neither_runs_programs(docker_sandbox: DockerSandbox) -> None:
    program = """
import os, pathlib
mounts = [line.split()[1] for line in open("/proc/self/mounts")]
# The fence lets nobody list the root, so its folders are named; the image is a Debian or an Ubuntu.
named = "boot dev etc home lib media mnt opt proc root run sbin srv sys tmp usr var var/tmp var/lock run/lock".split()
inside = [folder for top in ("/usr", "/opt/sandbox") for folder, _, _ in os.walk(top)]
assert len(inside) > 1000
for folder in sorted({"/", "/opt/sandbox", *("/" + name for name in named), *mounts, *inside}):
    try:
        pathlib.Path(folder, "try").write_text("#!/bin/sh\\necho ran")
        print("wrote", folder)
    except OSError:
        pass
os.chmod("/tmp/try", 0o755)
try:
    os.execv("/tmp/try", ["try"])
except PermissionError:
    print("no execution")
"""
    lines = set(docker_sandbox.run(job(program)).result.decode().splitlines())
    assert lines == {"wrote /tmp", "wrote /dev/shm", "no execution"}


@pytest.mark.docker
def test_it_has_no_rights(docker_sandbox: DockerSandbox) -> None:
    program = """
import os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(os.getuid(), os.getgid(), os.getgroups())
print([status[name].strip() for name in ("CapEff", "CapBnd", "NoNewPrivs", "Seccomp")])
"""
    none = "0" * 16
    result = docker_sandbox.run(job(program)).result.decode().splitlines()
    assert result == ["65534 65534 [65534]", str([none, none, "1", "2"])]


@pytest.mark.docker
def test_the_temp_folder_has_a_size(docker_sandbox: DockerSandbox) -> None:
    program = """
written = 0
try:
    with open("/tmp/big", "wb", buffering=0) as file:
        while True:
            written += file.write(bytes(2**20))
except OSError as error:
    print(error.errno, written // 2**20)
"""
    assert docker_sandbox.run(job(program)).result == b"28 64\n"


@pytest.mark.docker
@pytest.mark.timeout(300)
def test_a_fork_bomb_is_held_and_gone(docker_sandbox: DockerSandbox) -> None:
    mark = "mark-of-the-fork-bomb"
    program = f"import os\nwhile True:\n try: os.fork()\n except OSError: pass # {mark}"
    seen: list[int] = []

    def count() -> bool:
        seen.append(len(processes_with(mark)))
        return len(seen) > 2 and max(seen) > 2

    # On a busy machine, the bomb can keep this process from counting three times for more than a minute.
    assert docker_sandbox.run(job(program, wall_seconds=240.0), count).ending is Ending.CANCELLED
    assert max(seen) <= 64
    assert processes_with(mark) == []


@pytest.mark.docker
def test_an_interrupt_leaves_no_container(docker_sandbox: DockerSandbox) -> None:
    def interrupt() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        docker_sandbox.run(job("import time\ntime.sleep(60)"), interrupt)


@pytest.mark.docker
def test_a_missing_image_is_named_with_the_way_to_build_it() -> None:
    with pytest.raises(ImageMissing, match="no-such-image:1") as caught:
        DockerSandbox("no-such-image:1").run(job("pass"))
    assert "interviewer sandbox build" in caught.value.fix


@pytest.mark.docker
def test_an_image_that_is_not_ours_is_refused() -> None:
    empty = io.BytesIO()
    with tarfile.open(fileobj=empty, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("nothing"), io.BytesIO())
    with connect() as client:
        client.import_image_from_data(empty.getvalue(), "interviewer-test-empty", "1")
        try:
            with pytest.raises(ImageMissing, match="expected label"):
                DockerSandbox("interviewer-test-empty:1").run(job("pass"))
            assert own_containers() == []
        finally:
            client.remove_image("interviewer-test-empty:1")


@pytest.mark.parametrize("address", ["unix:///nowhere/docker.sock", "tcp://127.0.0.1:1", "ssh://nobody@localhost"])
def test_a_dead_engine_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("DOCKER_HOST", address)
    with pytest.raises(EngineMissing, match=address.split("//")[1][:9]) as caught:
        DockerSandbox().run(job("pass"))
    assert "Start Docker" in caught.value.fix
    with pytest.raises(EngineMissing):
        status()


@pytest.mark.parametrize(
    "environ",
    [{"DOCKER_HOST": "tcp://127.0.0.1:port"}, {"DOCKER_TLS_VERIFY": "1", "DOCKER_CERT_PATH": "/nowhere"}],
    ids=["a port that is no number", "certificates that do not exist"],
)
def test_invalid_settings_for_the_engine_are_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(EngineMissing) as caught, connect():
        pass
    assert "Start Docker" in caught.value.fix


def _set(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(report: dict[str, Any]) -> None:
        room, _, name = path.rpartition(".")
        (report[room] if room else report)[name] = value

    return change


@pytest.mark.docker
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("HostConfig.NetworkMode", "bridge"), "NetworkMode: asked for 'none', got 'bridge'"),
        (_set("HostConfig.CapDrop", None), "CapDrop"),
        (_set("HostConfig.CapAdd", ["SYS_ADMIN"]), "CapAdd: asked for None"),
        (_set("HostConfig.Privileged", True), "Privileged"),
        (_set("HostConfig.MemorySwap", -1), "MemorySwap"),
        (_set("HostConfig.ReadonlyRootfs", False), "ReadonlyRootfs"),
        (_set("HostConfig.Binds", ["/:/host"]), "Binds"),
        (_set("HostConfig.SecurityOpt", ["no-new-privileges:true"]), "SecurityOpt"),
        (_set("HostConfig.SecurityOpt", ["no-new-privileges:true", "seccomp=unconfined"]), "SecurityOpt"),
        (_set("HostConfig.CapDrop", []), "CapDrop"),
        (_set("HostConfig.NanoCpus", 0), "NanoCpus"),
        (_set("HostConfig.PidsLimit", None), "PidsLimit"),
        (_set("HostConfig.IpcMode", "host"), "IpcMode"),
        (_set("HostConfig.PidMode", "host"), "PidMode"),
        (_set("HostConfig.UsernsMode", "host"), "UsernsMode"),
        (_set("HostConfig.CgroupnsMode", "host"), "CgroupnsMode"),
        (_set("HostConfig.MaskedPaths", []), "MaskedPaths"),
        (_set("HostConfig.ReadonlyPaths", None), "ReadonlyPaths"),
        (_set("HostConfig.Init", None), "Init"),
        (_set("HostConfig.Tmpfs", {"/tmp": "rw"}), "Tmpfs"),
        (_set("HostConfig.ShmSize", 2**40), "ShmSize"),
        (_set("HostConfig.LogConfig", {"Type": "json-file", "Config": {}}), "LogConfig"),
        (_set("HostConfig.Ulimits", None), "Ulimits"),
        (_set("HostConfig.Devices", [{"PathOnHost": "/dev/kvm"}]), "Devices"),
        (_set("HostConfig.GroupAdd", ["0"]), "GroupAdd"),
        (_set("Config.Labels", {"interviewer.torch": "2.13.0"}), "Labels"),
        (_set("Config.Cmd", ["pass"]), "Cmd"),
        (_set("Mounts", [{"Type": "volume"}]), "Mounts"),
        (_set("Config.User", "0"), "User"),
        (_set("Config.Env", []), "Env"),
    ],
)
def test_a_container_that_is_not_as_asked_never_starts(
    docker_sandbox: DockerSandbox,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[dict[str, Any]], None],
    message: str,
) -> None:
    truth = docker.APIClient.inspect_container

    def weakened(client: Any, name: str) -> dict[str, Any]:
        report: dict[str, Any] = truth(client, name)
        change(report)
        return report

    monkeypatch.setattr(docker.APIClient, "inspect_container", weakened)
    monkeypatch.setattr(docker.APIClient, "start", lambda *_: pytest.fail("it was started"))
    with pytest.raises(IsolationRefused, match=message):
        docker_sandbox.run(job("pass"))


@pytest.mark.docker
def test_a_container_that_vanishes_is_our_failure(docker_sandbox: DockerSandbox) -> None:
    def take_it_away() -> bool:
        with connect() as client:
            for name in own_containers():
                remove(client, name)
        return False

    with pytest.raises(CellLost):
        docker_sandbox.run(job("import time\ntime.sleep(60)"), take_it_away)


@pytest.mark.docker
@pytest.mark.parametrize(
    ("program", "ending"),
    [
        ('blocks = []\nwhile True:\n    blocks.append(bytearray(b"x") * 2**25)', Ending.OUT_OF_MEMORY),
        ("import os\nos.kill(os.getpid(), 9)", Ending.EXITED),
    ],
    ids=["memory kill", "killed by itself"],
)
def test_a_memory_kill_that_the_engine_reports_after_the_exit_is_noticed(
    docker_sandbox: DockerSandbox, monkeypatch: pytest.MonkeyPatch, program: str, ending: Ending
) -> None:
    """On a busy machine, the flag in the container's state is not set yet when the engine reports the exit."""
    truth = docker.APIClient.inspect_container

    def early(client: Any, name: str) -> dict[str, Any]:
        report: dict[str, Any] = truth(client, name)
        report["State"]["OOMKilled"] = False
        return report

    monkeypatch.setattr(docker.APIClient, "inspect_container", early)
    finished = docker_sandbox.run(job(program))
    assert (finished.ending, finished.exit_code) == (ending, 137)


@pytest.mark.docker
def test_no_gpu_is_our_failure_with_a_way_out(docker_sandbox: DockerSandbox) -> None:
    with connect() as client:
        if "nvidia" in client.info()["Runtimes"]:
            pytest.skip("this engine has a GPU to give")
    with pytest.raises(SandboxError, match="no GPU") as caught:
        docker_sandbox.run(job("pass", device="cuda"))
    assert "--device cpu" in caught.value.fix


@pytest.mark.docker
def test_cleaning_takes_the_abandoned_and_spares_the_living() -> None:
    with connect() as client, subprocess.Popen(["sleep", "100"]) as other_app:
        living = {**owner_labels(60.0), OWNER_LABEL: owner_of(other_app.pid)}
        labels = {
            "interviewer-test-living": living,
            "interviewer-test-late": {**living, DEADLINE_LABEL: str(int(time.time()) - 1)},
            "interviewer-test-gone": {**living, OWNER_LABEL: owner_of(other_app.pid) + "0"},
        }
        try:
            for name, marks in labels.items():
                client.create_container_from_config(container_config(job("pass"), image_tag(), marks, 1), name)
            shown = {entry.name: entry.is_stale for entry in status().containers}
            assert [shown[name] for name in labels] == [False, True, True]
            assert sorted(set(clean()) & set(labels)) == ["interviewer-test-gone", "interviewer-test-late"]
            other_app.kill()
            other_app.wait()
            assert "interviewer-test-living" in clean()
        finally:
            other_app.kill()
            for name in labels:
                remove(client, name)


@pytest.mark.docker
def test_the_next_use_removes_what_a_killed_app_left() -> None:
    program = (
        "from sandbox.docker.sandbox import DockerSandbox\nfrom sandbox.job import Job\n"
        "DockerSandbox().run(Job('print(1)\\nimport time\\ntime.sleep(90)', b'', 80.0, 2**28,\n"
        "    is_complete=lambda result: print(json.dumps('up'), flush=True)))\n"
    )
    app = subprocess.Popen([sys.executable, "-c", f"import json\n{program}"], stdout=subprocess.PIPE)
    assert app.stdout is not None
    with app, app.stdout:
        assert json.loads(app.stdout.readline()) == "up"
        app.kill()
    left = [entry for entry in status().containers if f"-{app.pid}-" in entry.name]
    assert [entry.is_stale for entry in left] == [True]
    assert left[0].age_seconds < 60
    assert DockerSandbox().run(job("print(2)")).result == b"2\n"
    assert not [entry for entry in status().containers if entry.name == left[0].name]


@pytest.mark.docker
def test_status_tells_engine_and_image() -> None:
    current = status()
    assert current.engine_version
    assert (current.image, current.has_image) == (image_tag(), True)
    assert not status("no-such-image:1").has_image
