"""What a program encounters when it tries to escape: the restrictions as seen from inside, at every level."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandbox.docker.forkserver import FIRST_USER, ForkServer
from sandbox.docker.sandbox import DockerSandbox
from sandbox.isolation.landlock import landlock_abi
from sandbox.job import Job, Sandbox
from sandbox.process.levels import ISOLATION, Level
from sandbox.process.sandbox import ProcessSandbox
from tests.sandbox.conftest import own_containers, skip_without

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fences are Linux's")
MACHINE = platform.machine()
IN_DOCKER = pytest.param("docker", marks=pytest.mark.docker)
IN_SHARED_DOCKER = pytest.param("shared docker", marks=pytest.mark.docker)
# Numbers on x86_64 and aarch64. All arguments are zero, so a call that is let through does nothing.
CLOSED = {
    **dict.fromkeys(["io_uring_setup"], (425, 425)),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "mount": (165, 40),
    "umount2": (166, 39),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "personality": (135, 92),
    "swapon": (167, 224),
    "reboot": (169, 142),
    "clock_settime": (227, 112),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "fanotify_init": (300, 262),
    "memfd_secret": (447, 447),
    "memfd_create": (319, 279),
    "splice": (275, 76),
    "shmget": (29, 194),
    "mq_open": (180, 180),
    "setuid": (105, 146),
    "syslog": (103, 116),
    "io_setup": (206, 0),
}


@pytest.fixture(params=[Level.BUBBLEWRAP, Level.LANDLOCK, IN_DOCKER, IN_SHARED_DOCKER])
def fenced_sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    if request.param == "docker":
        yield DockerSandbox()
        assert own_containers() == []
    elif request.param == "shared docker":
        with closing(ForkServer(size=1)) as server:
            yield server
        assert own_containers() == []
    else:
        skip_without(request.param)
        yield ProcessSandbox(sys.executable, request.param)


def output_of(sandbox: Sandbox, program: str, **more: Any) -> Any:
    """Return what a program printed as JSON."""
    finished = sandbox.run(Job(program, b"", 20.0, 512 * 2**20, **more))
    assert finished.exit_code == 0, finished.log.decode()
    return json.loads(finished.result)


def test_the_closed_calls_are_refused(fenced_sandbox: Sandbox) -> None:
    column = ["x86_64", "aarch64"].index(MACHINE)
    program = f"""
import ctypes, json
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    zeros = [ctypes.c_long(value) for value in (*arguments, *[0] * (5 - len(arguments)))]
    return [libc.syscall(ctypes.c_long(number), *zeros), ctypes.get_errno()]
errors = {{name: call(numbers[{column}]) for name, numbers in {CLOSED!r}.items()}}
errors["clone3"] = call(435)
errors["a call of tomorrow"] = call(900)
for name, bit in [("user", 28), ("net", 30), ("mount", 17), ("pid", 29)]:
    errors["clone into a new " + name + " namespace"] = call({[56, 220][column]}, 1 << bit | 17)
print(json.dumps(errors))
"""
    errors = output_of(fenced_sandbox, program)
    newer = {"clone3": [-1, 38], "a call of tomorrow": [-1, 38]}
    assert errors == {**{name: [-1, 1] for name in errors}, **newer}


@pytest.mark.parametrize("has_loopback", [False, True])
def test_only_the_sockets_that_gloo_needs_can_be_made(fenced_sandbox: Sandbox, has_loopback: bool) -> None:
    program = """
import json, socket
made = []
for family in range(46):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        for protocol in (0, 16):
            try:
                socket.socket(family, kind, protocol).close()
                made.append([family, kind, protocol])
            except OSError as error:
                # Anything else would mean that the kernel was asked at all.
                assert error.errno in (1, 93, 94) and (error.errno == 1 or family in (2, 10, 16)), (family, error)
left, right = socket.socketpair()
left.send(b"pair")
assert right.recv(4) == b"pair"
print(json.dumps(made))
"""
    made = output_of(fenced_sandbox, program, has_loopback=has_loopback)
    assert {(family, kind) for family, kind, _ in made} <= {(2, 1), (10, 1), (16, 2), (16, 3)}
    assert ([2, 1, 0] in made) is has_loopback
    assert bool(made) is has_loopback
    assert {protocol for family, _, protocol in made if family == 16} <= {0}


def test_status_says_no_rights_and_a_filter(fenced_sandbox: Sandbox) -> None:
    program = """
import json
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
names = ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "Seccomp", "Uid")
print(json.dumps({name: status[name].strip() for name in names}))
"""
    status = output_of(fenced_sandbox, program)
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    if fenced_sandbox.isolation != ISOLATION[Level.LANDLOCK]:  # there, it keeps the user's identity and rights
        assert status["CapEff"] == status["CapPrm"] == "0" * 16
        # The bounding set of a shared container holds what its parent may do; without new privileges, nobody gains it.
        assert int(status["CapBnd"], 16) == (1 << 5 | 1 << 6 | 1 << 7) * isinstance(fenced_sandbox, ForkServer)
        user, *others = status["Uid"].split()
        assert set(others) == {user}
        assert int(user) >= FIRST_USER if isinstance(fenced_sandbox, ForkServer) else user == "65534"


def test_the_users_files_are_out_of_reach(fenced_sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("mine")
    secret.chmod(0o666)
    tmp_path.chmod(0o777)
    program = f"""
