"""Times the way from a clone of this checkout to the first question, as a person takes it; packages come from caches.

python -m tests.bench.clone [--runs 3]

`make interview` is typed in a new clone with an environment of its own; then `m` and Enter start a mock interview.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.terminal import Terminal

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Print the seconds to the home screen and to the first question for each run."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.clone")
    parser.add_argument("--runs", type=int, default=3)
    make = shutil.which("make")
    assert make is not None
    for _ in range(parser.parse_args().runs):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            load = os.getloadavg()[0]
            home, question = first_question(make, Path(folder))
            # The installation of PyTorch goes on after the app has ended.
            subprocess.run(["pkill", "--full", folder], check=False)
        sys.stdout.write(f"home screen {home:.1f} s, first question {question:.1f} s, load before {load:.1f}\n")
        sys.stdout.flush()


def first_question(make: str, folder: Path) -> tuple[float, float]:
    """Return the seconds from the command to the home screen, and to the first question."""
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "MAKEFLAGS")}
    began = time.perf_counter()
    terminal = Terminal(
        (make, "--directory", str(clone), "interview"), {**environment, "INTERVIEWER_HOME": f"{folder}/home"}
    )
    terminal.until("Mock interview")
    home = time.perf_counter() - began
    terminal.press("m")
    terminal.until("45 minutes")
    terminal.press("\r")
    terminal.until("Your answer")
    question = time.perf_counter() - began
    terminal.kill()
    return home, question


if __name__ == "__main__":
    main()
