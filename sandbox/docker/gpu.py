"""Leases one GPU to one container at a time, and refuses a container toolkit with a known container escape.

Without an NVIDIA driver on this machine, nothing is leased, and the engine decides whether it has a GPU.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_cache_path

from sandbox.job import IsolationRefused, SandboxError

# Older versions can be made to run code from the container as root on the host (CVE-2025-23266).
TOOLKIT_MIN = (1, 17, 8)
TOOLKIT_COMMANDS = (("nvidia-ctk", "--version"), ("nvidia-container-cli", "--version"))
QUERY = ("nvidia-smi", "--query-gpu=index,uuid,name,memory.used,memory.free", "--format=csv,noheader,nounits")
QUERY_SECONDS = 10.0
# A removed container's memory is usually freed at once. By then, other programs may use a little more than before.
FREE_SECONDS = 10.0
POLL_SECONDS = 0.2
SPARE_MIB = 64
# A GPU with less free memory is not leased: the CUDA context alone takes about half a gigabyte.
FREE_MIB_MIN = 2048
NO_GPU = "Install the NVIDIA Container Toolkit on the Docker host, or grade with --device cpu."
Ask = Callable[[Sequence[str]], str]
_VERSION = re.compile(r"version:? +(\d+)\.(\d+)\.(\d+)")


class Gpu(NamedTuple):
    """One GPU as the driver reports it, with its memory in MiB."""

    number: int
    uuid: str
    name: str
    used_mib: int
    free_mib: int


def ask(command: Sequence[str]) -> str:
    """Return what a command prints; "" if it does not exist, fails, or takes too long."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=QUERY_SECONDS, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout


def find_gpus(ask: Ask = ask) -> list[Gpu]:
    """Return the GPUs that the driver on this machine reports; empty without a driver."""
    gpus = []
    for line in ask(QUERY).splitlines():
        parts = [part.strip() for part in line.split(",")]
        with suppress(ValueError):  # a GPU in MIG mode, or one that has been lost, does not report all numbers
            number, uuid, name, used, free = parts
            gpus.append(Gpu(int(number), uuid, name, int(used), int(free)))
    return gpus


def toolkit_version(ask: Ask = ask) -> tuple[int, int, int] | None:
    """Return the version of the NVIDIA Container Toolkit on this machine; None if it is unknown."""
    for command in TOOLKIT_COMMANDS:
        if found := _VERSION.search(ask(command)):
            major, minor, patch = map(int, found.groups())
            return major, minor, patch
    return None


def check_toolkit(version: tuple[int, int, int] | None) -> None:
    """Raise IsolationRefused if the toolkit is known to be too old.

    An unknown version is accepted: the toolkit may run in the engine's virtual machine, and exploiting its known
    vulnerabilities requires an image or an environment from an attacker, but both are ours.
    """
    if version is not None and version < TOOLKIT_MIN:
        wanted, got = (".".join(map(str, numbers)) for numbers in (TOOLKIT_MIN, version))
        raise IsolationRefused(
            f"NVIDIA Container Toolkit {got}: expected {wanted} or newer, because of CVE-2025-23266",
            "Upgrade the toolkit and restart Docker, or grade with --device cpu.",
        )


def cdi_devices(info: Mapping[str, Any]) -> list[str]:
    """Return the names of NVIDIA devices that the engine found through the Container Device Interface (CDI)."""
    found = info.get("DiscoveredDevices") or []
    return [str(device["ID"]) for device in found if str(device.get("ID", "")).startswith("nvidia.com/gpu=")]


def has_gpu_runtime(info: Mapping[str, Any]) -> bool:
    """Return whether the engine says that it can give a GPU to a container."""
    return bool(cdi_devices(info)) or "nvidia" in (info.get("Runtimes") or {})


def device_request(info: Mapping[str, Any], gpu: Gpu | None) -> dict[str, Any]:
    """Return the device request for one GPU: through CDI if the engine offers it there, else by the toolkit's hook.

    If `gpu` is None, the engine chooses a GPU.
    """
    if gpu is None:
        return {"Driver": "", "Count": 1, "DeviceIDs": None, "Capabilities": [["gpu"]], "Options": {}}
    offered = cdi_devices(info)
    for name in (f"nvidia.com/gpu={gpu.uuid}", f"nvidia.com/gpu={gpu.number}"):
        if name in offered:
            return {"Driver": "cdi", "Count": 0, "DeviceIDs": [name], "Capabilities": None, "Options": None}
    return {"Driver": "", "Count": 0, "DeviceIDs": [gpu.uuid], "Capabilities": [["gpu"]], "Options": {}}


class Lease:
    """Exclusive use of one GPU by one container of this user, until `release`; a crash of this process releases it."""

    def __init__(self, gpu: Gpu, descriptor: int, ask: Ask) -> None:
        self.gpu = gpu
        self._descriptor = descriptor
        self._ask = ask

    def release(self) -> bool:
        """Release the GPU as soon as the removed container's memory is freed; return whether it was.

        Wait at most ten seconds: other programs may also use the GPU, and `lease_gpu` checks its free memory again.
        """
        end = time.monotonic() + FREE_SECONDS
        while not (is_free := self._is_free()) and time.monotonic() < end:
            time.sleep(POLL_SECONDS)
        os.close(self._descriptor)
        return is_free

    def _is_free(self) -> bool:
        """Return whether no more memory is in use than before; a GPU that is not reported anymore is not free."""
        now = [gpu.used_mib for gpu in find_gpus(self._ask) if gpu.uuid == self.gpu.uuid]
        return bool(now) and now[0] <= self.gpu.used_mib + SPARE_MIB


def lease_gpu(folder: Path | None = None, ask: Ask = ask) -> Lease | None:
    """Return a lease on the first GPU that is not leased and has enough free memory; None if no GPU is reported.

    Raises IsolationRefused if the toolkit is too old, or SandboxError with the reasons why no GPU can be leased.
    """
    gpus = find_gpus(ask)
    if not gpus:
        return None
    check_toolkit(toolkit_version(ask))
    folder = folder or user_cache_path("interviewer") / "gpus"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    reasons = []
    for gpu in gpus:
        if gpu.free_mib < FREE_MIB_MIN:
            reasons.append(f"GPU {gpu.number} has only {gpu.free_mib} MiB of free memory")
            continue
        descriptor = os.open(folder / f"{gpu.uuid}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            reasons.append(f"GPU {gpu.number} is in use by another grade")
            continue
        return Lease(gpu, descriptor, ask)
    fix = "Wait for the other programs, close other running interviewers, or grade with --device cpu."
    raise SandboxError("; ".join(reasons), fix)
