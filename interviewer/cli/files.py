"""Read and write the files given to commands. A file is written completely or not at all.

A folder of submissions may contain anything: reading a named pipe would block forever, and a symbolic link may point
anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from interviewer.errors import BadInput

SOURCE_BYTES_MAX = 2**20


def read_source(path: Path) -> str:
    """Return a submission's text. Raises BadInput if the file is missing, too large or not text."""
    try:
        with path.open("rb") as file:
            data = file.read(SOURCE_BYTES_MAX + 1)
    except OSError as error:
        fix = "Pass a file that exists and is readable."
        raise BadInput(f"{path}: {error.strerror or error}", fix) from None
    if len(data) > SOURCE_BYTES_MAX:
        raise BadInput(f"{path}: larger than {SOURCE_BYTES_MAX // 2**20} MiB; a submission is one source file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 text (byte {error.start}); a submission is one Python source file") from None
    if "\0" in text:
        raise BadInput(f"{path}: contains null bytes; a submission is one Python source file")
    return text


def read_lines(file: Path) -> Sequence[str]:
    """Return the lines of an exported log. Raises BadInput if the file is missing or not text."""
    try:
        return file.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        fix = "Pass a file that exists and is readable. To export a log, run interviewer export FILE."
        raise BadInput(f"{file}: {error.strerror or error}", fix) from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: not UTF-8 text (byte {error.start})") from None


def files_in(folder: Path, ending: str) -> list[Path]:
    """Return the folder's visible files with this suffix, sorted by name. Raises BadInput if there is no such file."""
    try:
        # For each file in an archive, macOS adds an extra file whose name starts with a dot. The extra file is not a
        # submission.
        files = sorted(path for path in folder.iterdir() if path.suffix == ending and not path.name.startswith("."))
    except OSError as error:
        raise BadInput(f"{folder}: {error.strerror or error}") from None
    if not files:
        raise BadInput(f"{folder} contains no *{ending} files", f"Pass a folder that contains *{ending} files.")
    return files


def why_not_plain(path: Path) -> str:
    """Return why this path must not be opened; "" for a regular file."""
    if path.is_symlink():
        return "a link, not a file"
    return "" if path.is_file() else "not a regular file"


def require_new(file: Path) -> None:
    """Raise BadInput if the file exists; the command's --force option overwrites the file."""
    if file.exists():
        raise BadInput(
            f"{file} already exists", "Choose a different name, or pass --force to overwrite the file.", "exists"
        )


def write_file(file: Path, data: bytes) -> None:
    """Write a file completely or not at all. Raises BadInput, with the file's name, if writing fails."""

    def write(half: Path) -> Any:
        half.write_bytes(data)

    write_atomically(file, write)


def write_atomically(file: Path, write: Callable[[Path], Any]) -> None:
    """Call `write` with a temporary path, then replace the file. If the disk is full, the old file is unchanged."""
    half = file.with_name(f".{file.name}.half")
    with file_errors_as_bad_input(file):
        try:
            write(half)
            half.replace(file)
        except OSError:
            with suppress(OSError):
                half.unlink(missing_ok=True)
            raise


@contextmanager
def file_errors_as_bad_input(file: Path) -> Iterator[None]:
    """Convert an OSError to a BadInput that names this file."""
    try:
        yield
    except OSError as error:
        fix = "Choose a file in an existing, writable folder."
        raise BadInput(f"{file}: {error.strerror or error}", fix, "output") from None
