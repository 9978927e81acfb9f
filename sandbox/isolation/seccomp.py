"""Lists the allowed system calls, both as a Docker profile and as an equivalent kernel filter.

Each list entry has the form `name:x86_64:aarch64`, with the call's number on each architecture, or "-" if an
architecture lacks the call. The kernel never changes these numbers. A forbidden call fails with EPERM. Calls newer than
the list, and clone3, fail with ENOSYS, so that the C library falls back to an older call. Legacy call tables (i386,
x32, 32-bit ARM) are blocked, because they would bypass the list.
"""

from __future__ import annotations

import errno
import json
import socket
import struct
from dataclasses import dataclass
from typing import Any

# All CLONE_NEW* bits. clone3 passes its flags through a pointer, which a filter cannot inspect.
NAMESPACE_BITS = 0x7E02_0000
# Socket types contain flags in their high bits. Without a network namespace, UDP could reach other machines.
TYPE_BITS = 0xF
INET6 = 10  # as on Linux
NETLINK, NETLINK_ROUTE = 16, 0  # gloo finds its interface through netlink, and macOS has no socket.AF_NETLINK.
# The allowed ioctl requests: terminal settings, size and group, close-on-exec, non-blocking mode, bytes to read, and
# link speed, which gloo queries. TIOCSTI and TIOCLINUX are excluded because they inject input into a terminal.
REQUESTS = (0x5401, 0x5410, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x8946)

ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
ALLOW, KILL = 0x7FFF_0000, 0x8000_0000
REFUSE, NOT_THERE = 0x0005_0000 | errno.EPERM, 0x0005_0000 | 38  # 38 is ENOSYS on Linux; other systems differ
LOAD, JUMP_EQUAL, JUMP_ABOVE, JUMP_FROM, MASK, RETURN = 0x20, 0x15, 0x25, 0x35, 0x54, 0x06
ARCHITECTURE_AT, ARGUMENTS_AT = 4, 16
Step = tuple[int, int, int, int]


