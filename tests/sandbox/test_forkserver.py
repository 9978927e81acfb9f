"""A shared container: each job has its own user, sees nothing of earlier jobs, and cannot reach the parent."""

from __future__ import annotations

import json
import os
import secrets
import struct
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from graders.sandboxes import USUAL_JOB
from sandbox.docker import forkserver
from sandbox.docker.forkserver import ISOLATION, KINDS_MAX, ForkServer, Turn
from sandbox.docker.sandbox import DockerSandbox
from sandbox.docker.spec import shared_container_config
from sandbox.isolation import forking
from sandbox.isolation.forking import CLOSED_CONNECTIONS_MAX, REPORT_END, STOPPED
from sandbox.isolation.seccomp import ARCHITECTURES, kernel_filter
from sandbox.job import Ending, Finished, Job, OwnInterpreters
from sandbox.stream import OutputCollector
from tests.recorded import grader
from tests.sandbox.conftest import own_containers

pytestmark = pytest.mark.recorded(subject_of=grader)

TOKEN = bytes(range(16))
# Submitted as the payload, so that jobs with different code are of the same kind and share a container.
RUN_PAYLOAD = "import sys\nexec(sys.stdin.read())"
ONLY_THESE = 1 << 5 | 1 << 6 | 1 << 7  # CAP_KILL, CAP_SETGID, CAP_SETUID


def job(code: str, wall_seconds: float = 20.0, **more: Any) -> Job:
    return Job(RUN_PAYLOAD, code.encode(), wall_seconds, 512 * 2**20, **more)


def output_of(server: ForkServer, code: str) -> Any:
    """Return what a job prints as JSON; the job must run in the shared container."""
    finished = server.run(job(code))
    assert finished.isolation.startswith(ISOLATION), finished
    assert (finished.ending, finished.exit_code) == (Ending.EXITED, 0), finished
    return json.loads(finished.result)


@pytest.fixture(scope="module")
def shared_server() -> Iterator[ForkServer]:
    with closing(ForkServer(size=1)) as server:
        yield server
    assert own_containers() == []


@pytest.fixture
def server(shared_server: ForkServer) -> ForkServer:
    """Return this module's server, with a container that has reported no irregularity."""
    shared_server.run(job(""))
    return shared_server


@pytest.mark.parametrize(
    ("inuse", "closed", "is_gone"),
    [(0, CLOSED_CONNECTIONS_MAX, True), (0, CLOSED_CONNECTIONS_MAX + 1, False), (1, 0, False)],
)
def test_a_socket_or_many_closed_connections_are_noticed(
    inuse: int, closed: int, is_gone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forking, "socket_counts", lambda: {"inuse": inuse, "tw": closed})
    assert forking.sockets_are_gone() is is_gone


@pytest.mark.parametrize("chunk_bytes", [1, 3, 16, 17, 1000])
def test_reports_are_recognized_wherever_chunks_end(chunk_bytes: int) -> None:
    collector = OutputCollector(job("", is_complete=lambda result: False))
    turn = Turn(collector, TOKEN)
    log = b"log" + TOKEN[:5] + b"more" + TOKEN[:1]
    sent = log + TOKEN + REPORT_END.pack(3, True)
    turn.take_result(b"res")
    for start in range(0, len(sent), chunk_bytes):
        turn.take_log(sent[start : start + chunk_bytes])
    assert (collector.ending, turn.exit_code, turn.is_clean) == (Ending.EXITED, 3, True)
    assert not turn.is_reported
    late = b"ult" + TOKEN[:3] + TOKEN
    for start in range(0, len(late), chunk_bytes):
        turn.take_result(late[start : start + chunk_bytes])
    turn.finish_result(job(""))
    assert turn.is_reported
    assert bytes(collector.result) == b"result" + TOKEN[:3]
    assert collector.log.bytes() == log


def test_a_report_with_another_token_is_only_output() -> None:
    collector = OutputCollector(job(""))
    turn = Turn(collector, TOKEN)
    forged = secrets.token_bytes(16) + REPORT_END.pack(0, True)
    turn.take_log(forged)
    turn.take_result(forged)
    turn.flush_log()
    assert (turn.exit_code, turn.is_over, collector.ending) == (None, False, None)
    assert collector.log.bytes() == collector.result == forged


