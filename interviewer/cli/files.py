"""The files of a folder that one command takes one by one; only plain files are ever opened.

A folder of submissions was unpacked from what others sent: a pipe in it would wait for ever, a link may lead anywhere.
"""

from __future__ import annotations

from pathlib import Path

from interviewer.exits import BAD_INPUT, Failure


def files_in(folder: Path, ending: str) -> list[Path]:
    """Return what in this folder has the ending, by name; hidden files are passed over. Raises: Failure for none."""
    try:
        # What macOS puts into an archive beside each file starts with a dot, and is no submission.
        found = sorted(one for one in folder.iterdir() if one.suffix == ending and not one.name.startswith("."))
    except OSError as error:
        raise Failure(BAD_INPUT, "input", f"{folder}: {error.strerror or error}") from None
    if not found:
        raise Failure(BAD_INPUT, "input", f"{folder} holds no *{ending} file", "Name the folder that holds them.")
    return found


def why_not_plain(path: Path) -> str:
    """Return why this is not opened; "" for a plain file."""
    if path.is_symlink():
        return "a link, not a file"
    return "" if path.is_file() else "not a plain file"
