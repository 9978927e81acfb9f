"""What the doctor says of the terminal, the clipboard and the disk; it looks at the environment and changes nothing."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from interviewer.cli.checking import Check
from interviewer.tui.ascii import draws_ascii
from interviewer.tui.terminal import is_remote, tools

TERMINAL_MIN = (60, 15)
GIB = 2**30
LOG_BYTES_MIN = 100 * 2**20
# The image takes 1.1 GB; while it is built its packages are there twice, and once more as downloads.
BUILD_BYTES_MIN = 4 * GIB
# A cell writes little, but an engine without any room refuses to start one.
CELL_BYTES_MIN = GIB // 2
Find = Callable[[str], str | None]


def terminal(environ: Mapping[str, str]) -> Check:
    """Return whether the app fits into the terminal, and what it can draw there."""
    letters = "ASCII only, as the locale says" if draws_ascii(environ) else "UTF-8"
    if not sys.stdout.isatty():
        return Check("terminal", True, f"standard output is not a terminal ({letters}); the plain interview works")
    columns, rows = shutil.get_terminal_size()
    is_large = columns >= TERMINAL_MIN[0] and rows >= TERMINAL_MIN[1]
    detail = f"{columns}×{rows}, {colours(environ)}, {letters}, TERM={environ.get('TERM', 'unset')}"
    return Check("terminal", is_large, detail, "Enlarge the window to at least 60×15, or use --plain.")


def colours(environ: Mapping[str, str]) -> str:
    """Return how many colours the terminal says that it has."""
    kind = environ.get("TERM", "")
    if environ.get("NO_COLOR"):
        return "no colours, as NO_COLOR asks"
    if environ.get("COLORTERM") in {"truecolor", "24bit"}:
        return "16 million colours"
    if kind in {"", "dumb", "unknown"}:
        return "no colours"
    return "256 colours" if "256color" in kind else "16 colours"


def clipboard(environ: Mapping[str, str], find: Find = shutil.which, platform: str = sys.platform) -> Check:
    """Return which way copying takes here: a tool of the desktop, tmux, or the terminal itself."""
    wanted = [command[0] for command in tools(environ, platform)]
    there = [one for one in wanted if find(one)]
    if there:
        return Check("clipboard", True, f"by {there[0]}")
    where = "over SSH" if is_remote(environ) else "no tool of a desktop is here"
    more = f"; {wanted[0]} would be surer where it is missed" if wanted else ""
    return Check("clipboard", True, f"by the terminal itself (OSC 52), if it allows that: {where}{more}")


def disk(folder: Path) -> Check:
    """Return whether the practice log has room to grow."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), Path("/"))
    free = shutil.disk_usage(there).free
    fix = "Free some space there, or set INTERVIEWER_HOME to a folder on another disk."
    return Check("disk", free >= LOG_BYTES_MIN, f"{_size(free)} free for the practice log in {folder}", fix)


def docker_disk(folder: str, *, has_image: bool) -> Check:
    """Return whether the engine has room for the sandbox image, if it has yet to be built, and for cells."""
    name, wanted = "docker disk", CELL_BYTES_MIN if has_image else BUILD_BYTES_MIN
    what = "to start cells" if has_image else "to build the sandbox image"
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        # Docker Desktop and remote engines keep their files in a machine of their own.
        detail = f"{folder} is not on this machine; {_size(wanted)} are needed there {what}"
        return Check(name, True, f"{detail}: docker system df shows what fills it")
    detail = f"{_size(free)} free in {folder}, {_size(wanted)} needed {what}"
    return Check(name, free >= wanted, detail, "docker system df shows what fills it, docker system prune frees it.")


def _size(size_bytes: int) -> str:
    return f"{size_bytes / GIB:.1f} GiB" if size_bytes >= GIB else f"{size_bytes / 2**20:.0f} MiB"
