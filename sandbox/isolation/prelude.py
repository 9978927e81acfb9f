"""Prepends landlock.py to a program and parses its report; an unreported restriction is considered inactive."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

# System programs and libraries.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store")
# Files that Python, torch and the C library look up. The rest of /etc is off limits: without a container, it is the
# host's own /etc.
READABLE = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/nsswitch.conf"),
    *("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/host.conf"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node"),
)
# gloo aborts if it is not allowed to list the PCI bus, although it works on a machine that has no PCI bus.
KERNEL_FILES = ("/sys/bus/pci/devices", "/sys/devices", "/dev/urandom", "/dev/random", "/dev/zero")
OWN_PROC = ("/proc",)
# Landlock blocks ptrace but not reads from /proc, so the rest of /proc is excluded: it exposes the app's environment,
# including its API keys.
SHARED_PROC = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat")
DEVICES = ("/dev/null",)
# Only the first match in the log counts, even if warnings from the engine precede it. Any later match was printed by
# the program and is ignored.
REPORT = re.compile(rb"\x1efence landlock=(\d+) seccomp=(\d+)\n")


def with_prelude(
    program: str,
    own: Sequence[str],
    write: Sequence[str],
    kernel_filter: bytes = b"",
    proc: Sequence[str] = OWN_PROC,
    landlock_min: int = 0,
) -> str:
    """Return the program with code that applies these restrictions inserted before its first line.

    The program can open only system files, its interpreter's `own` files, and the files in `write`; `proc` lists the
    parts of /proc that it may read. The program does not start unless Landlock `landlock_min` or newer is active.
    """
    asked = (*allowed_paths(own, write, proc), base64.b64encode(kernel_filter).decode(), landlock_min)
    # Use a separate namespace and delete it before the program starts, so that no names leak into the program.
    start = (
        f"__restrictions__ = {{}}\nexec({_source()!r}, __restrictions__)\n"
        f"__restrictions__['apply_restrictions'](*{asked!r})\ndel __restrictions__\n"
    )
    return start + program


def allowed_paths(
    own: Sequence[str], write: Sequence[str], proc: Sequence[str] = OWN_PROC
) -> tuple[list[str], list[str], list[str]]:
    """Return the paths that a program may execute, read and write; executable paths are also readable."""
    return [*SYSTEM, *own], [*READABLE, *KERNEL_FILES, *proc], list(write)


def split_report(log: bytes) -> tuple[str, bytes]:
    """Return a text for the user about the active restrictions, and the log without landlock.py's report of them."""
    report = REPORT.search(log)
    if report is None:
        return "", log
    landlock = f"Landlock {int(report[1])}" if int(report[1]) else "no Landlock in this kernel"
    calls = "system calls filtered" if int(report[2]) == 2 else "system calls not filtered"
    return f"{landlock}, {calls}", log[: report.start()] + log[report.end() :]


@cache
def _source() -> str:
    return Path(__file__).with_name("landlock.py").read_text(encoding="utf-8")