# Opening, reading, writing and naming files; the mounts and Landlock decide which files are accessible. Excluded
# because they bypass path checks: open_by_handle_at and name_to_handle_at. Also excluded: mount, chroot, setxattr,
# chown, mknod, quotactl, fanotify and inotify. splice, tee, vmsplice, io_uring and io_submit are excluded because most
# of the recent vulnerabilities were found in them and torch does not need them.
FILES = """
read:0:63 write:1:64 readv:19:65 writev:20:66 pread64:17:67 pwrite64:18:68 preadv:295:69 pwritev:296:70
preadv2:327:286 pwritev2:328:287 lseek:8:62 open:2:- openat:257:56 openat2:437:437 creat:85:- close:3:57
close_range:436:436 dup:32:23 dup2:33:- dup3:292:24 fcntl:72:25 flock:73:32 fsync:74:82 fdatasync:75:83
ftruncate:77:46 truncate:76:45 fallocate:285:47 fadvise64:221:223 readahead:187:213 sendfile:40:71
copy_file_range:326:285 stat:4:- fstat:5:80 lstat:6:- newfstatat:262:79 statx:332:291 access:21:- faccessat:269:48
faccessat2:439:439 readlink:89:- readlinkat:267:78 getdents:78:- getdents64:217:61 getcwd:79:17 chdir:80:49
fchdir:81:50 mkdir:83:- mkdirat:258:34 rmdir:84:- unlink:87:- unlinkat:263:35 rename:82:- renameat:264:38
renameat2:316:276 link:86:- linkat:265:37 symlink:88:- symlinkat:266:36 chmod:90:- fchmod:91:52 fchmodat:268:53
fchmodat2:452:452 umask:95:166 utime:132:- utimes:235:- futimesat:261:- utimensat:280:88 statfs:137:43 fstatfs:138:44
getxattr:191:8 lgetxattr:192:9 fgetxattr:193:10 listxattr:194:11 llistxattr:195:12 flistxattr:196:13
"""
# System calls that allocators and the loader use to manage memory. Excluded: memfd_create (an executable file outside
# every mount), memfd_secret, userfaultfd, process_vm_readv and _writev, remap_file_pages, and mbind, which torch's
# allocator does not need.
MEMORY = """
mmap:9:222 munmap:11:215 mprotect:10:226 mremap:25:216 brk:12:214 madvise:28:233 msync:26:227 mincore:27:232
membarrier:324:283
"""
# Children, signals and process identity. fork and vfork create no namespaces; clone can, so it is filtered below.
# Excluded: ptrace, kcmp, pidfd_*, unshare, setns, personality, execveat, bpf, perf_event_open, keyctl and related
# calls, kexec, modules, reboot, swap, acct, syslog, and calls that change the user.
PROCESSES = """
fork:57:- vfork:58:- execve:59:221 exit:60:93 exit_group:231:94 wait4:61:260 waitid:247:95 kill:62:129 tkill:200:130
tgkill:234:131 getpid:39:172 getppid:110:173 gettid:186:178 getpgid:121:155 getpgrp:111:- setpgid:109:154
getsid:124:156 setsid:112:157 getuid:102:174 geteuid:107:175 getgid:104:176 getegid:108:177 getresuid:118:148
getresgid:120:150 getgroups:115:158 capget:125:90 prctl:157:167 arch_prctl:158:- prlimit64:302:261 getrlimit:97:163
setrlimit:160:164 getrusage:98:165 getpriority:140:141 setpriority:141:140 times:100:153 sysinfo:99:179 uname:63:160
getcpu:309:168 rt_sigaction:13:134 rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigsuspend:130:133
rt_sigpending:127:136 rt_sigtimedwait:128:137 rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240 sigaltstack:131:132
pause:34:- restart_syscall:219:128
"""
# System calls for locks and thread placement. Excluded: sched_setscheduler and related calls, which a process
# could use to raise its own priority class.
THREADS = """
futex:202:98 futex_waitv:449:449 set_tid_address:218:96 set_robust_list:273:99 get_robust_list:274:100 rseq:334:293
sched_yield:24:124 sched_getaffinity:204:123 sched_setaffinity:203:122 sched_getparam:143:121
sched_getscheduler:145:120 sched_get_priority_max:146:125 sched_get_priority_min:147:126
"""
# Reading clocks and sleeping are allowed; calls that set a clock are excluded.
TIME = """
clock_gettime:228:113 clock_getres:229:114 clock_nanosleep:230:115 nanosleep:35:101 gettimeofday:96:169 time:201:-
alarm:37:- getitimer:36:102 setitimer:38:103 timer_create:222:107 timer_settime:223:110 timer_gettime:224:108
timer_getoverrun:225:109 timer_delete:226:111 timerfd_create:283:85 timerfd_settime:286:86 timerfd_gettime:287:87
"""
# Waiting on file descriptors.
WAITING = """
select:23:- pselect6:270:72 poll:7:- ppoll:271:73 epoll_create:213:- epoll_create1:291:20 epoll_ctl:233:21
epoll_wait:232:- epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:- eventfd2:290:19 pipe:22:- pipe2:293:59
"""
# Calls on existing sockets; the rules below decide which sockets may be created.
TALKING = """
sendto:44:206 recvfrom:45:207 sendmsg:46:211 recvmsg:47:212 shutdown:48:210 getsockname:51:204 getpeername:52:205
getsockopt:55:209 setsockopt:54:208
"""
# Random numbers, and calls that can only add restrictions.
RANDOM_AND_RESTRICTING = """
getrandom:318:278 seccomp:317:277 landlock_create_ruleset:444:444 landlock_add_rule:445:445
landlock_restrict_self:446:446
"""
# Only a process that forks children with separate user ids may make these calls, never a child.
CHANGE_USER = """
setgroups:116:159 setresgid:119:149 setresuid:117:147
"""
# These calls are only for jobs whose ranks communicate over TCP.
LOOPBACK = """
connect:42:203 bind:49:200 listen:50:201 accept:43:202 accept4:288:242
"""
# These calls are only for jobs on a GPU, because the driver library maps and pins memory. The calls have not been
# tested on a GPU yet.
GPU = """
memfd_create:319:279 mlock:149:228 mlock2:325:284 munlock:150:229 mbind:237:235 get_mempolicy:239:236
set_mempolicy:238:237
"""
# Calls that the rules below allow or deny based on their arguments.
BY_ARGUMENT = """
clone:56:220 clone3:435:435 socket:41:198 socketpair:53:199 ioctl:16:29
"""


def numbers(group: str, machine: str) -> dict[str, int]:
    """Return a group's system call numbers on "x86_64" or "aarch64" by name, omitting calls the architecture lacks."""
    column = {"x86_64": 1, "aarch64": 2}[machine]
    entries = [entry.split(":") for entry in group.split()]
    return {entry[0]: int(entry[column]) for entry in entries if entry[column] != "-"}


