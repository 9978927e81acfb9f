"""Says what a container must be like; what the engine reports is compared with it, field by field, before it starts.

The configuration is written in the engine's own JSON, so that the very object that was asked for is the one compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.job import Job

PYTHON = "/opt/sandbox/bin/python"
USER = "65534:65534"
TMP_BYTES = 64 * 2**20
SHM_BYTES = 64 * 2**20
OPEN_FILES_MAX = 1024
CORES_MAX = 2
# An image without it was not built from our Dockerfile and may lack torch, or declare volumes and start commands.
IMAGE_LABEL = "interviewer.torch"
ENVIRONMENT = (
    "HOME=/tmp",
    "TMPDIR=/tmp",
    "LANG=C.UTF-8",
    "OMP_NUM_THREADS=1",
    "MKL_NUM_THREADS=1",
    "GLOO_SOCKET_IFNAME=lo",
)


def container_config(job: Job, image: str, labels: Mapping[str, str], cores: int) -> dict[str, Any]:
    """Return the body of the engine's create request for one job; the payload is not in it."""
    return {
        "Image": image,
        "Entrypoint": [PYTHON, "-I", "-u", "-c"],
        "Cmd": [job.program],
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
        "HostConfig": _host_config(job, cores),
    }


def _host_config(job: Job, cores: int) -> dict[str, Any]:
    """Return limits and fences; the empty entries are asked for as well, so that they are compared too."""
    gpus = [{"Driver": "", "Count": -1, "DeviceIDs": None, "Capabilities": [["gpu"]], "Options": {}}]
    return {
        "NetworkMode": "none",
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true"],
        "ReadonlyRootfs": True,
        "Tmpfs": {"/tmp": f"rw,noexec,nosuid,nodev,size={TMP_BYTES},mode=1777"},
        "ShmSize": SHM_BYTES,
        "IpcMode": "private",
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
        "DeviceRequests": gpus if job.device == "cuda" else None,
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
    """Return one line for each point where the created container is not what was asked for."""
    found = [
        f"{name}: asked for {wanted!r}, got {reported['HostConfig'].get(name)!r}"
        for name, wanted in asked["HostConfig"].items()
        if not _is_same(wanted, reported["HostConfig"].get(name))
    ]
    found += [
        f"{name}: asked for {asked[name]!r}, got {reported['Config'].get(name)!r}"
        for name in ("Entrypoint", "Cmd", "User", "WorkingDir", "Hostname", "Tty", "StdinOnce")
        if not _is_same(asked[name], reported["Config"].get(name))
    ]
    if reported["Mounts"]:
        found.append(f"Mounts: asked for none, got {reported['Mounts']!r}")
    missing = set(asked["Env"]) - set(reported["Config"]["Env"])
    if missing:
        found.append(f"Env: asked for {sorted(missing)!r}, got without")
    return found


def _is_same(wanted: object, got: object) -> bool:
    """Compare; the engine writes nothing as null, "", {} or [], as it likes."""
    return wanted == got or (not wanted and not got)
