"""Restricts its own process before untrusted code starts, and first reports the active restrictions on stderr.

This source text is prepended to the program, so it uses only the standard library. Dropped privileges can never be
regained, not even by children.
"""

from __future__ import annotations

import base64
import ctypes
import os
import struct
import sys

REPORT = "\x1efence landlock=%d seccomp=%d\n"
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER_MODE = 38, 22, 2
# These numbers are the same on every architecture: the calls were added after system call numbers were unified.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION, BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
ABSTRACT_SOCKETS, SIGNALS = 1, 2


def rights(abi: int) -> int:
    """Return every file access right that this version of Landlock can restrict."""
    newer = [(2, REFER), (3, TRUNCATE), (5, IOCTL_DEV)]
    return (1 << 13) - 1 | sum(right for since, right in newer if abi >= since)


def landlock_abi() -> int:
    """Return the kernel's Landlock version, or 0 if Landlock is unavailable."""
    return max(_libc().syscall(CREATE_RULESET, None, 0, ASK_VERSION), 0) if sys.platform == "linux" else 0


def restrict_files(execute: list[str], read: list[str], write: list[str], *, signals_outside: bool = False) -> int:
    """Allow file access only below these paths; return the Landlock version in force.

    Unless `signals_outside` is true, this process may send signals only to itself and its later children (from
    Landlock version 6). Paths that do not exist are skipped. A return value of 0 means that file access is
    unrestricted.
    """
    abi, libc = landlock_abi(), _libc()
    if not abi:
        return 0
    all_rights = rights(abi)
    scoped = ABSTRACT_SOCKETS | (0 if signals_outside else SIGNALS) if abi >= 6 else 0
    # Older kernels accept a longer struct only if the fields that they do not recognize are zero.
    asked = struct.pack("QQQ", all_rights, 0, scoped)
    ruleset = libc.syscall(CREATE_RULESET, asked, len(asked), 0)
    if ruleset < 0:
        return 0
    reading = READ_FILE | READ_DIR
    for paths, wanted in ((execute, reading | EXECUTE), (read, reading), (write, all_rights & ~EXECUTE)):
        for path in paths:
            _allow(libc, ruleset, path, wanted & all_rights)
    is_shut = libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 and libc.syscall(RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return abi if is_shut else 0


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, wanted: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        wanted &= FILE_RIGHTS
    libc.syscall(ADD_RULE, ruleset, BENEATH, struct.pack("=Qi", wanted, parent), 0)
    os.close(parent)


def restrict_syscalls(steps: bytes) -> None:
    """Install a system call filter; if the kernel rejects the filter, `seccomp_mode` reports it."""
    program = ctypes.create_string_buffer(steps, len(steps))
    head = struct.pack("HxxxxxxQ", len(steps) // 8, ctypes.addressof(program))
    libc = _libc()
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(PR_SET_SECCOMP, FILTER_MODE, head, 0, 0)


def seccomp_mode() -> int:
    """Return 2 if any system call filter is active for this process, no matter who installed it, else 0."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            return next((int(line.split()[1]) for line in status if line.startswith("Seccomp:")), 0)
    except OSError:
        return 0


def restrict(
    execute: list[str], read: list[str], write: list[str], steps: str, *, signals_outside: bool = False
) -> tuple[int, bytes]:
    """Restrict files and system calls; return the Landlock version in force, and the report of active restrictions."""
    abi = restrict_files(execute, read, write, signals_outside=signals_outside)
    if steps:
        restrict_syscalls(base64.b64decode(steps))
    return abi, (REPORT % (abi, seccomp_mode())).encode()


def apply_restrictions(execute: list[str], read: list[str], write: list[str], steps: str, landlock_min: int) -> None:
    """Restrict files and system calls as far as this kernel allows, and report the active restrictions.

    `steps` is the system call filter in base64, or "" if there is no filter. The report is written before any untrusted
    code runs, so it cannot be forged.
    """
    abi, report = restrict(execute, read, write, steps)
    os.write(2, report)
    if abi < landlock_min:
        sys.exit(f"the restrictions were not applied: expected Landlock {landlock_min}, got {abi}")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
