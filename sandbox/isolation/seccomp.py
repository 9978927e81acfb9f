"""Makes the one list of allowed system calls into Docker's profile and into a kernel filter; both say the same.

A call that is not allowed fails with EPERM; one that is newer than the list, and clone3, with ENOSYS, so that a C
library falls back to the older call. Legacy call tables (i386, x32, 32-bit ARM) are closed: they would pass by a list.
"""

from __future__ import annotations

import errno
import json
import socket
import struct
from dataclasses import dataclass
from typing import Any

from sandbox.isolation import syscalls

# Every CLONE_NEW* bit. clone3 hides its flags behind a pointer, where no filter can look.
NAMESPACE_BITS = 0x7E02_0000
# Socket types carry flags in their high bits. UDP would leave the machine where no namespace closes the network.
TYPE_BITS = 0xF
NETLINK, NETLINK_ROUTE = 16, 0  # gloo finds its interface by it; socket.AF_NETLINK is not there on macOS
# Terminal's settings, size and group, close-on-exec, non-blocking, bytes to read, and a link's speed, which gloo asks.
# TIOCSTI and TIOCLINUX, which type into a terminal, are not here.
REQUESTS = (0x5401, 0x5410, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x8946)

ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
ALLOW, KILL = 0x7FFF_0000, 0x8000_0000
REFUSE, NOT_THERE = 0x0005_0000 | errno.EPERM, 0x0005_0000 | 38  # 38 is ENOSYS on Linux, not everywhere
LOAD, JUMP_EQUAL, JUMP_ABOVE, JUMP_FROM, MASK, RETURN = 0x20, 0x15, 0x25, 0x35, 0x54, 0x06
ARCHITECTURE_AT, ARGUMENTS_AT = 4, 16
Step = tuple[int, int, int, int]


@dataclass(frozen=True)
class Look:
    """Hold what one argument must be, in those bits of it that count; None means all 64."""

    index: int
    value: int
    bits: int | None = None


def _conditions(has_loopback: bool, device: str) -> dict[str, list[list[Look]]]:
    """Return for each call its allowed cases; in a case every look must be true."""
    meeting = [
        [Look(0, socket.AF_INET), Look(1, socket.SOCK_STREAM, TYPE_BITS)],
        [Look(0, 10), Look(1, socket.SOCK_STREAM, TYPE_BITS)],  # AF_INET6 on Linux
        [Look(0, NETLINK), Look(2, NETLINK_ROUTE)],
    ]
    return {
        "clone": [[Look(0, 0, NAMESPACE_BITS)]],
        # A socket by name or number is how one reaches another program; a pair only reaches one's own children.
        "socketpair": [[Look(0, socket.AF_UNIX)]],
        "socket": meeting if has_loopback else [],
        "ioctl": [[]] if device == "cuda" else [[Look(1, request)] for request in REQUESTS],
    }


def _groups(has_loopback: bool, device: str) -> list[str]:
    always = [syscalls.FILES, syscalls.MEMORY, syscalls.PROCESSES, syscalls.THREADS, syscalls.TIME]
    always += [syscalls.WAITING, syscalls.TALKING, syscalls.FENCES]
    return always + [syscalls.LOOPBACK] * has_loopback + [syscalls.GPU] * (device == "cuda")


def docker_profile(has_loopback: bool, device: str) -> str:
    """Return the profile as the engine takes it: JSON, in one line."""
    rules: list[dict[str, Any]] = [
        {"names": [name for group in _groups(has_loopback, device) for name in syscalls.names(group)]},
        *(
            {"names": [name], "args": [_docker_look(look) for look in case]}
            for name, cases in _conditions(has_loopback, device).items()
            for case in cases
        ),
    ]
    for rule in rules:
        rule["action"] = "SCMP_ACT_ALLOW"
    rules.append({"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38})
    machines: list[dict[str, Any]] = [
        {"architecture": name, "subArchitectures": []} for name in ("SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64")
    ]
    return json.dumps({"defaultAction": "SCMP_ACT_ERRNO", "archMap": machines, "syscalls": rules})


def _docker_look(look: Look) -> dict[str, Any]:
    if look.bits is None:
        return {"index": look.index, "value": look.value, "op": "SCMP_CMP_EQ"}
    return {"index": look.index, "value": look.bits, "valueTwo": look.value, "op": "SCMP_CMP_MASKED_EQ"}


def kernel_filter(has_loopback: bool, device: str, machine: str) -> bytes:
    """Return the filter as the kernel takes it, empty for a machine whose numbers are not on file."""
    if machine not in ARCHITECTURES:
        return b""
    allowed = [
        number for group in _groups(has_loopback, device) for number in syscalls.numbers(group, machine).values()
    ]
    by_argument = syscalls.numbers(syscalls.BY_ARGUMENT, machine)
    steps: list[Step] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (JUMP_EQUAL, 1, 0, ARCHITECTURES[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, 0),
    ]
    for first, last in _stretches(allowed):
        steps += [(JUMP_FROM, 0, 2, first), (JUMP_ABOVE, 1, 0, last), (RETURN, 0, 0, ALLOW)]
    for name, cases in _conditions(has_loopback, device).items():
        choice = [step for case in cases for step in _case(case)]
        # Every choice ends in a return, so that the number need not be loaded again after it.
        steps += [(JUMP_EQUAL, 0, len(choice) + 1, by_argument[name]), *choice, (RETURN, 0, 0, REFUSE)]
    steps += [(JUMP_EQUAL, 1, 0, by_argument["clone3"]), (JUMP_ABOVE, 0, 1, max(allowed))]
    steps += [(RETURN, 0, 0, NOT_THERE), (RETURN, 0, 0, REFUSE)]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def _stretches(numbers: list[int]) -> list[tuple[int, int]]:
    """Return first and last of each unbroken stretch, in order."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def _case(case: list[Look]) -> list[Step]:
    """Return the steps that allow one case and fall through when a look is false."""
    steps: list[Step] = [(RETURN, 0, 0, ALLOW)]
    for look in reversed(case):
        at = ARGUMENTS_AT + 8 * look.index
        tests: list[Step] = [(LOAD, 0, 0, at)]
        tests += [(MASK, 0, 0, look.bits)] if look.bits is not None else []
        tests.append((JUMP_EQUAL, 0, len(steps), look.value))
        if look.bits is None:
            # The upper half: without it, a number above 2**32 would look like the allowed one.
            tests = [(LOAD, 0, 0, at + 4), (JUMP_EQUAL, 0, len(tests) + len(steps), 0), *tests]
        steps = tests + steps
    return steps
