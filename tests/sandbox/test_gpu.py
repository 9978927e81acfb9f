"""A container gets one GPU that nobody else uses, through a request that engines understand, and no old toolkit."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox.docker import gpu as gpus
from sandbox.docker import sandbox as docker_sandbox
from sandbox.docker.engine import connect, engine_errors
from sandbox.docker.forkserver import ForkServer
from sandbox.docker.gpu import (
    FREE_MIB_MIN,
    QUERY,
    TOOLKIT_COMMANDS,
    Gpu,
    Lease,
    check_toolkit,
    device_request,
    find_gpus,
    lease_gpu,
    leftover,
    toolkit_version,
    visible_gpus,
)
from sandbox.docker.image import dockerfile, image_tag
from sandbox.docker.sandbox import DockerSandbox
from sandbox.docker.spec import container_config, differences
from sandbox.fake import FakeSandbox, finished
from sandbox.job import ImageMissing, IsolationRefused, Job, SandboxError
from sandbox.pool import Pool
from tests.sandbox.conftest import own_containers

FIRST, SECOND = "GPU-1111", "GPU-2222"
JOB = Job("pass", b"", 20.0, 256 * 2**20, device="cuda")
OWN = Gpu(0, FIRST, "H200", 10, 140_000)
CDI = {
    "DiscoveredDevices": [{"Source": "cdi", "ID": "nvidia.com/gpu=0"}, {"Source": "cdi", "ID": "nvidia.com/gpu=all"}]
}


@pytest.fixture(autouse=True)
def all_gpus_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


class Driver:
    """Replies like nvidia-smi and nvidia-ctk, with memory that a test can change."""

    def __init__(self, version: str = "1.17.8") -> None:
        self.used = {FIRST: 10, SECOND: 20}
        self.total = 4000
        self.version = version

    def __call__(self, command: Sequence[str]) -> str:
        if command == QUERY:
            rows = enumerate(self.used.items())
            return "".join(f"{n}, {uuid}, H200, {used}, {self.total - used}\n" for n, (uuid, used) in rows)
        return f"NVIDIA Container Toolkit CLI version {self.version}\ncommit: abc\n" if "ctk" in command[0] else ""


def test_a_machine_without_a_driver_leases_nothing(tmp_path: Path) -> None:
    assert find_gpus(lambda command: "") == []
    assert lease_gpu(tmp_path, lambda command: "") is None
    assert gpus.ask(("no-such-command-anywhere",)) == ""
    assert gpus.ask(("false",)) == ""


def test_gpus_that_report_no_memory_are_left_out() -> None:
    text = f"0, {FIRST}, H200, 10, 140000\n1, {SECOND}, H200, [N/A], [N/A]\nUnable to determine the device handle\n"
    assert find_gpus(lambda command: text) == [OWN]


def test_each_gpu_is_leased_once_until_it_is_released(tmp_path: Path) -> None:
    driver = Driver()
    first, second = lease_gpu(tmp_path, driver), lease_gpu(tmp_path, driver)
    assert first is not None
    assert second is not None
    assert [first.gpu.uuid, second.gpu.uuid] == [FIRST, SECOND]
    with pytest.raises(SandboxError, match=r"GPU 0 is in use by another grading run, .*; GPU 1 is in use") as caught:
        lease_gpu(tmp_path, driver)
    assert "--device cpu" in caught.value.fix
    assert first.release()
    third = lease_gpu(tmp_path, driver)
    assert third is not None
    assert third.gpu.uuid == FIRST
    assert third.release()
    assert second.release()


def test_a_gpu_is_released_when_its_memory_is_free_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, waits = Driver(), []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        with pytest.raises(SandboxError, match="GPU 0 is in use"):
            lease_gpu(tmp_path, only_first)
        if len(waits) == 3:
            driver.used[FIRST] = 12

    def only_first(command: Sequence[str]) -> str:
        return driver(command).splitlines()[0] + "\n" if command == QUERY else driver(command)

    lease = lease_gpu(tmp_path, driver)
    assert lease is not None
    driver.used[FIRST] = 900
    monkeypatch.setattr(time, "sleep", wait)
    assert lease.release()
    assert len(waits) == 3


def test_memory_that_stays_in_use_is_waited_for_no_longer_than_ten_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver, now = Driver(), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    lease = lease_gpu(tmp_path, driver)
    assert lease is not None
    driver.used[FIRST] = driver.total - FREE_MIB_MIN + 1
    assert not lease.release()
    assert now[0] == pytest.approx(gpus.FREE_SECONDS, abs=2 * gpus.POLL_SECONDS)
    other = lease_gpu(tmp_path, driver)
    assert other is not None
    assert other.gpu.uuid == SECOND, "a GPU without free memory is not lent"
    left = "after the last grading run, 1943 MiB more than before were still in use"
    assert leftover(lease.gpu, tmp_path) == left
    with pytest.raises(SandboxError, match=rf"GPU 0 has only 2047 MiB of free memory \({left}\); GPU 1 is in use"):
        lease_gpu(tmp_path, driver)
    assert other.release()
    assert leftover(other.gpu, tmp_path) == ""


def test_what_a_grade_left_in_use_is_forgotten_after_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = Driver()
    monkeypatch.setattr(gpus, "FREE_SECONDS", 0.0)
    monkeypatch.setattr(gpus, "POLL_SECONDS", 0.0)
    lease = lease_gpu(tmp_path, driver)
    assert lease is not None
    assert leftover(lease.gpu, tmp_path) == ""
    used, driver.used = driver.used, {}
    assert not lease.release()
    assert leftover(lease.gpu, tmp_path) == "after the last grading run, the driver did not report this GPU"
    driver.used = used
    lease = lease_gpu(tmp_path, driver)
    assert lease is not None
    assert lease.release()
    assert leftover(lease.gpu, tmp_path) == ""


@pytest.mark.parametrize("version", ["1.17.7", "1.16.2", "0.9.0"])
def test_an_old_toolkit_is_refused(version: str, tmp_path: Path) -> None:
    with pytest.raises(IsolationRefused, match=rf"Toolkit {version}: expected 1\.17\.8 or newer") as caught:
        lease_gpu(tmp_path, Driver(version))
    assert "Upgrade" in caught.value.fix


@pytest.mark.parametrize("version", [(1, 17, 8), (1, 18, 0), (2, 0, 0), None])
def test_a_toolkit_that_is_not_known_to_be_old_is_accepted(version: tuple[int, int, int] | None) -> None:
    check_toolkit(version)


def test_an_old_toolkit_is_refused_even_if_only_the_engine_knows_its_gpus(tmp_path: Path) -> None:
    driver = Driver("1.17.7")
    driver.used = {}
    with pytest.raises(IsolationRefused, match=r"1\.17\.8 or newer"):
        lease_gpu(tmp_path, driver)


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (None, [FIRST, SECOND]),
        ("1", [SECOND]),
        ("1, 0", [SECOND, FIRST]),
        (f"{SECOND},0", [SECOND, FIRST]),
        ("GPU-22", [SECOND]),
        ("1,5,0", [SECOND]),
        ("GPU-", []),
        ("-1", []),
        ("", []),
    ],
)
def test_only_gpus_that_cuda_may_see_are_leased(listed: str | None, expected: list[str], tmp_path: Path) -> None:
    environ = {} if listed is None else {"CUDA_VISIBLE_DEVICES": listed}
    driver = Driver()
    assert [gpu.uuid for gpu in visible_gpus(find_gpus(driver), environ)] == expected
    if not expected:
        with pytest.raises(SandboxError, match="allows none of the 2 GPUs") as caught:
            lease_gpu(tmp_path, driver, environ)
        assert "--device cpu" in caught.value.fix
        return
    lease = lease_gpu(tmp_path, driver, environ)
    assert lease is not None
    assert lease.gpu.uuid == expected[0]
    assert lease.release()


def test_the_version_is_read_from_either_command() -> None:
    texts: dict[tuple[str, ...], str] = {
        TOOLKIT_COMMANDS[0]: "NVIDIA Container Toolkit CLI version 1.17.8\ncommit: abc\n",
        TOOLKIT_COMMANDS[1]: "cli-version: 1.16.2\nlib-version: 1.16.2\n",
    }
    assert toolkit_version(lambda command: texts[tuple(command)]) == (1, 17, 8)
    texts[TOOLKIT_COMMANDS[0]] = ""
    assert toolkit_version(lambda command: texts[tuple(command)]) == (1, 16, 2)
    assert toolkit_version(lambda command: "") is None


def test_a_request_names_one_gpu_by_cdi_if_the_engine_found_it_there() -> None:
    assert device_request(CDI, OWN)["DeviceIDs"] == ["nvidia.com/gpu=0"]
    assert device_request(CDI, OWN)["Driver"] == "cdi"
    assert device_request(CDI, OWN._replace(number=1))["DeviceIDs"] == [FIRST]
    assert device_request({}, OWN) == {
        "Driver": "",
        "Count": 0,
        "DeviceIDs": [FIRST],
        "Capabilities": [["gpu"]],
        "Options": {},
    }
    assert device_request({}, None)["Count"] == 1


def test_a_job_on_the_cpu_asks_for_no_device() -> None:
    assert container_config(JOB, "image", {}, 1)["HostConfig"]["DeviceRequests"] is None


@pytest.mark.docker
@pytest.mark.parametrize("info", [{}, CDI])
@pytest.mark.parametrize("gpu", [OWN, None])
def test_a_real_engine_takes_each_request_as_it_is_and_refuses_to_start_without_a_gpu(
    info: dict[str, Any], gpu: Gpu | None
) -> None:
    asked = container_config(JOB, image_tag(), {}, 1, device_request(info, gpu))
    name = f"interviewer-test-gpu-{bool(info)}-{bool(gpu)}".lower()
    with connect() as client:
        if "nvidia" in client.info()["Runtimes"]:
            pytest.skip("this engine has a GPU to give")
        try:
            client.create_container_from_config(asked, name)
            assert differences(asked, client.inspect_container(name)) == []
            with pytest.raises(SandboxError, match="no GPU") as caught, engine_errors("starting"):
                client.start(name)
            assert "--device cpu" in caught.value.fix
        finally:
            client.remove_container(name, force=True)


@pytest.fixture
def leased(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Driver]:
    """Simulate a driver with two GPUs on this machine."""
    driver = Driver()
    monkeypatch.setattr(docker_sandbox, "lease_gpu", lambda: lease_gpu(tmp_path, driver))
    yield driver
    lease = lease_gpu(tmp_path, driver)
    assert lease is not None, "whatever happened, the GPU was released"
    assert lease.gpu.uuid == FIRST
    lease.release()


@pytest.mark.docker
@pytest.mark.usefixtures("leased")
def test_a_start_that_fails_releases_the_gpu() -> None:
    with pytest.raises(ImageMissing, match="-cuda") as caught:
        DockerSandbox().run(JOB)
    assert "sandbox build --cuda" in caught.value.fix
    with pytest.raises(SandboxError, match="no GPU"):
        DockerSandbox(image_tag()).run(JOB)


@pytest.mark.docker
def test_a_container_releases_its_gpu_after_it_is_removed(leased: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docker_sandbox, "device_request", lambda info, gpu: None)  # this engine has none to offer
    with watched_release(monkeypatch) as seen:
        finished = DockerSandbox(image_tag()).run(Job("print(1)", b"", 30.0, 256 * 2**20, device="cuda"))
    assert finished.result == b"1\n"
    assert seen == [FIRST]


def test_a_job_on_a_gpu_is_not_forked_from_a_shared_process() -> None:
    server = ForkServer("no-such-image")
    server._alone = FakeSandbox(finished(b"alone"))  # type: ignore[assignment]
    assert server.run(JOB).result == b"alone"
    assert server.container_count == 0
    server.close()


@pytest.mark.docker
def test_containers_follow_each_other_on_the_only_gpu(leased: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docker_sandbox, "device_request", lambda info, gpu: None)  # this engine has none to offer
    del leased.used[SECOND]
    program = "import sys\nprint(sys.stdin.read(), flush=True)\nwhile True: pass"
    job = Job(program, b"", 30.0, 256 * 2**20, device="cuda", is_complete=lambda result: result.endswith(b"\n"))
    pool = Pool(DockerSandbox(image_tag()), size=2)
    try:
        pool.warm(job)
        pool.wait_idle()
        assert len(own_containers()) == 1, "one cell waits on the only GPU"
        for number in (b"1", b"2", b"3"):
            assert pool.run(replace(job, payload=number)).result == number + b"\n"
    finally:
        pool.close()
    assert own_containers() == []


@contextmanager
def watched_release(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the released GPUs, and check that none of our containers is left by then."""
    seen: list[str] = []
    release = Lease.release

    def noted(lease: Lease) -> bool:
        assert own_containers() == []
        seen.append(lease.gpu.uuid)
        return release(lease)

    monkeypatch.setattr(Lease, "release", noted)
    yield seen


def test_the_image_for_a_gpu_has_its_own_name_and_takes_torch_with_cuda() -> None:
    assert image_tag(device="cuda").endswith("-cuda")
    assert image_tag(device="cuda").removesuffix("-cuda") != image_tag()
    assert image_tag("given:1", "cuda") == "given:1"
    assert "whl/cpu" in dockerfile()
    assert "whl/cpu" not in dockerfile("cuda")
    assert 'install --no-cache-dir "torch==${TORCH}"' in dockerfile("cuda")
