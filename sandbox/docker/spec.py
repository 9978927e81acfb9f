"""Specifies a container, and compares each field with the engine's report before the container starts.

The configuration uses the engine's own JSON format, so the request can be compared directly with the engine's report.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.isolation.prelude import DEVICES, with_prelude
from sandbox.isolation.seccomp import docker_profile
from sandbox.job import Job

PYTHON = "/opt/sandbox/bin/python"
OWN = ("/opt/sandbox",)
WRITABLE = ("/tmp", "/dev/shm", *DEVICES)
# The GPU driver's library opens device files, and sets the names of its threads through /proc.
WRITABLE_WITH_GPU = (*WRITABLE, "/dev", "/proc", "/sys")
USER = "65534:65534"
TMP_BYTES = 64 * 2**20
SHM_BYTES = 64 * 2**20
OPEN_FILES_MAX = 1024
CORES_MAX = 2
SHOWN_MAX = 120
# docs/decisions/028 explains why these capabilities are enough.
SHARED_CAPABILITIES = ("CAP_KILL", "CAP_SETGID", "CAP_SETUID")
# For the init process, and for processes that kill a job's processes or remove a job's files. Forking processes are
# counted separately.
SHARED_PROCESSES = 8
# Each forking process has imported torch, and a child ends up copying most pages that it only reads.
SHARED_BYTES = 192 * 2**20
# Files in which the kernel exposes its memory layout and machine details; a superset of Docker's own list.
MASKED = (
    *("/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats"),
    *("/proc/sched_debug", "/proc/scsi", "/proc/timer_list", "/proc/timer_stats", "/sys/firmware"),
    *("/sys/devices/virtual/powercap", "/sys/devices/virtual/dmi", "/proc/cmdline", "/proc/config.gz"),
    *("/proc/diskstats", "/proc/kallsyms", "/proc/key-users", "/proc/modules", "/proc/partitions", "/proc/swaps"),
)
READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
# An image without this label was not built from our Dockerfile. It may lack torch, or declare volumes and start
# commands.
IMAGE_LABEL = "interviewer.torch"
ENVIRONMENT = (
    "HOME=/tmp",
    "TMPDIR=/tmp",
    "LANG=C.UTF-8",
    "OMP_NUM_THREADS=1",
    "MKL_NUM_THREADS=1",
    "GLOO_SOCKET_IFNAME=lo",
)


def container_config(
    job: Job, image: str, labels: Mapping[str, str], cores: int, gpu: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the body of the engine's create request for one job, without the payload; `gpu` is a device request."""
    return {
        "Image": image,
        "Entrypoint": [PYTHON, "-I", "-u", "-c"],
        "Cmd": [with_prelude(job.whole_program, OWN, WRITABLE_WITH_GPU if job.device == "cuda" else WRITABLE)],
        "Env": list(ENVIRONMENT),
        "User": USER,
        "WorkingDir": "/tmp",
        "Hostname": "cell",
        "Labels": dict(labels),
        "Healthcheck": {"Test": ["NONE"]},
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "Tty": False,
        "HostConfig": _host_config(job, cores, gpu),
    }


def shared_container_config(
    job: Job, program: str, image: str, labels: Mapping[str, str], cores: int
) -> dict[str, Any]:
    """Return the create request for a container in which `program` forks one child per job, for jobs like this one.

    The forking processes run as root, with only the capabilities to change users and to kill processes. They need
    memory and process ids of their own, in addition to those for a job.
    """
    forking_count = 1 + (job.own_interpreters.count if job.own_interpreters else 0)
    memory_bytes = job.memory_bytes + forking_count * SHARED_BYTES
    alone = container_config(job, image, labels, cores)
    profile = docker_profile(job.has_loopback, job.device, changes_user=True)
    host_config = {
        **alone["HostConfig"],
        "CapAdd": list(SHARED_CAPABILITIES),
        "SecurityOpt": ["no-new-privileges:true", f"seccomp={profile}"],
        "PidsLimit": job.processes + SHARED_PROCESSES + forking_count,
        "Memory": memory_bytes,
        "MemorySwap": memory_bytes,
    }
    return {**alone, "Cmd": [program], "User": "0:0", "HostConfig": host_config}


def _host_config(job: Job, cores: int, gpu: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the limits and restrictions; empty entries are included so that they are compared too."""
    return {
        "NetworkMode": "none",
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true", f"seccomp={docker_profile(job.has_loopback, job.device)}"],
        "ReadonlyRootfs": True,
        "Tmpfs": {"/tmp": f"rw,noexec,nosuid,nodev,size={TMP_BYTES},mode=1777"},
        "ShmSize": SHM_BYTES,
        "IpcMode": "private",
        "CgroupnsMode": "private",
        "MaskedPaths": list(MASKED),
        "ReadonlyPaths": list(READ_ONLY),
        "PidsLimit": job.processes,
        "Memory": job.memory_bytes,
        "MemorySwap": job.memory_bytes,
        "NanoCpus": min(cores, CORES_MAX) * 10**9,
        "Ulimits": [
            {"Name": "nofile", "Soft": OPEN_FILES_MAX, "Hard": OPEN_FILES_MAX},
            {"Name": "core", "Soft": 0, "Hard": 0},
        ],
        "Init": True,
        "LogConfig": {"Type": "none", "Config": {}},
        "DeviceRequests": [dict(gpu)] if gpu else None,
        "Privileged": False,
        "AutoRemove": False,
        "OomKillDisable": False,
        "PublishAllPorts": False,
        "PidMode": "",
        "UTSMode": "",
        "UsernsMode": "",
        **dict.fromkeys(["Binds", "Mounts", "VolumesFrom", "CapAdd", "Devices", "DeviceCgroupRules"]),
        **dict.fromkeys(["GroupAdd", "Links", "ExtraHosts", "PortBindings", "Sysctls"]),
    }


def differences(asked: Mapping[str, Any], reported: Mapping[str, Any]) -> list[str]:
    """Return one line for each field in which the created container differs from the request."""
    lines = [
        _difference(name, wanted, reported["HostConfig"].get(name))
        for name, wanted in asked["HostConfig"].items()
        if not _is_same(wanted, reported["HostConfig"].get(name))
    ]
    lines += [
        _difference(name, asked[name], reported["Config"].get(name))
        for name in (
            "Entrypoint",
            "Cmd",
            "User",
            "WorkingDir",
            "Hostname",
            "Tty",
            "OpenStdin",
            "StdinOnce",
            "Healthcheck",
        )
        if not _is_same(asked[name], reported["Config"].get(name))
    ]
    if reported["Mounts"]:
        lines.append(f"Mounts: asked for none, got {reported['Mounts']!r}")
    if not asked["Labels"].items() <= reported["Config"]["Labels"].items():
        lines.append(_difference("Labels", asked["Labels"], reported["Config"]["Labels"]))
    missing = set(asked["Env"]) - set(reported["Config"]["Env"])
    if missing:
        lines.append(f"Env: asked for {sorted(missing)!r}, got none of these")
    return lines


def _difference(name: str, wanted: object, got: object) -> str:
    """Return the line for one field, shortened because the profile and the program are too long to display."""
    shown = [text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}..." for text in (repr(wanted), repr(got))]
    return f"{name}: asked for {shown[0]}, got {shown[1]}"


def _is_same(wanted: object, got: object) -> bool:
    """Compare two values; the engine may represent an empty value as null, "", {} or []."""
    return wanted == got or (not wanted and not got)