def test_what_follows_a_complete_result_is_dropped() -> None:
    collector = OutputCollector(job("", is_complete=lambda result: result == b"whole"))
    turn = Turn(collector, TOKEN)
    turn.take_result(b"whole")
    collector.check_result()
    turn.take_result(b"more" * 1000 + TOKEN)
    turn.take_log(TOKEN + REPORT_END.pack(STOPPED, True))
    assert turn.is_reported
    assert (collector.ending, bytes(collector.result)) == (Ending.RESULT_COMPLETE, b"whole")


class UnreadyContainer:
    """The streams of a container that never reports that it is ready."""

    def __init__(self) -> None:
        self.stream, self._end = os.pipe()
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True
        os.close(self.stream)
        os.close(self._end)


@pytest.fixture
def unready(monkeypatch: pytest.MonkeyPatch) -> UnreadyContainer:
    """Return the container that each server of the test opens."""
    container = UnreadyContainer()
    monkeypatch.setattr(DockerSandbox, "attach", lambda *_: container)
    return container


@pytest.mark.timeout(30)
def test_closing_does_not_wait_until_the_next_container_is_ready(unready: UnreadyContainer) -> None:
    server = ForkServer()
    server._containers_for(job("")).open_another(job(""))
    server.close()
    assert unready.is_closed


