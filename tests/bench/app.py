"""Measures the app in a terminal, as a user runs it: first frame, key presses, streamed words, memory, quitting."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from tests.bench.tables import Figures, percentiles
from tests.bench.talking_app import STARTED
from tests.terminal import Terminal

OURS = (sys.executable, "-m", "interviewer")
BARE = (sys.executable, "-m", "tests.bench.bare_app")
PEER = Path(sys.prefix) / "peers" / "bin" / "harlequin"
LINES = 1_000
# Letters that are one cell wide, like those of code (wider ones would wrap the line every twenty keys). Each is typed
# only once, so a letter on screen means that this key press was drawn: Latin, Cyrillic, Ethiopic, Canadian syllabics.
RARE = filter(
    str.isalpha, map(chr, chain(range(0x100, 0x250), range(0x400, 0x530), range(0x1200, 0x1380), range(0x1401, 0x166D)))
)
KEYS, MANY_KEYS = 60, 1_000
STREAM_SECONDS = 5.0
GRADE_SECONDS = 8
CTRL_Q, CTRL_S, ESCAPE, UP = "\x11", "\x13", "\x1b", "\x1b[A"
# Runs the app to its first pause, without a terminal: the instruction count does not depend on load or clock speed.
FIRST_PAUSE = """
import asyncio
async def main(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
"""
BARE_PAUSE = "from tests.bench.bare_app import BareApp\nasyncio.run(main(BareApp()))"
OUR_PAUSE = """
import interviewer.cli.launch, interviewer.cli.main
from interviewer.config import find_folders, load_settings
from interviewer.interview.context import AppContext
from interviewer.tui import app
from interviewer.tui.screens import home
# What is drawn a moment later does not belong to the first frame, however slowly this runs.
app.WARM_AFTER_SECONDS = home.READ_AFTER_SECONDS = 3600.0
folders = find_folders()
asyncio.run(main(app.InterviewerApp(AppContext(load_settings(folders, {}, {}), folders, environ={}))))
"""
Values = dict[str, list[float]]


def measure(runs: int) -> dict[str, Any]:
    """Return the app's figures and ratios, from this many runs of each start, alternating with the bare app's."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "INTERVIEWER_HOME": home}
        values = starts(environment, runs) | editing(environment) | talking(environment) | instructions(environment)
    figures = {name: percentiles(several) for name, several in values.items()}
    return {"figures": figures, "ratios": over_bare(figures)}


def over_bare(figures: Figures) -> dict[str, float]:
    """Return the ratio of each figure to the bare app's, if the bare app has one."""
    return {
        f"{name}, times a bare app's": round(figure["p50"] / figures[bare]["p50"], 2)
        for name, figure in figures.items()
        for bare in [f"bare: {name.partition(': ')[2]}"]
        if bare in figures and name != bare
    }


def starts(environment: Mapping[str, str], runs: int) -> Values:
    """Return the seconds to the first frame, and the memory in use then, for a bare app, ours, harlequin and --help."""
    samples: Values = {}
    # The compared programs run next to each other, because a machine's clock speed may change within a turn.
    ways = {"help": ((*OURS, "--help"), "Commands"), "bare": (BARE, "painted"), "ours": (OURS, "Mock")}
    if PEER.exists():
        ways["harlequin"] = ((str(PEER),), "Query")
    for turn in range(-1, runs):  # the first run writes byte code and creates the log
        for name, (words, text) in ways.items():
            terminal = Terminal(words, environment)
            seconds = terminal.until(text)
            if turn >= 0:
                samples.setdefault(f"{name}: first frame (ms)", []).append(seconds * 1e3)
            if turn >= 0 and name != "help":
                samples.setdefault(f"{name}: memory then (MiB)", []).append(terminal.resident_bytes() / 2**20)
            if name == "ours" and turn >= 0:
                samples.setdefault("ours: quit at home (ms)", []).append(terminal.quit(CTRL_Q) * 1e3)
            else:
                terminal.kill()
    return samples


def editing(environment: Mapping[str, str]) -> Values:
    """Return the input latency in 1,000 lines in ms, idle and while a grade runs, and the memory that keys add."""
    terminal = Terminal((*OURS, "challenge", "ppo_clip_loss"), environment)
    terminal.until("Submit")
    terminal.rest(2.0)
    code = f"import time\ntime.sleep({GRADE_SECONDS})\n" + "".join(f"value_{n} = {n}\n" for n in range(LINES))
    # What is typed next goes on a line of its own; directly before the starter's import, it would be a syntax error.
    terminal.press(f"\x1b[200~{code}\n\x1b[201~")
    terminal.until(f"value_{LINES - 1}")
    terminal.press(UP)
    terminal.rest(2.0)
    samples = {"input latency, 1,000 lines, idle (ms)": _typing(terminal, KEYS)}
    terminal.press(CTRL_S)
    terminal.until("The grader is running")
    samples["input latency, 1,000 lines, while a grade runs (ms)"] = _typing(terminal, KEYS)
    terminal.press(ESCAPE)
    terminal.rest(1.0)
    before = terminal.resident_bytes()
    samples["1,000 keys: one after another (ms)"] = _typing(terminal, MANY_KEYS)
    terminal.rest(1.0)
    samples["1,000 keys: memory more (MiB)"] = [(terminal.resident_bytes() - before) / 2**20]
    samples["quit out of the editor (ms)"] = [terminal.quit(CTRL_Q) * 1e3]
    return samples


def talking(environment: Mapping[str, str]) -> Values:
    """Return the input latency in ms while 200 tokens per second stream, and the fraction of a core that this takes."""
    terminal = Terminal((sys.executable, "-m", "tests.bench.talking_app"), environment)
    terminal.until(STARTED)
    before = terminal.cpu_seconds()
    terminal.rest(STREAM_SECONDS)
    share = (terminal.cpu_seconds() - before) / STREAM_SECONDS
    samples = {"200 tokens a second: share of a core (%)": [100 * share]}
    samples["input latency while 200 tokens a second stream (ms)"] = _typing(terminal, KEYS)
    samples["quit while words stream (ms)"] = [terminal.quit(CTRL_Q) * 1e3]
    return samples


def _typing(terminal: Terminal, keys: int) -> list[float]:
    """Return the milliseconds until each of this many keys is drawn, with an occasional new line, as people type."""
    milliseconds = []
    for number in range(keys):
        if number % 40 == 39:
            terminal.press("\x1b\r")
            terminal.rest(0.1)
        key = next(RARE)
        terminal.press(key)
        milliseconds.append(terminal.until(key) * 1e3)
    return milliseconds


def instructions(environment: Mapping[str, str]) -> Values:
    """Return the instructions up to the first pause, bare and ours, in millions; None if valgrind is not installed."""
    if shutil.which("valgrind") is None:
        return {}
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    samples = {}
    for name, script in (("bare", BARE_PAUSE), ("ours", OUR_PAUSE)):
        words = [*tool, sys.executable, "-c", FIRST_PAUSE + script]
        finished = subprocess.run(
            words, env={**environment, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True
        )
        counted = re.search(r"I\s+refs:\s+([\d,]+)", finished.stderr)
        assert counted, finished.stderr[-500:]
        samples[f"{name}: instructions to the first pause (millions)"] = [int(counted[1].replace(",", "")) / 1e6]
    return samples