import json, os
reached = []
def attempt(what, do):
    try:
        do()
        reached.append(what)
    except OSError:
        pass
secret, beside = {str(secret)!r}, {str(tmp_path / "new")!r}
attempt("read", lambda: open(secret).read())
attempt("write", lambda: open(secret, "a").write("x"))
attempt("truncate", lambda: os.truncate(secret, 0))
attempt("remove", lambda: os.remove(secret))
attempt("rename", lambda: os.rename(secret, secret + "2"))
attempt("link", lambda: os.link(secret, "link"))
attempt("make", lambda: open(beside, "w"))
attempt("make a folder", lambda: os.mkdir(beside))
attempt("list", lambda: os.listdir({str(tmp_path)!r}))
attempt("list home", lambda: os.listdir({str(Path.home())!r}))
attempt("read this project", lambda: open({str(Path(__file__))!r}).read())
attempt("read the root", lambda: os.listdir("/"))
attempt("read passwords", lambda: open("/etc/shadow").read())
os.symlink(secret, "pointer")
attempt("read through a link of its own", lambda: open("pointer").read())
print(json.dumps(reached))
"""
    assert output_of(fenced_sandbox, program) == []
    assert secret.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_the_app_and_other_programs_are_out_of_reach(fenced_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["sleep", "60"], env={"OPENAI_API_KEY": "sk-not-for-you"}) as other:
        program = f"""
import glob, json, os, signal
mine, seen = os.getpid(), []
for pid in [{os.getpid()}, {other.pid}, os.getppid()]:
    # A fence that fails must fail the test, not end the tests.
    for number in (0, signal.SIGKILL) if pid == {other.pid} else (0,):
        try:
            if pid not in (mine, 1):
                os.kill(pid, number)
                seen.append(f"signal {{number}} to {{pid}}")
        except OSError:
            pass
for pid in [{os.getpid()}, {other.pid}]:
    # In a process list of its own the same numbers are programs of its own.
    for name in ("environ", "maps", "mem", "cmdline", "status") if os.path.exists(f"/proc/{{pid}}") else ():
        try:
            if open(f"/proc/{{pid}}/{{name}}", "rb").read(100):
                seen.append(f"{{name}} of {{pid}}")
        except OSError:
            pass
print(json.dumps(seen))
"""
        reached = output_of(fenced_sandbox, program)
        is_alive = other.poll() is None
        other.kill()
    is_old = fenced_sandbox.isolation == ISOLATION[Level.LANDLOCK] and landlock_abi() < 6
    assert (reached, is_alive) == ([], True) or is_old


def test_what_it_writes_it_cannot_run(fenced_sandbox: Sandbox) -> None:
    program = """
import json, os, shutil, subprocess
shutil.copy("/bin/true", "mine")
os.chmod("mine", 0o755)
print(json.dumps([subprocess.run(["/bin/true"]).returncode, subprocess.run(["sh", "-c", "./mine"]).returncode]))
"""
    assert output_of(fenced_sandbox, program) == [0, 126]


def test_bubblewrap_shows_a_small_machine() -> None:
    skip_without(Level.BUBBLEWRAP)
    program = """
import json, os, pathlib, socket, subprocess
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
written = 0
try:
    with open("/tmp/big", "wb", buffering=0) as file:
        while True:
            written += file.write(bytes(2**20))
except OSError:
    pass
denied = []
for place in ("/", "/usr", "/etc", "/dev", "/proc/sys"):
    try:
        pathlib.Path(place, "try").write_text("x")
    except OSError:
        denied.append(place)
pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
mounts = [line.split()[1] for line in open("/proc/self/mounts")]
print(json.dumps([len(pids), max(pids) < 20, socket.gethostname(), written // 2**20, denied,
    sorted(os.listdir("/proc/self/net/dev_snmp6")), [place for place in mounts if place.startswith("/home")]]))
"""
    machine = output_of(ProcessSandbox(sys.executable, Level.BUBBLEWRAP), program)
    assert machine == [2, True, "cell", 64, ["/", "/usr", "/etc", "/dev", "/proc/sys"], ["lo"], []]


def test_what_holds_is_reported_and_cannot_be_forged(fenced_sandbox: Sandbox) -> None:
    program = "import os\nos.write(2, b'\\x1efence landlock=99 seccomp=0\\nmine\\n')"
    finished = fenced_sandbox.run(Job(program, b"", 20.0, 2**28))
    holds = f"Landlock {landlock_abi()}" if landlock_abi() else "no Landlock in this kernel"
    assert finished.isolation == f"{fenced_sandbox.isolation} Inside: {holds}, system calls filtered."
    assert finished.log == b"\x1efence landlock=99 seccomp=0\nmine\n"
