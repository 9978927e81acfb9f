"""The list of system calls: what is blocked, that both of its forms agree, and that its numbers are right."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest

from sandbox.isolation import seccomp
from sandbox.isolation.seccomp import ARCHITECTURES, docker_profile, kernel_filter

GROUPS = {name: text for name, text in vars(seccomp).items() if name.isupper() and isinstance(text, str)}
ALLOWED, REFUSED, NOT_THERE, KILLED = 0x7FFF_0000, 0x0005_0001, 0x0005_0026, 0x8000_0000
MACHINES = sorted(ARCHITECTURES)
INET, INET6, UNIX, NETLINK, VSOCK, STREAM, DGRAM, CLOEXEC = 2, 10, 1, 16, 40, 1, 2, 0o2000000
CLOSED = """
    io_uring_setup io_uring_enter io_uring_register ptrace process_vm_readv process_vm_writev bpf perf_event_open
    userfaultfd keyctl add_key request_key mount umount2 open_tree move_mount fsopen fsmount mount_setattr pivot_root
    chroot unshare setns kexec_load kexec_file_load init_module finit_module delete_module open_by_handle_at
    name_to_handle_at personality swapon swapoff reboot clock_settime settimeofday clock_adjtime quotactl acct
    pidfd_open pidfd_getfd pidfd_send_signal kcmp fanotify_init memfd_create memfd_secret splice vmsplice tee syslog
    io_setup io_submit shmget shmat semget msgget mq_open setuid setgid setgroups capset setxattr mknod mknodat execveat
    move_pages migrate_pages set_mempolicy iopl ioperm sethostname modify_ldt process_madvise
""".split()


def run_filter(steps: bytes, machine: str, number: int, arguments: tuple[int, ...] = ()) -> int:
    """Return the kernel's decision: a simple interpreter for the few instructions that a filter uses."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, ARCHITECTURES[machine], 0, *padded)
    at, value = 0, 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("<HBBI", steps, 8 * at)
        at += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            value = struct.unpack_from("<I", data, operand)[0]
        elif code == 0x54:
            value &= operand
        else:
            is_true = {0x15: value == operand, 0x25: value > operand, 0x35: value >= operand}[code]
            at += if_true if is_true else if_false


