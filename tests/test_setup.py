"""On Linux without an NVIDIA driver, make uses PyTorch's CPU index if it responds, and the default index otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


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


def install_line(folder: Path, *variables: str) -> str:
    """Return the command that would install torch into a fresh environment."""
    venv = folder / ".venv"
    command = ["make", "-n", f"VENV={venv}", f"PYTHON={sys.executable}", *variables, str(venv / ".installed")]
    # The tests may be started by make, whose flags this make would inherit.
    environ = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return next(line for line in done.stdout.splitlines() if line.endswith(" torch"))


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
    venv = tmp_path / ".venv"
    command = ["make", "-n", f"VENV={venv}", f"PYTHON={sys.executable}", f"UV={uv}", "CPU_BUILD=", "interview"]
    environ = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True, timeout=60)
    text = done.stdout.replace("\\\n", " ")
    (line,) = [line for line in text.splitlines() if "-m graders.install" in line and "--wait" not in line]
    installer = line.partition("exec ")[2] or line
    assert "pip install" in installer
    assert " torch" in installer
    assert "--quiet" not in installer
    assert has_uv is (uv in line if uv else False)
