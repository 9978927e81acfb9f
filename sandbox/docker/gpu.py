"""Leases one GPU to one container at a time, and refuses a toolkit with a known container-escape bug.

If this machine has no NVIDIA driver, no GPU is leased, and the engine decides whether a GPU is available.
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
# A removed container's memory is usually freed immediately. By the time the memory is freed, other programs may be
# using a little more memory than before.
FREE_SECONDS = 10.0
POLL_SECONDS = 0.2
SPARE_MIB = 64
# CUDA's own environment variable, which job schedulers set. It lists the GPUs that the user is allowed to use.
VISIBLE = "CUDA_VISIBLE_DEVICES"
# A GPU with less free memory than this is not leased: the CUDA context alone takes about half a gigabyte.
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
    """Return a command's output; "" if the command does not exist, fails, or takes too long."""
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
        with suppress(ValueError):  # a GPU that is in MIG mode or has been lost does not report all values
            number, uuid, name, used, free = parts
            gpus.append(Gpu(int(number), uuid, name, int(used), int(free)))
    return gpus


def visible_gpus(gpus: Sequence[Gpu], environ: Mapping[str, str] = os.environ) -> list[Gpu]:
    """Return the GPUs that CUDA_VISIBLE_DEVICES allows: all if it is unset, otherwise those that it lists.

    An entry is a GPU index in the driver's order or the beginning of a UUID; as in CUDA, all entries after an unknown
    one are ignored. On a machine with different GPU models, CUDA may number the GPUs in a different order than the
    driver does.
    """
    if VISIBLE not in environ:
        return list(gpus)
    visible: list[Gpu] = []
    for entry in (entry.strip() for entry in environ[VISIBLE].split(",")):
        found = [
            gpu for gpu in gpus if entry == str(gpu.number) or (entry[:4] == "GPU-" and gpu.uuid.startswith(entry))
        ]
        if len(found) != 1:
            break
        visible += found
    return visible


def toolkit_version(ask: Ask = ask) -> tuple[int, int, int] | None:
    """Return the version of the NVIDIA Container Toolkit on this machine; None if the version is unknown."""
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
    """Return the device request for one GPU: via CDI if the engine offers the GPU there, else via the toolkit hook.

    If `gpu` is None, the engine chooses a GPU.
    """
    if gpu is None:
        return {"Driver": "", "Count": 1, "DeviceIDs": None, "Capabilities": [["gpu"]], "Options": {}}
    offered = cdi_devices(info)
    for name in (f"nvidia.com/gpu={gpu.uuid}", f"nvidia.com/gpu={gpu.number}"):
        if name in offered:
            return {"Driver": "cdi", "Count": 0, "DeviceIDs": [name], "Capabilities": None, "Options": None}
    return {"Driver": "", "Count": 0, "DeviceIDs": [gpu.uuid], "Capabilities": [["gpu"]], "Options": {}}


def lock_folder() -> Path:
    """Return the folder with a lock file for each GPU that has ever been leased."""
    return user_cache_path("interviewer") / "gpus"


def leftover(gpu: Gpu, folder: Path) -> str:
    """Return the note on memory that was still in use when a GPU's last lease ended; "" if there is no note."""
    with suppress(OSError, UnicodeDecodeError):
        return _lock_file(gpu, folder).read_text(encoding="utf-8")
    return ""


def _lock_file(gpu: Gpu, folder: Path) -> Path:
    return folder / f"{gpu.uuid}.lock"


class Lease:
    """Exclusive use of one GPU by one container of this user, until `release`; a crash of this process releases it."""

    def __init__(self, gpu: Gpu, descriptor: int, ask: Ask) -> None:
        self.gpu = gpu
        self._descriptor = descriptor
        self._ask = ask

    def release(self) -> bool:
        """Release the GPU as soon as the removed container's memory is freed; return whether the memory was freed.

        Wait at most ten seconds: other programs may also use the GPU, and `lease_gpu` checks its free memory again. If
        the memory is not freed, the lock file records the leftover memory until the next lease; see `leftover`.
        """
        end = time.monotonic() + FREE_SECONDS
        while (left := self._left()) and time.monotonic() < end:
            time.sleep(POLL_SECONDS)
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, left.encode(), 0)
        os.close(self._descriptor)
        return not left

    def _left(self) -> str:
        """Return a note if memory has not been freed or the GPU has disappeared; otherwise, return ""."""
        now = [gpu.used_mib for gpu in find_gpus(self._ask) if gpu.uuid == self.gpu.uuid]
        if not now:
            return "after the last grading run, the driver did not report this GPU"
        left_mib = now[0] - self.gpu.used_mib
        return (
            f"after the last grading run, {left_mib} MiB more than before were still in use"
            if left_mib > SPARE_MIB
            else ""
        )


def lease_gpu(folder: Path | None = None, ask: Ask = ask, environ: Mapping[str, str] = os.environ) -> Lease | None:
    """Return a lease on the first GPU that is not leased and has enough free memory; None if no GPU is reported.

    Raises IsolationRefused if the toolkit is too old, or SandboxError with the reasons why no GPU can be leased.
    """
    # Check this first: even if the driver reports no GPU, the engine may have one.
    check_toolkit(toolkit_version(ask))
    there = find_gpus(ask)
    gpus = visible_gpus(there, environ)
    if not gpus:
        if VISIBLE in environ:
            raise SandboxError(
                f"{VISIBLE}={environ[VISIBLE]} allows none of the {len(there)} GPUs that the driver reports",
                f"Change {VISIBLE} to the number or UUID of a GPU, or grade with --device cpu.",
            )
        return None
    folder = folder or lock_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    reasons = []
    for gpu in gpus:
        if gpu.free_mib < FREE_MIB_MIN:
            left = leftover(gpu, folder)
            more = f" ({left})" if left else ""
            reasons.append(f"GPU {gpu.number} has only {gpu.free_mib} MiB of free memory{more}")
            continue
        descriptor = os.open(_lock_file(gpu, folder), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            reasons.append(
                f"GPU {gpu.number} is in use by another grading run, or reserved by an open interviewer session"
            )
            continue
        return Lease(gpu, descriptor, ask)
    fix = "Wait for the other programs, close other interviewer sessions, or grade with --device cpu."
    raise SandboxError("; ".join(reasons), fix)