@pytest.mark.timeout(30)
def test_a_cancelled_job_does_not_wait_until_its_container_is_ready(
    unready: UnreadyContainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancelled = Finished(b"", b"", False, Ending.CANCELLED, None, 0.0, "")
    monkeypatch.setattr(DockerSandbox, "run", lambda *_: cancelled)
    with closing(ForkServer()) as server:
        assert server.run(job(""), lambda: True) is cancelled
        assert unready.is_closed
        assert not server._is_refused  # the next job may use a shared container


@pytest.mark.docker
class TestInTheContainer:
    """One container, many jobs."""

    def test_each_job_has_its_own_user_and_no_rights(self, server: ForkServer) -> None:
        code = """
import json
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps({name: status[name].split() for name in
    ("Uid", "Gid", "Groups", "CapEff", "CapPrm", "CapInh", "CapAmb", "NoNewPrivs", "Seccomp", "Seccomp_filters")}))
"""
        seen = [output_of(server, code) for _ in range(3)]
        for status in seen:
            assert len({*status["Uid"], *status["Gid"]}) == 1
            assert int(status["Uid"][0]) >= forkserver.FIRST_USER
            assert status["Groups"] == []
            assert {status[name][0] for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")} == {"0" * 16}
            assert (status["NoNewPrivs"], status["Seccomp"], status["Seccomp_filters"]) == (["1"], ["2"], ["2"])
        assert len({status["Uid"][0] for status in seen}) == 3

    def test_the_parent_can_change_users_and_kill_and_nothing_else(self, server: ForkServer) -> None:
        code = """
import json, os
status = dict(line.split(":", 1) for line in open(f"/proc/{os.getppid()}/status"))
print(json.dumps([status[name].split()[0] for name in ("Uid", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp")]))
"""
        user, effective, bounding, no_new_rights, seccomp = output_of(server, code)
        assert (user, no_new_rights, seccomp) == ("0", "1", "2")
        assert int(effective, 16) == int(bounding, 16) == ONLY_THESE

    def test_the_parent_is_out_of_reach(self, server: ForkServer) -> None:
        code = """
import ctypes, json, os, signal
reached, parent = [], os.getppid()
def attempt(what, do):
    try:
        do()
        reached.append(what)
    except OSError:
        pass
for pid in (1, parent):
    for number in (0, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL, signal.SIGCHLD):
        attempt(f"signal {number} to {pid}", lambda: os.kill(pid, number))
    for name in ("environ", "mem", "maps", "auxv", "stack", "syscall", "io", "smaps"):
        attempt(f"{name} of {pid}", lambda: open(f"/proc/{pid}/{name}", "rb").read(64))
    for name in ("fd", "ns", "map_files"):
        attempt(f"{name} of {pid}", lambda: [os.readlink(entry) for entry in os.scandir(f"/proc/{pid}/{name}")])
    attempt(f"cwd of {pid}", lambda: os.readlink(f"/proc/{pid}/cwd"))
    attempt(f"oom score of {pid}", lambda: open(f"/proc/{pid}/oom_score_adj", "w").write("1000"))
    attempt(f"priority of {pid}", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
    attempt(f"cores of {pid}", lambda: os.sched_setaffinity(pid, {0}))
attempt("another user", lambda: os.setresuid(0, 0, 0))
attempt("user of the next job", lambda: os.setresuid(*[os.getuid() + 1] * 3))
attempt("another group", lambda: os.setgroups([0]))
attempt("parent's oom score of its own", lambda: open("/proc/self/oom_score_adj", "w").write("0"))
print(json.dumps(reached))
"""
        assert output_of(server, code) == []
        assert output_of(server, "import os; print(os.getpid())") > 0

    def test_standard_input_is_empty_and_no_other_descriptor_is_open(self, server: ForkServer) -> None:
        code = """
import json, os
links = {name: os.readlink(f"/proc/self/fd/{name}") for name in ("0", "1", "2")}
others = [name for name in os.listdir("/proc/self/fd") if int(name) > 2 and os.path.exists(f"/proc/self/fd/{name}")]
print(json.dumps([links["0"], os.read(0, 10).decode(), others]))
"""
        assert output_of(server, code) == ["/dev/null", "", []]

    def test_nothing_of_a_job_is_in_the_memory_of_the_next(self, server: ForkServer) -> None:
        secret, own = secrets.token_hex(16), secrets.token_hex(16)
        for _ in range(2):
            server.run(job(f"import sys\nsecret = {secret!r}\nprint(secret)\nsys.stderr.write(secret)"))
        # The needles are reversed, so that the search does not find itself.
        code = f"""
import json
own = {own!r}
needles, found = [{secret[::-1]!r}.encode(), {own[::-1]!r}.encode()], [0, 0]
with open("/proc/self/mem", "rb", buffering=0) as memory:
    for line in open("/proc/self/maps"):
        area, rights = line.split()[:2]
        start, end = (int(number, 16) for number in area.split("-"))
        if "r" in rights and start < 2**47:
            try:
                memory.seek(start)
                data = memory.read(end - start)[::-1]
            except OSError:
                continue
            for place, needle in enumerate(needles):
                found[place] += data.count(needle)
print(json.dumps(found))
"""
        of_the_other, of_its_own = output_of(server, code)
        assert of_the_other == 0
        assert of_its_own > 0

    @pytest.mark.parametrize(
        "leaves",
        [
            "open('/tmp/left', 'w').write('x')",
            "open('/dev/shm/left', 'w').write('x')",
            "import os; os.mkdir('/tmp/left'); os.chmod('/tmp/left', 0)",
            "import fcntl, os; fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK)",
            "import fcntl; fcntl.fcntl(2, 1031, 4096)",
        ],
        ids=["a file in /tmp", "shared memory", "a closed folder", "a pipe that does not block", "a small pipe"],
    )
    def test_what_outlives_a_job_costs_the_container(self, server: ForkServer, leaves: str) -> None:
        before = server.container_count
        assert server.run(job(f"{leaves}\nprint('done')")).result == b"done\n"
        code = """
import fcntl, json, os
print(json.dumps([os.listdir("/tmp"), os.listdir("/dev/shm"), fcntl.fcntl(1, fcntl.F_GETFL) & os.O_NONBLOCK]))
"""
        assert output_of(server, code) == [["job"], [], 0]
        assert server.container_count == before + 1

    @pytest.mark.parametrize(
        "leaves",
        [
            "import os; os.mkdir('d'); open('d/file', 'w'); os.chmod('d', 0)",
            "import os\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  while True: pass",
            "import os\nfor _ in range(40):\n if os.fork() == 0: os._exit(0)",
            "import os, signal\nfor number in range(1, 65):\n try: signal.signal(number, signal.SIG_IGN)\n"
            " except (OSError, ValueError): pass\nif os.fork() == 0:\n while True: pass",
        ],
        ids=["files in its folder", "a daemon", "zombies", "a child that ignores signals"],
    )
    def test_what_is_removed_does_not_cost_the_container(self, server: ForkServer, leaves: str) -> None:
        before = server.container_count
        server.run(job(leaves))
        code = """
import json, os
pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
print(json.dumps([os.listdir("."), sorted(set(pids) - {1, os.getpid(), os.getppid()})]))
"""
        assert output_of(server, code) == [[], []]
        assert server.container_count == before

    def test_a_daemon_cannot_write_into_the_output_of_the_next_job(self, server: ForkServer) -> None:
        code = (
            "import os\nif os.fork() == 0:\n os.setsid()\n while True:\n  os.write(1, b'mine'); os.write(2, b'mine')\n"
        )
        for _ in range(3):
            server.run(job(code, is_complete=lambda result: b"mine" in result))
            finished = server.run(job("print('clean')"))
            assert (finished.result, finished.log) == (b"clean\n", b"")

    def test_a_forged_report_ends_nothing(self, server: ForkServer) -> None:
        report = struct.pack("<16s", b"x") + REPORT_END.pack(0, True)
        code = f"import os, time\nfor fd in (1, 2): os.write(fd, {report!r})\ntime.sleep(0.3)\nos.write(1, b'end')"
        finished = server.run(job(f"{code}\nos._exit(7)"))
        assert (finished.ending, finished.exit_code) == (Ending.EXITED, 7)
        assert finished.result == report + b"end"

    def test_a_killed_job_is_judged_in_a_container_of_its_own(self, server: ForkServer) -> None:
        before = server.container_count
        finished = server.run(job("import os\nos.kill(os.getpid(), 9)"))
        assert (finished.ending, finished.exit_code) == (Ending.EXITED, 137)
        assert finished.isolation.startswith(DockerSandbox.isolation)
        finished = server.run(job("block = bytearray(2**30)"))
        assert (finished.ending, finished.exit_code) == (Ending.OUT_OF_MEMORY, 137)
        assert output_of(server, "print(1)") == 1
        assert server.container_count == before

    def test_only_a_job_with_ranks_may_use_loopback(self, server: ForkServer) -> None:
        code = "import socket\ntry: socket.socket(); print(1)\nexcept PermissionError: print(0)"
        finished = [server.run(replace(job(code), has_loopback=has)) for has in (True, False, True)]
        assert [run.result for run in finished] == [b"1\n", b"0\n", b"1\n"]
        assert all(run.isolation.startswith("shared container, separate users") for run in finished)

    def test_no_rank_can_read_the_process_that_started_it(self, server: ForkServer) -> None:
        code = """
import os, sys
if os.fork() == 0:
    for name in ("mem", "fd", "environ"):
        path = f"/proc/{os.getppid()}/{name}"
        try:
            print(bool(os.listdir(path)) if name == "fd" else open(path, "rb") is not None)
        except PermissionError:
            print(False)
    sys.stdout.flush()
    os._exit(0)
os.wait()
"""
        results = [server.run(replace(job(code), has_loopback=has)).result for has in (True, False)]
        assert results == [b"False\n" * 3, b"True\n" * 3]

    def test_a_port_that_a_job_listened_on_is_free_for_the_next_job(self, server: ForkServer) -> None:
        code = (
            "import os, socket\nserver = socket.create_server(('127.0.0.1', 4242))\n"
            "caller = socket.create_connection(('127.0.0.1', 4242))\ncaller.sendall(b'unread')\nprint('heard')\n"
            "if os.fork() == 0:\n while True: server.accept()"
        )
        server.run(replace(job("print(1)"), has_loopback=True))
        before = server.container_count
        for _ in range(3):
            assert server.run(replace(job(code), has_loopback=True)).result == b"heard\n"
        assert server.container_count == before

    def test_a_launcher_that_fails_is_judged_in_a_container_of_its_own(self, server: ForkServer) -> None:
        for has_loopback in (True, False):
            finished = server.run(replace(job("import sys\nsys.exit(3)"), has_loopback=has_loopback))
            assert (finished.ending, finished.exit_code) == (Ending.EXITED, 3)
            assert finished.isolation.startswith(DockerSandbox.isolation) is has_loopback

    def test_a_busy_job_cannot_delay_its_end(self, server: ForkServer) -> None:
        before = server.container_count
        code = "import os\nfor _ in range(6):\n try: os.fork()\n except OSError: pass\nwhile True: pass"
        assert server.run(job(code, wall_seconds=1.0)).ending is Ending.DEADLINE
        assert output_of(server, "print(1)") == 1
        assert server.container_count == before


# The children of the interpreters run what the main child sends them, and reply with the value of `found` as JSON.
TWO_INTERPRETERS = OwnInterpreters(
    2,
    "import json, os, signal, time",
    RUN_PAYLOAD,
    "while code := control.recv(4096):\n exec(code)\n control.sendall(json.dumps(found).encode())\nos._exit(0)",
)


@pytest.mark.docker
class TestOwnInterpreters:
    """Many jobs in one container with two further interpreters."""

    @pytest.fixture(scope="class")
    def server(self) -> Iterator[ForkServer]:
        before = own_containers()
        with closing(ForkServer(size=1)) as server:
            yield server
        assert own_containers() == before

    def told(self, server: ForkServer, code: str) -> list[Any]:
        """Run this code in the interpreters' two children, and return their values of `found`.

        Check that the server has used only one container.
        """
        asks = "".join(
            f"control.sendall({code.encode()!r})\nfound.append(json.loads(control.recv(4096)))\n".replace(
                "control", f"controls[{place}]"
            )
            for place in range(2)
        )
        finished = server.run(self.seeded(f"found = []\n{asks}print(json.dumps(found))"))
        assert (finished.ending, finished.exit_code, server.container_count) == (Ending.EXITED, 0, 1), finished
        assert finished.isolation.startswith(ISOLATION)
        return list(json.loads(finished.result))

    @staticmethod
    def seeded(code: str) -> Job:
        return replace(job(code, has_loopback=True), own_interpreters=TWO_INTERPRETERS)

    def test_each_child_has_its_own_hash_seed_which_is_the_same_for_every_job(self, server: ForkServer) -> None:
        first, second = (self.told(server, "found = hash('name')") for _ in range(2))
        assert first == second
        assert first[0] != first[1]

    def test_all_children_of_a_job_have_one_user_and_no_rights(self, server: ForkServer) -> None:
        code = """
lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
found = [lines["Uid"].split(), lines["Gid"].split(), *lines["CapEff"].split(), *lines["Seccomp_filters"].split()]
found += [len(os.listdir("/proc/self/fd")), os.getcwd()]
"""
        jobs = [self.told(server, code) for _ in range(2)]
        for first, second in jobs:
            assert first == second
            assert len({*first[0], *first[1]}) == 1
            assert int(first[0][0]) >= forkserver.FIRST_USER
            # The open descriptors are the standard streams, the socket, and /proc/self/fd while it is listed.
            assert first[2:] == ["0" * 16, "2", 5, forking.FOLDER]
        assert jobs[0][0][0] != jobs[1][0][0]

    def test_the_interpreters_are_out_of_reach(self, server: ForkServer) -> None:
        code = """
found = []
for number in (0, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
    try:
        os.kill(os.getppid(), number)
        found.append(number)
    except PermissionError:
        pass
"""
        assert self.told(server, code) == [[], []]

    def test_a_changed_standard_input_is_not_passed_on(self, server: ForkServer) -> None:
        code = """
import fcntl
found = fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK
fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)
"""
        assert [self.told(server, code) for _ in range(2)] == [[0, 0]] * 2

    @pytest.mark.parametrize(
        "leaves",
        [
            "found = os.kill(-1, signal.SIGKILL)",
            "found = None\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  while True: pass\n os._exit(0)",
            "found = None\nfor number in range(1, 65):\n try: signal.signal(number, signal.SIG_IGN)\n"
            " except (OSError, ValueError): pass\nif os.fork() == 0:\n while True:\n  try: os.fork()\n"
            "  except OSError: time.sleep(0.001)",
            "found = None\nos.mkdir('d')\nopen('d/file', 'w')\nos.chmod('d', 0)",
        ],
        ids=["its peers killed", "a daemon", "children that fork", "files in its folder"],
    )
    def test_what_a_child_leaves_is_gone_before_the_next_job(self, server: ForkServer, leaves: str) -> None:
        told = f"controls[0].sendall({leaves.encode()!r})\ncontrols[0].recv(100)\nprint('done')"
        server.run(replace(self.seeded(told), wall_seconds=5.0))
        code = "found = [sorted(os.listdir('.')), len([name for name in os.listdir('/proc') if name.isdigit()])]"
        # The seven processes are init, the parent, the two interpreters, and one child of each of these last three.
        assert self.told(server, code) == [[[], 7]] * 2

    def test_an_interpreter_that_dies_costs_the_container(self) -> None:
        ends = "if os.environ.get('PYTHONHASHSEED') == '2': signal.alarm(1)"
        own = replace(TWO_INTERPRETERS, preparation=f"{TWO_INTERPRETERS.preparation}\n{ends}")
        with closing(ForkServer(size=1)) as server:
            finished = [
                server.run(replace(self.seeded(code), own_interpreters=own))
                for code in ("print(1)", "time.sleep(1.5)\nprint(1)", "print(1)")
            ]
            assert server.container_count == 2
        assert [run.result for run in finished] == [b"1\n"] * 3
        assert all(run.isolation.startswith(ISOLATION) for run in finished)

    def test_a_job_whose_interpreters_do_not_start_runs_in_its_own_container(self) -> None:
        ends = "if os.environ.get('PYTHONHASHSEED') == '2': os._exit(1)"
        own = replace(TWO_INTERPRETERS, preparation=f"{TWO_INTERPRETERS.preparation}\n{ends}")
        with closing(ForkServer(size=1)) as server:
            finished = server.run(replace(self.seeded("print(1)"), own_interpreters=own))
        assert finished.result == b"1\n"
        assert finished.isolation.startswith(DockerSandbox.isolation)

    def test_without_the_sweeper_the_container_is_discarded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        make = forkserver.server_program

        def make_careless(job: Job, first_user: int) -> str:
            program = make(job, first_user)
            assert program.count("os.setresuid(SWEEPER, user, SWEEPER)") == 1
            return program.replace("os.setresuid(SWEEPER, user, SWEEPER)", "os._exit(0)")

        monkeypatch.setattr(forkserver, "server_program", make_careless)
        code = "if os.fork() == 0:\n while True: pass\nprint(1)"
        with closing(ForkServer(size=1)) as server:
            results = [server.run(self.seeded(text)).result for text in ("print(1)", code, "print(1)")]
            assert (results, server.container_count) == ([b"1\n"] * 3, 2)


@pytest.mark.docker
def test_the_containers_of_the_last_two_kinds_of_jobs_are_kept() -> None:
    before = own_containers()
    kinds = {"a": job("print(1)"), "b": job("print(1)", has_loopback=True), "c": job("print(1)", processes=64)}
    with closing(ForkServer(size=1)) as server:
        counts = []
        for name in "ababacab":
            assert server.run(kinds[name]).result == b"1\n"
            counts.append(server.container_count)
        # For c, the container of b is removed, because a was used after it, although it was opened before it.
        assert counts == [1, 2, 2, 2, 2, 3, 3, 4]
        assert len(own_containers()) == len(before) + KINDS_MAX
    assert own_containers() == before


@pytest.mark.docker
def test_a_container_that_is_still_being_opened_is_not_left_behind() -> None:
    before = own_containers()
    slow = job("print(1)", shared_preparation="import time\ntime.sleep(1)")
    with closing(ForkServer()) as server:
        for kind in (slow, *(job("print(1)", processes=count) for count in (64, 65))):
            assert server.run(kind).result == b"1\n"
    assert own_containers() == before


@pytest.mark.docker
def test_a_job_that_uses_up_the_ports_costs_the_container(monkeypatch: pytest.MonkeyPatch) -> None:
    make = forkserver.server_program
    limit = f"CLOSED_CONNECTIONS_MAX = {CLOSED_CONNECTIONS_MAX:_}"

    def make_strict(job: Job, first_user: int) -> str:
        program = make(job, first_user)
        assert program.count(limit) == 1
        return program.replace(limit, "CLOSED_CONNECTIONS_MAX = 50")

    monkeypatch.setattr(forkserver, "server_program", make_strict)
    code = """
import socket
server = socket.create_server(("127.0.0.1", 4242))
for _ in range(COUNT):
    caller = socket.create_connection(("127.0.0.1", 4242))
    answerer, _ = server.accept()
    caller.close()
    answerer.close()
"""
    with closing(ForkServer(size=1)) as server:
        counts = []
        for connections in (20, 100, 20, 20):
            counted = code.replace("COUNT", str(connections))
            finished = server.run(replace(job(counted), has_loopback=True))
            assert finished.exit_code == 0, finished
            counts.append(server.container_count)
    assert counts == [1, 1, 2, 2]


@pytest.mark.parametrize("has_loopback", [False, True])
def test_the_filter_of_a_child_allows_sockets_only_to_jobs_with_ranks(has_loopback: bool) -> None:
    program = forkserver.server_program(replace(job(""), has_loopback=has_loopback), 20_000)
    for machine in ARCHITECTURES:
        for allows in (False, True):
            is_used = b64encode(kernel_filter(allows, "cpu", machine)).decode() in program
            assert is_used is (allows is has_loopback)


@pytest.mark.docker
def test_the_preparation_runs_once_and_holds_no_job() -> None:
    with closing(ForkServer(size=1)) as server:
        kind = Job(
            "count += 1\nprint(count, number)",
            b"",
            20.0,
            2**28,
            preparation="import os\ncount = 0\nnumber = os.urandom(4)",
        )
        outputs = [server.run(kind).result for _ in range(3)]
    assert len(set(outputs)) == 1
    assert outputs[0].startswith(b"1 ")


@pytest.mark.docker
def test_only_a_shared_container_runs_the_steps_that_pay_off_there() -> None:
    kind = Job(
        "print(len(steps))", b"", 20.0, 2**28, preparation="steps = [1]", shared_preparation="steps.append(len(steps))"
    )
    with closing(ForkServer(size=1)) as server:
        assert [server.run(kind).result for _ in range(2)] == [b"2\n"] * 2
    assert DockerSandbox().run(kind).result == b"1\n"


@pytest.mark.docker
def test_no_submission_waits_for_the_imports_of_the_first_optimizer() -> None:
    code = "count = len(sys.modules)\nmodule.torch.optim.SGD([module.torch.zeros(1)])\nprint(len(sys.modules) - count)"
    with closing(ForkServer(size=1)) as server:
        finished = server.run(replace(USUAL_JOB, program=code))
    assert finished.isolation.startswith(ISOLATION)
    assert finished.result == b"0\n"


@pytest.mark.docker
@pytest.mark.parametrize("is_without", ["CAP_SETUID", "filter"])
def test_without_separation_every_job_runs_alone(is_without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def crippled(*given: Any) -> dict[str, Any]:
        config = shared_container_config(*given)
        if is_without == "CAP_SETUID":
            config["HostConfig"]["CapAdd"] = ["CAP_KILL", "CAP_SETGID"]
        return config

    before = own_containers()
    monkeypatch.setattr(forkserver, "shared_container_config", crippled)
    if is_without == "filter":
        monkeypatch.setattr(forkserver, "kernel_filter", lambda *given: b"")
    with closing(ForkServer(size=1)) as server:
        for _ in range(2):
            finished = server.run(job("print(1)"))
            assert finished.result == b"1\n"
            assert finished.isolation.startswith(DockerSandbox.isolation)
        assert server.container_count == 1
    assert own_containers() == before


@pytest.mark.docker
def test_a_thread_left_by_the_preparation_is_refused() -> None:
    preparation = "import threading, time\nthreading.Thread(target=time.sleep, args=(100,), daemon=True).start()"
    with closing(ForkServer(size=1)) as server:
        finished = server.run(Job("print(1)", b"", 20.0, 2**28, preparation=preparation))
    assert finished.result == b"1\n"
    assert finished.isolation.startswith(DockerSandbox.isolation)
