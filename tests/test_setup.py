"""What make installs, and with what.

On Linux without an NVIDIA driver, PyTorch's CPU index is used if it responds. uv uses the indexes that pip uses.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from graders.install import uv_options

ROOT = Path(__file__).parent.parent
SYSTEM_PATH = "/usr/bin:/bin"


class Index(BaseHTTPRequestHandler):
    """Reply to every request with an empty page."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/cpu/torch/" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def index() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def make(venv: Path, *arguments: str) -> str:
    """Return what make prints for this environment."""
    command = ["make", f"VENV={venv}", f"PYTHON={sys.executable}", *arguments]
    # The tests may be started by make, whose flags this make would inherit.
    environ = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


def install_line(folder: Path, *variables: str) -> str:
    """Return the command that would install torch into a fresh environment."""
    venv = folder / ".venv"
    printed = make(venv, "-n", *variables, str(venv / ".installed"))
    return next(line for line in printed.splitlines() if line.endswith(" torch; }")).removesuffix("; }")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, the default index serves the CPU build")
def test_the_cpu_build_is_taken_where_the_index_answers(tmp_path: Path, index: str) -> None:
    wanted = f"--extra-index-url {index}/cpu torch"
    assert install_line(tmp_path, f"CPU_INDEX={index}/cpu", "NVIDIA=").endswith(wanted)
    assert "index" not in install_line(tmp_path, f"CPU_INDEX={index}/none", "NVIDIA=")
    assert "index" not in install_line(tmp_path, "CPU_INDEX=http://127.0.0.1:9/cpu", "NVIDIA=")
    assert "index" not in install_line(tmp_path, f"CPU_INDEX={index}/cpu", "NVIDIA=/proc/driver/nvidia/version")


@pytest.mark.parametrize("has_uv", [True, False])
def test_the_background_installer_is_not_quiet_because_its_progress_is_shown(has_uv: bool, tmp_path: Path) -> None:
    uv = "/usr/bin/uv" if has_uv else ""
    text = make(tmp_path / ".venv", "-n", f"UV={uv}", "CPU_BUILD=", "interview").replace("\\\n", " ")
    (line,) = [line for line in text.splitlines() if "-m graders.install sh" in line]
    with_uv, _, with_pip = line.partition(" && exit; ")
    assert ("/usr/bin/uv pip install" in with_uv) is has_uv
    assert with_uv.endswith(" torch") is has_uv
    installer = (with_pip or line).partition("exec ")[2]
    assert "pip install" in installer
    assert " torch" in installer
    assert "--quiet" not in installer + with_uv * has_uv


def test_where_uv_fails_pip_installs(tmp_path: Path) -> None:
    line = install_line(tmp_path, "UV=/usr/bin/uv", "CPU_BUILD=")
    with_uv, _, with_pip = line.partition(" 2>/dev/null || ")
    assert "/usr/bin/uv pip install" in with_uv
    assert "python -m pip install" in with_pip
    assert with_uv.endswith(" torch")
    assert with_pip.endswith(" torch")


@pytest.mark.skipif(bool(shutil.which("uv", path=SYSTEM_PATH)), reason="uv is part of this system")
@pytest.mark.parametrize("is_usable", [True, False])
def test_uv_is_installed_where_it_can_reach_the_indexes_of_pip(
    is_usable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", SYSTEM_PATH)
    venv = tmp_path / ".venv"
    python = venv / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"""#!/bin/sh
echo "$*" >> {tmp_path}/calls
case "$*" in *--uv-options) exit {int(not is_usable)};; esac
""")
    python.chmod(0o755)
    make(venv, str(venv / ".ready"))
    calls = (tmp_path / "calls").read_text().splitlines()
    assert any(call.startswith("-m pip install") and call.endswith(" uv") for call in calls) is is_usable


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ("", []),
        (":env:.timeout='60'\nglobal.cert='/a.pem'", []),
        ("global.find-links='/wheels'", ["--find-links=/wheels"]),
        (":env:.index-url='https://a.example/simple'", ["--default-index=https://a.example/simple"]),
        (
            "user.extra-index-url='https://a.example https://b.example'",
            ["--extra-index-url=https://a.example", "--extra-index-url=https://b.example"],
        ),
        ("site.no-index='true'", ["--no-index"]),
        ("site.no-index='false'", []),
        ("global.proxy='http://proxy.example:3128'", None),
    ],
)
def test_uv_gets_the_indexes_of_pip(settings: str, options: list[str] | None) -> None:
    assert uv_options(settings) == options