def ask_profile(profile: dict[str, Any], name: str, arguments: tuple[int, ...] = ()) -> int:
    """Return the decision of Docker's profile for a call, according to its documentation."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    for rule in profile["syscalls"]:
        looks = [
            padded[look["index"]] == look["value"]
            if look["op"] == "SCMP_CMP_EQ"
            else padded[look["index"]] & look["value"] == look["valueTwo"]
            for look in rule.get("args", [])
        ]
        if name in rule["names"] and all(looks):
            return ALLOWED if rule["action"] == "SCMP_ACT_ALLOW" else 0x0005_0000 | rule["errnoRet"]
    return REFUSED


CALLS = [
    ("socket", (INET, STREAM | CLOEXEC, 0), True),
    ("socket", (INET6, STREAM, 6), True),
    *[("socket", (INET, STREAM, protocol), False) for protocol in (1, 132, 262, 2**32 + 6)],  # ..., SCTP, MPTCP
    ("socket", (NETLINK, 3 | CLOEXEC, 0), True),
    *[("socket", (INET, kind, 0), False) for kind in (DGRAM, 3, 5)],
    *[("socket", (NETLINK, 3, protocol), False) for protocol in (4, 12, 16)],
    *[("socket", (family, STREAM, 0), False) for family in range(46) if family not in (INET, INET6, NETLINK)],
    ("socket", (2**32 + INET, STREAM, 0), False),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("has_loopback", [False, True])
def test_filter_and_profile_allow_the_same_sockets(machine: str, has_loopback: bool) -> None:
    steps, profile = kernel_filter(has_loopback, "cpu", machine), json.loads(docker_profile(has_loopback, "cpu"))
    for name, arguments, with_loopback in CALLS:
        want = ALLOWED if with_loopback and has_loopback else REFUSED
        number = seccomp.numbers(seccomp.BY_ARGUMENT, machine)[name]
        actions = run_filter(steps, machine, number, arguments), ask_profile(profile, name, arguments)
        assert actions == (want, want), (name, arguments)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "want"),
    [
        ("clone", (17,), ALLOWED),
        ("clone", (0x3D0F00,), ALLOWED),  # as when a thread is created
        *[("clone", (flag | 17,), REFUSED) for flag in (0x20000, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30)],
        ("clone3", (0, 0), NOT_THERE),
        ("socketpair", (UNIX, STREAM), ALLOWED),
        *[("socketpair", (family, STREAM), REFUSED) for family in (INET, 30, VSOCK)],
        ("ioctl", (0, 0x5401), ALLOWED),
        *[("ioctl", (0, request), REFUSED) for request in (0x5412, 0x541C, 2**32 + 0x5412)],
    ],
)
def test_arguments_decide(machine: str, name: str, arguments: tuple[int, ...], want: int) -> None:
    number = seccomp.numbers(seccomp.BY_ARGUMENT, machine)[name]
    assert run_filter(kernel_filter(True, "cpu", machine), machine, number, arguments) == want
    assert ask_profile(json.loads(docker_profile(True, "cpu")), name, arguments) == want


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("has_loopback", "device"), [(False, "cpu"), (True, "cpu"), (False, "cuda")])
def test_the_filter_allows_just_the_numbers_of_the_names(machine: str, has_loopback: bool, device: str) -> None:
    steps, profile = kernel_filter(has_loopback, device, machine), json.loads(docker_profile(has_loopback, device))
    table = {name: number for group in GROUPS.values() for name, number in seccomp.numbers(group, machine).items()}
    plain = {name for rule in profile["syscalls"] if not rule.get("args") for name in rule["names"]} - {"clone3"}
    allowed = {number for number in range(1024) if run_filter(steps, machine, number) == ALLOWED}
    by_argument = {table[name] for name in seccomp.names(seccomp.BY_ARGUMENT)}
    assert allowed - by_argument == {table[name] for name in plain if name in table} - by_argument
    # clone without flags is a fork; on a GPU every ioctl is open.
    assert allowed & by_argument == {table["clone"]} | ({table["ioctl"]} if device == "cuda" else set())


@pytest.mark.parametrize("machine", MACHINES)
def test_other_call_tables_and_newer_calls_are_closed(machine: str) -> None:
    steps = kernel_filter(True, "cuda", machine)
    other = next(name for name in MACHINES if name != machine)
    assert run_filter(steps, other, 0) == KILLED
    assert run_filter(steps, machine, 0x4000_0000) == NOT_THERE  # x32
    assert run_filter(steps, machine, 900) == NOT_THERE


def test_what_is_dangerous_is_not_on_the_list() -> None:
    on_list = {name for group in GROUPS.values() for name in seccomp.names(group)}
    elsewhere = {*seccomp.names(seccomp.GPU), *seccomp.names(seccomp.CHANGE_USER)}
    assert on_list & set(CLOSED) - elsewhere == set()
    for has_loopback in (False, True):
        profile = json.loads(docker_profile(has_loopback, "cpu"))
        assert [name for name in CLOSED if ask_profile(profile, name) != REFUSED] == []
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert all(entry["subArchitectures"] == [] for entry in profile["archMap"])


def test_only_a_process_that_forks_users_may_change_its_user() -> None:
    names = set(seccomp.names(seccomp.CHANGE_USER))
    plain, forking = (json.loads(docker_profile(False, "cpu", changes_user=asked)) for asked in (False, True))
    allowed = [{name for name in {*CLOSED, *names} if ask_profile(profile, name) == ALLOWED}
               for profile in (plain, forking)]  # fmt: skip
    assert allowed == [set(), names]
    for machine in MACHINES:
        numbers = seccomp.numbers(seccomp.CHANGE_USER, machine).values()
        assert {run_filter(kernel_filter(False, "cpu", machine), machine, number) for number in numbers} == {REFUSED}


def test_a_machine_without_numbers_has_no_filter() -> None:
    assert kernel_filter(True, "cpu", "riscv64") == b""


@pytest.mark.parametrize(
    ("machine", "header"),
    [("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), ("aarch64", "/usr/include/asm-generic/unistd.h")],
)
def test_the_numbers_are_the_kernels(machine: str, header: str) -> None:
    if not Path(header).exists():
        pytest.skip(f"no {header} here")
    kernel = {
        name: int(number)
        for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text())
    }
    # The generic header has three of the file calls under the names that 32-bit machines give them.
    alias = {"newfstatat": "fstatat"} if machine == "aarch64" else {}
    ours = {name: number for group in GROUPS.values() for name, number in seccomp.numbers(group, machine).items()}
    numbers = {name: kernel.get(alias.get(name, name)) for name in ours}
    newer = {"fchmodat2"}
    assert {name: n for name, n in numbers.items() if n != ours[name] and not (n is None and name in newer)} == {}
    assert len(ours) > 150
