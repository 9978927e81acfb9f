"""A batch's CSV file: rows are appended as submissions are graded, and sorted by file name when the batch ends.

`Earlier` holds the results that an interrupted batch left in the file. Each row is a single line, because cells contain
no line breaks.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from interviewer.cli.batch.results import COLUMNS, UNGRADED, SubmissionResult, cell_of, row_of
from interviewer.cli.files import file_errors_as_bad_input, write_atomically
from interviewer.errors import BadInput

ENDING = "\r\n"
# A byte order mark lets spreadsheet programs detect UTF-8.
ENCODING = "utf-8-sig"


class CsvFile:
    """A CSV file that is open for appending; each row is fully written before the next submission is graded."""

    def __init__(self, path: Path, file: TextIO, task_digest: str) -> None:
        self._path = path
        self._file = file
        self._task_digest = task_digest
        self._writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator=ENDING)

    @classmethod
    def create(cls, path: Path, task_digest: str) -> CsvFile:
        """Create or overwrite the file before grading, so that a bad path is reported early.

        Raises BadInput if the file cannot be written.
        """
        with file_errors_as_bad_input(path):
            made = cls(path, path.open("w", encoding=ENCODING, newline=""), task_digest)
            made._writer.writeheader()
            made._file.flush()
        return made

    @classmethod
    def append(cls, path: Path, task_digest: str) -> CsvFile:
        """Open an existing file for appending; a row cut off by a crash is removed.

        Raises BadInput if the file cannot be read or written.
        """
        with file_errors_as_bad_input(path):
            with path.open("r+b") as file:
                data = file.read()
                file.truncate(data.rfind(b"\n") + 1)
            # The encoding is not utf-8-sig, because Python would write a second byte order mark.
            return cls(path, path.open("a", encoding="utf-8", newline=""), task_digest)

    def add(self, graded: SubmissionResult) -> None:
        """Write a row for a submission. Raises BadInput if the file cannot be written."""
        with file_errors_as_bad_input(self._path):
            self._writer.writerow(row_of(graded, self._task_digest))
            self._file.flush()

    def close(self, names: Sequence[str]) -> None:
        """Close the file and sort its rows in the order of these file names, keeping the last row for each name.

        Raises BadInput if the file cannot be written.
        """
        with file_errors_as_bad_input(self._path):
            self._file.close()
        if self._path.is_file():
            place = {cell_of(name): place for place, name in enumerate(names)}
            rows = [(place.get(name, -1), offset) for name, offset in _offsets(self._path)]
            ordered = sorted(dict(rows).items() if len(place) == len(names) else rows)
            if ordered != rows:
                write_atomically(self._path, lambda half: _copy(self._path, half, [offset for _, offset in ordered]))


def _offsets(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name in each row of a file, and the offset at which the row begins."""
    with file_errors_as_bad_input(path), path.open("rb") as file:
        offset = len(next(file))
        for line in file:
            yield next(csv.reader([line.decode()]))[0], offset
            offset += len(line)


def _copy(source: Path, target: Path, offsets: Sequence[int]) -> None:
    """Copy the header and the rows at these offsets, in this order; the whole file may not fit in memory."""
    with source.open("rb") as old, target.open("wb") as new:
        new.write(next(old))
        for offset in offsets:
            old.seek(offset)
            new.write(old.readline())


@dataclass(frozen=True)
class Earlier:
    """The results of an interrupted batch.

    `graded` maps each submission's file name and digest to its verdict and mistakes. All rows have the same `seed` and
    `device`.
    """

    graded: Mapping[tuple[str, str], tuple[str, str]]
    seed: int | None
    device: str

    def find(self, name: str, source_digest: str) -> tuple[str, str] | None:
        """Return the verdict and the mistakes of an unchanged submission; None if it has to be graded."""
        return self.graded.get((cell_of(name), source_digest))


def read_earlier(path: Path, names: Sequence[str], task_digest: str) -> Earlier:
    """Read the results of an interrupted batch. `names` are the names of the files in the folder.

    Raises BadInput if the file was not written by this command, or was written for a different task or folder.
    """
    rows = list(_rows(path))
    known = {cell_of(name) for name in names}
    if len(known) < len(names):
        raise BadInput(
            "two files in the folder would have the same name in the CSV file", "Rename one of them.", "resume"
        )
    if strangers := [row["name"] for row in rows if row["name"] not in known]:
        raise BadInput(f"{path}: {strangers[0]} is not in the folder", "Pass the folder that was graded.", "resume")
    if any(row["task_digest"] != task_digest for row in rows):
        problem = f"{path}: written for a different task, or the task has changed since then"
        raise BadInput(problem, "Grade all files again, with --csv.", "resume")
    graded = [row for row in rows if row["verdict"] != UNGRADED]
    settings = {(row["seed"], row["device"]) for row in graded}
    if len(settings) > 1:
        raise BadInput(f"{path}: its rows have different seeds or devices", "Grade all files again.", "resume")
    seed, device = settings.pop() if settings else ("", "")
    if seed and not seed.isdigit():
        raise BadInput(f"{path}: {seed} is not a valid seed", "Grade all files again, with --csv.", "resume")
    done = {(row["name"], row["source_digest"]): (row["verdict"], row["mistake"]) for row in graded}
    return Earlier(done, int(seed) if seed else None, device)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the complete rows of a file. Raises BadInput if this command did not write the file."""
    refusal = BadInput(f"{path}: not a CSV file from grade-all", "Pass the file that --csv wrote.", "resume")
    with file_errors_as_bad_input(path):
        data = path.read_bytes()
    text = ""
    with suppress(UnicodeDecodeError):
        text = data[: data.rfind(b"\n") + 1].decode(ENCODING)
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey="more")
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise refusal
    for row in reader:
        complete: dict[str, Any] = row
        if "more" in complete or None in complete.values():
            raise refusal
        yield row
