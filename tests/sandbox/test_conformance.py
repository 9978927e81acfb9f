"""One list of promises that every sandbox keeps."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from pathlib import Path

import pytest

from sandbox.job import Ending, Job, Sandbox
from tests.recorded import grader
from tests.sandbox.conftest import processes_with

pytestmark = [pytest.mark.slow, pytest.mark.recorded(subject_of=grader)]

MIB = 2**20
# Longer than any test may take: a program that sleeps this long ends only because the sandbox kills it.
ENDLESS_SECONDS = 10**6


def job(program: str, payload: bytes = b"", wall_seconds: float = 60.0, **more: object) -> Job:
    return Job(program=program, payload=payload, wall_seconds=wall_seconds, memory_bytes=512 * MIB, **more)  # type: ignore[arg-type]


def test_result_bytes_come_back_exactly(sandbox: Sandbox) -> None:
    want = bytes(range(256)) * 4096
    finished = sandbox.run(job("import os\nfor _ in range(4096): os.write(1, bytes(range(256)))"))
    assert finished.result == want
    assert (finished.ending, finished.exit_code, finished.log) == (Ending.EXITED, 0, b"")
    assert finished.isolation.startswith(sandbox.isolation)


def test_a_payload_of_20_mb_arrives_whole(sandbox: Sandbox) -> None:
    payload = secrets.token_bytes(20 * 10**6)
    program = "import hashlib, sys\nprint(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())"
    finished = sandbox.run(job(program, payload))
    assert finished.result.decode().strip() == hashlib.sha256(payload).hexdigest()


def test_a_program_that_never_reads_its_payload_cannot_block_us(sandbox: Sandbox) -> None:
    finished = sandbox.run(job("print('done')", b"x" * 20 * MIB))
    assert (finished.result, finished.ending) == (b"done\n", Ending.EXITED)


def test_a_payload_is_not_waited_for_past_the_deadline(sandbox: Sandbox) -> None:
    finished = sandbox.run(job(f"import time\ntime.sleep({ENDLESS_SECONDS})", b"x" * 20 * MIB, wall_seconds=1.0))
    assert finished.ending is Ending.DEADLINE


def test_result_and_log_are_kept_apart(sandbox: Sandbox) -> None:
    program = "import sys\nfor i in range(200):\n print('r', i)\n print('l', i, file=sys.stderr)"
    finished = sandbox.run(job(program))
    assert finished.result.split() == [word for i in range(200) for word in (b"r", b"%d" % i)]
    assert finished.log.split() == [word for i in range(200) for word in (b"l", b"%d" % i)]
    assert not finished.is_log_cut


def test_a_log_flood_is_cut_and_does_not_hang(sandbox: Sandbox) -> None:
    program = (
        "import sys\nsys.stderr.write('first\\n')\n"
        "for _ in range(64): sys.stderr.write('x' * 2**20)\n"
        "sys.stderr.write('last\\n')\nprint('done')"
    )
    finished = sandbox.run(job(program, log_bytes_max=10_000))
    assert (finished.result, finished.ending, finished.is_log_cut) == (b"done\n", Ending.EXITED, True)
    assert finished.log.startswith(b"first\n")
    assert finished.log.endswith(b"last\n")
    assert 9_000 < len(finished.log) <= 10_000


def test_a_result_flood_is_stopped_at_the_cap(sandbox: Sandbox) -> None:
    finished = sandbox.run(job("import os\nwhile True: os.write(1, b'x' * 2**20)", result_bytes_max=3 * MIB))
    assert finished.ending is Ending.RESULT_TOO_LARGE
    assert finished.result == b"x" * 3 * MIB


@pytest.mark.parametrize("code", [0, 3, 255])
def test_exit_codes_come_back(sandbox: Sandbox, code: int) -> None:
    finished = sandbox.run(job(f"import os\nos._exit({code})"))
    assert (finished.ending, finished.exit_code, finished.result) == (Ending.EXITED, code, b"")


def test_a_signal_is_told_as_an_exit_code(sandbox: Sandbox) -> None:
    finished = sandbox.run(job("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"))
    assert (finished.ending, finished.exit_code) == (Ending.EXITED, 139)


def test_an_exception_leaves_its_traceback_in_the_log(sandbox: Sandbox) -> None:
    finished = sandbox.run(job("print('half')\n1 / 0"))
    assert (finished.result, finished.exit_code) == (b"half\n", 1)
    assert b"ZeroDivisionError" in finished.log


@pytest.mark.parametrize(
    "program",
    [
        f"import time\ntime.sleep({ENDLESS_SECONDS})",
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass",
        f"import os, time\nos.close(1)\nos.close(2)\ntime.sleep({ENDLESS_SECONDS})",
        "import sys\nwhile True: sys.stderr.write('x' * 65536)",
    ],
    ids=["sleeps", "spins and ignores SIGTERM", "closed its streams", "floods its log"],
)
def test_the_deadline_ends_it(sandbox: Sandbox, program: str) -> None:
    finished = sandbox.run(job(program, wall_seconds=0.5))
    assert (finished.ending, finished.exit_code) == (Ending.DEADLINE, None)


def test_a_whole_result_ends_it_at_once_and_nothing_is_added(sandbox: Sandbox) -> None:
    program = (
        "import os, sys, time\nprint('seen', file=sys.stderr)\nsys.stdin.read()\n"
        "os.write(1, b'who')\ntime.sleep(0.2)\nos.write(1, b'le')\n"
        f"time.sleep(5)\nos.write(1, b'more')\ntime.sleep({ENDLESS_SECONDS})"
    )
    finished = sandbox.run(job(program, is_complete=lambda result: result == b"whole"))
    assert (finished.ending, finished.result) == (Ending.RESULT_COMPLETE, b"whole")
    assert finished.log == b"seen\n"


def test_a_result_that_is_never_whole_is_an_exit(sandbox: Sandbox) -> None:
    finished = sandbox.run(job("print('half')", is_complete=lambda result: result == b"whole"))
    assert (finished.ending, finished.exit_code) == (Ending.EXITED, 0)


def test_a_whole_result_counts_also_when_the_program_ends_at_once(sandbox: Sandbox) -> None:
    finished = sandbox.run(job("import os\nos.write(1, b'whole')\nos._exit(7)", is_complete=lambda r: r == b"whole"))
    assert (finished.ending, finished.result) == (Ending.RESULT_COMPLETE, b"whole")


def test_cancelling_ends_it(sandbox: Sandbox) -> None:
    is_asked = threading.Event()
    timer = threading.Timer(0.5, is_asked.set)
    timer.start()
    endless = job(f"import time\ntime.sleep({ENDLESS_SECONDS})", wall_seconds=ENDLESS_SECONDS)
    assert sandbox.run(endless, is_cancelled=is_asked.is_set).ending is Ending.CANCELLED
    timer.join()


def test_no_process_is_left_of_a_daemon(sandbox: Sandbox) -> None:
    mark = f"mark-{secrets.token_hex(8)}"
    # The mark is not in the program, because a container that serves several jobs shows it in the process list.
    program = (
        "import os, sys, time\nmark = sys.stdin.read()\n"
        "if os.fork() == 0:\n os.setsid()\n"
        " if os.fork() == 0:\n"
        "  for fd in (0, 1, 2): os.close(fd)\n"
        "  os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(300)', mark])\n"
        " os._exit(0)\n"
        "os.wait()\ntime.sleep(0.5)\nprint('left it behind')"
    )
    finished = sandbox.run(job(program, mark.encode()))
    assert finished.result == b"left it behind\n"
    assert sandbox.run(job(program, b"another")).result == b"left it behind\n"
    assert processes_with(mark) == []


def test_no_process_is_left_of_many_children_at_the_deadline(sandbox: Sandbox) -> None:
    mark = f"mark-{secrets.token_hex(8)}"
    program = (
        "import os, sys\nmark = sys.stdin.read()\n"
        "for _ in range(6):\n"
        " try:\n  os.fork()\n  os.setsid()\n except OSError: pass\n"
        "os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(300)', mark])"
    )
    finished = sandbox.run(job(program, mark.encode(), wall_seconds=1.0))
    assert finished.ending is Ending.DEADLINE
    assert sandbox.run(job(program, b"another", wall_seconds=1.0)).ending is Ending.DEADLINE
    assert processes_with(mark) == []


def test_the_environment_holds_no_secret(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-you")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    program = (
        "import json, os\n"
        "print(json.dumps(dict(os.environ)), open('/proc/self/environ').read() if os.path.isdir('/proc/self') else '')"
    )
    finished = sandbox.run(job(program))
    assert b"sk-not-for-you" not in finished.result
    environment = json.loads(finished.result.split(b"} ")[0] + b"}")
    assert not [name for name in environment if "KEY" in name or name.startswith("PYTHON")]
    assert environment["OMP_NUM_THREADS"] == "1"


def test_it_runs_in_a_temp_folder_of_its_own_that_is_writable_and_gone_afterwards(sandbox: Sandbox) -> None:
    program = (
        "import os, pathlib, tempfile\n"
        "pathlib.Path('left').mkdir()\npathlib.Path('left/file').write_text('x')\nos.chmod('left', 0)\n"
        "print(os.getcwd(), tempfile.gettempdir(), os.environ['HOME'])"
    )
    finished = sandbox.run(job(program))
    here, temp, home = finished.result.decode().split()
    assert here == temp == home
    assert not Path(here, "left").exists()


def test_nothing_passes_from_one_run_to_the_next(sandbox: Sandbox) -> None:
    sandbox.run(job("import pathlib, tempfile\npathlib.Path(tempfile.gettempdir(), 'note').write_text('x')"))
    finished = sandbox.run(job("import pathlib, tempfile\nprint(pathlib.Path(tempfile.gettempdir(), 'note').exists())"))
    assert finished.result == b"False\n"


def test_a_program_can_start_interpreters_with_other_hash_seeds(sandbox: Sandbox) -> None:
    program = (
        "import os, socket, subprocess, sys\n"
        "child = 'import os, socket, sys; ours = socket.socket(fileno=int(sys.argv[1])); '\n"
        "child += '_, (fd,), _, _ = socket.recv_fds(ours, 9, 1); os.write(fd, str(hash(\"name\")).encode())'\n"
        "for seed in '112':\n"
        "    ours, theirs = socket.socketpair()\n"
        "    started = subprocess.Popen([sys.executable, '-s', '-P', '-c', child, str(theirs.fileno())],"
        " env={**os.environ, 'PYTHONHASHSEED': seed}, pass_fds=[theirs.fileno()])\n"
        "    read, write = os.pipe()\n"
        "    socket.send_fds(ours, [b'x'], [write])\n"
        "    os.close(write)\n"
        "    print(os.read(read, 99).decode(), started.wait())\n"
    )
    finished = sandbox.run(job(program))
    first, again, other = finished.result.split(b"\n")[:3]
    assert first.endswith(b" 0")
    assert first == again != other


def test_too_much_memory_is_refused(sandbox: Sandbox) -> None:
    finished = sandbox.run(job("block = bytearray(2**30)\nprint(len(block))"))
    assert finished.result == b""
    assert finished.exit_code != 0
    if sandbox.name == "docker":
        assert (finished.ending, finished.exit_code) == (Ending.OUT_OF_MEMORY, 137)
    else:
        assert b"MemoryError" in finished.log


def test_a_program_too_long_for_a_command_line_is_our_mistake(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="put data in the payload"):
        sandbox.run(job("#" * 200_000))