def names(group: str) -> list[str]:
    """Return the names of the system calls in a group."""
    return [entry.partition(":")[0] for entry in group.split()]


@dataclass(frozen=True)
class ArgCondition:
    """The required value of one argument, after masking with `bits`; None means all 64 bits."""

    index: int
    value: int
    bits: int | None = None


def _conditions(has_loopback: bool, device: str) -> dict[str, list[list[ArgCondition]]]:
    """Return the cases in which each restricted system call is allowed.

    A case is a list of conditions on the call's arguments, all of which must be true.
    """
    meeting = [
        [ArgCondition(0, family), ArgCondition(1, socket.SOCK_STREAM, TYPE_BITS), ArgCondition(2, protocol)]
        for family in (socket.AF_INET, INET6)
        for protocol in (0, socket.IPPROTO_TCP)
    ]
    meeting.append([ArgCondition(0, NETLINK), ArgCondition(2, NETLINK_ROUTE)])
    return {
        "clone": [[ArgCondition(0, 0, NAMESPACE_BITS)]],
        # A socket with a path or a port can reach other programs; a socket pair reaches only the process's own
        # children.
        "socketpair": [[ArgCondition(0, socket.AF_UNIX)]],
        "socket": meeting if has_loopback else [],
        "ioctl": [[]] if device == "cuda" else [[ArgCondition(1, request)] for request in REQUESTS],
    }


def _groups(has_loopback: bool, device: str) -> list[str]:
    always = [FILES, MEMORY, PROCESSES, THREADS, TIME]
    always += [WAITING, TALKING, RANDOM_AND_RESTRICTING]
    return always + [LOOPBACK] * has_loopback + [GPU] * (device == "cuda")


def docker_profile(has_loopback: bool, device: str, changes_user: bool = False) -> str:
    """Return the seccomp profile in the Docker engine's format, as JSON on one line.

    If `changes_user`, the container's processes may also change their user; their children then need the kernel filter.
    """
    groups = _groups(has_loopback, device) + [CHANGE_USER] * changes_user
    rules: list[dict[str, Any]] = [
        {"names": [name for group in groups for name in names(group)]},
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


def _docker_look(look: ArgCondition) -> dict[str, Any]:
    if look.bits is None:
        return {"index": look.index, "value": look.value, "op": "SCMP_CMP_EQ"}
    return {"index": look.index, "value": look.bits, "valueTwo": look.value, "op": "SCMP_CMP_MASKED_EQ"}


def kernel_filter(has_loopback: bool, device: str, machine: str) -> bytes:
    """Return the filter in the kernel's format; empty for an architecture whose call numbers are not listed."""
    if machine not in ARCHITECTURES:
        return b""
    allowed = [number for group in _groups(has_loopback, device) for number in numbers(group, machine).values()]
    by_argument = numbers(BY_ARGUMENT, machine)
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
        # Every branch ends in a return, so the system call number does not have to be reloaded afterward.
        steps += [(JUMP_EQUAL, 0, len(choice) + 1, by_argument[name]), *choice, (RETURN, 0, 0, REFUSE)]
    steps += [(JUMP_EQUAL, 1, 0, by_argument["clone3"]), (JUMP_ABOVE, 0, 1, max(allowed))]
    steps += [(RETURN, 0, 0, NOT_THERE), (RETURN, 0, 0, REFUSE)]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def _stretches(numbers: list[int]) -> list[tuple[int, int]]:
    """Return the first and last number of each contiguous range, in order."""
    stretches: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if stretches and stretches[-1][1] == number - 1:
            stretches[-1] = stretches[-1][0], number
        else:
            stretches.append((number, number))
    return stretches


def _case(case: list[ArgCondition]) -> list[Step]:
    """Return the filter steps that allow the call if all conditions of the case are true, and else fall through."""
    steps: list[Step] = [(RETURN, 0, 0, ALLOW)]
    for look in reversed(case):
        at = ARGUMENTS_AT + 8 * look.index
        tests: list[Step] = [(LOAD, 0, 0, at)]
        tests += [(MASK, 0, 0, look.bits)] if look.bits is not None else []
        tests.append((JUMP_EQUAL, 0, len(steps), look.value))
        if look.bits is None:
            # Check the upper 32 bits too; otherwise, an argument with more than 32 bits could match an allowed value
            # with the same lower 32 bits.
            tests = [(LOAD, 0, 0, at + 4), (JUMP_EQUAL, 0, len(tests) + len(steps), 0), *tests]
        steps = tests + steps
    return steps
