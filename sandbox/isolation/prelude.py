"""Puts landlock.py in front of a program and reads its report; a restriction that is not reported does not hold."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

# The system's own programs and libraries.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store")
# What Python, torch and the C library look up. Of /etc only this: on a machine without a container it is the user's.
READABLE = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/nsswitch.conf"),
    *("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/host.conf"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node"),
)
# gloo gives up when it may not look through the PCI bus, though it does without one that is not there.
KERNEL_FILES = ("/sys/bus/pci/devices", "/sys/devices", "/dev/urandom", "/dev/random", "/dev/zero")
OWN_PROC = ("/proc",)
# Landlock stops tracing, not reading: with the rest of /proc goes the app's environment, and the keys in it.
SHARED_PROC = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat")
DEVICES = ("/dev/null",)
# First of all in the log, up to the engine's own warnings: what a program writes later is never looked at.
REPORT = re.compile(rb"\x1efence landlock=(\d+) seccomp=(\d+)\n")


def with_prelude(
    program: str,
    own: Sequence[str],
    write: Sequence[str],
    kernel_filter: bytes = b"",
    proc: Sequence[str] = OWN_PROC,
    landlock_min: int = 0,
) -> str:
    """Return the program with these restrictions put in force before its first line.

    It can open the system's files, its interpreter's `own`, and those in `write`, and nothing else; `proc` is what it
    may read of the process list. It does not start where a Landlock of at least `landlock_min` does not hold.
    """
    asked = (
        [*SYSTEM, *own],
        [*READABLE, *KERNEL_FILES, *proc],
        list(write),
        base64.b64encode(kernel_filter).decode(),
        landlock_min,
    )
    # A namespace of its own, gone before the program starts: its names must not appear in the program's.
    start = (
        f"__restrictions__ = {{}}\nexec({_source()!r}, __restrictions__)\n"
        f"__restrictions__['apply_restrictions'](*{asked!r})\ndel __restrictions__\n"
    )
    return start + program


def split_report(log: bytes) -> tuple[str, bytes]:
    """Return what restrictions hold, in words for the user, and the log without the report."""
    report = REPORT.search(log)
    if report is None:
        return "", log
    landlock = f"Landlock {int(report[1])}" if int(report[1]) else "no Landlock in this kernel"
    calls = "system calls filtered" if int(report[2]) == 2 else "system calls not filtered"
    return f"{landlock}, {calls}", log[: report.start()] + log[report.end() :]


@cache
def _source() -> str:
    return Path(__file__).with_name("landlock.py").read_text(encoding="utf-8")
