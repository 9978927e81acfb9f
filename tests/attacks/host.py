"""Compares the machine before and after: what an attack leaves behind is found by its name, its owner or its size."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
MARK = "attacked"  # every file that an attack writes, wherever it can, has a name that begins so
MEMORY_MARGIN_BYTES = 2**30  # other programs share memory too; an attack that filled a disk in memory takes more


@dataclass(frozen=True)
class Host:
    """What must be the same before and after all attacks."""

    marked_files: frozenset[str]
    cell_folders: frozenset[str]
    tasks: str
    clock_settings: str
    volumes: tuple[str, ...]


def look(cells: Path) -> Host:
    """Return the state of the machine; `cells` is the temp folder of the cells that are not containers."""
    return Host(
        marked_files=frozenset(marked_files()),
        cell_folders=frozenset(path.name for path in cells.glob("interviewer-cell-*")),
        tasks=digest(ROOT / "tasks"),
        clock_settings=Path("/proc/sys/kernel/core_pattern").read_text() if Path("/proc/sys").exists() else "",
        volumes=tuple(engine("volume", "ls", "--quiet")),
    )


def marked_files() -> list[str]:
    """Return files with an attack's mark in places that it might reach: the roots of disk, temp, home and project."""
    places = ["/", "/tmp", "/var/tmp", "/dev/shm", "/etc", "/root", "/home", "/opt", "/run", tempfile.gettempdir()]
    places += [os.path.expanduser("~"), os.getcwd(), *(str(path) for path in ROOT.iterdir() if path.is_dir())]
    files = []
    for place in set(places):
        with suppress(OSError):
            files += [f"{place}/{name}" for name in os.listdir(place) if name.startswith(MARK)]
    return files


def digest(folder: Path) -> str:
    """Return a single digest of all sources under a folder."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            whole.update(str(path).encode() + path.read_bytes())
    return whole.hexdigest()


def engine(*words: str) -> list[str]:
    """Return the lines that the Docker client prints; empty if there is no engine."""
    with suppress(OSError):
        done = subprocess.run(["docker", *words], capture_output=True, text=True, check=False)
        return sorted(done.stdout.split())
    return []


def own_containers() -> list[str]:
    """Return the containers that this test process owns."""
    return engine("ps", "--all", "--format", "{{.Names}}", "--filter", f"name=interviewer-{os.getpid()}-")


def cell_processes(cells: Path) -> list[str]:
    """Return the commands of the processes that were started in one of the cells or run in one; needs /proc."""
    commands = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # A process that has changed its environment may still be in its cell's folder, even after the folder's
            # removal.
            is_there = os.readlink(entry / "cwd").startswith(f"{cells}/interviewer-cell-")
            if is_there or f"HOME={cells}/interviewer-cell-".encode() in (entry / "environ").read_bytes():
                commands.append((entry / "cmdline").read_bytes()[-200:].decode(errors="replace"))
    return commands


def ownerless_memory_bytes() -> int:
    """Return the memory that would remain in use if every process ended: shared memory, temp files, the kernel's own.

    The memory of processes is not informative: other tests' containers allocate and free gigabytes in the meantime. 0
    on a system without /proc.
    """
    meminfo = Path("/proc/meminfo")
    lines = meminfo.read_text(encoding="ascii").splitlines() if meminfo.exists() else []
    sizes = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    return sizes.get("Shmem", 0) + sizes.get("SUnreclaim", 0)
