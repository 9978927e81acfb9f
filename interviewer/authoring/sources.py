"""Opens the checked sources of questions in local clones, and lists the sources whose check is old or missing."""

from __future__ import annotations

import datetime
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from interviewer.session.question import CheckedSource, Question

# A software source names a repository (owner/name) or documentation; every other source is a paper or a book.
_SOFTWARE = re.compile(r"(?<![\w./:])[A-Za-z][\w.-]*/[A-Za-z][\w.-]*(?=[ ,:;]|$)|\bdocs?\b|\bdocumentation\b")
GIT_SECONDS_MAX = 60


class CannotOpenSource(Exception):
    """The file of a source is not in the clone; the message says what is missing."""


def source_lines(questions: Sequence[Question], clones: Path) -> tuple[list[str], list[str]]:
    """Return one line for each problem with a checked source, and the repositories that have no clone.

    The folder `clones` contains owner/name for each repository: a git clone (bare or not) or a plain folder.
    """
    problems: list[str] = []
    without_clone: dict[str, None] = {}
    for question in questions:
        for source in question.checked_sources:
            folder = clones / source.repository
            if not folder.is_dir():
                without_clone[source.repository] = None
                continue
            where = f"{question.area}/{question.id}.toml: source {source.path} ({source.checked})"
            try:
                text = read_source(folder, source)
            except CannotOpenSource as error:
                problems.append(f"{where}: {error}")
                continue
            problems += [f"{where}: {term!r} does not occur there" for term in source.terms if term not in text]
    return problems, list(without_clone)


def read_source(folder: Path, source: CheckedSource) -> str:
    """Return the source's file at its commit. A plain folder contains only one version, which is read instead.

    Raises: CannotOpenSource.
    """
    if not ((folder / ".git").exists() or (folder / "HEAD").is_file()):
        try:
            return (folder / source.path).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise CannotOpenSource(f"{folder / source.path}: {error.strerror}") from None
    command = ["git", "-C", str(folder), "show", f"{source.commit}:{source.path}"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=GIT_SECONDS_MAX, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotOpenSource(f"git show failed: {error}") from None
    if done.returncode:
        raise CannotOpenSource(done.stderr.decode(errors="replace").strip().splitlines()[0])
    return done.stdout.decode(errors="replace")


def stale_lines(questions: Sequence[Question], days: int, today: datetime.date) -> Iterator[str]:
    """Yield a line for each source whose commit is more than `days` days old, and each unchecked software source."""
    for question in questions:
        where = f"{question.area}/{question.id}.toml"
        for source in question.checked_sources:
            age = (today - source.day).days
            if age > days:
                yield f"{where}: {age} days old: {source.checked}: {source.says}"
        checked = {source.says for source in question.checked_sources}
        yield from (
            f"{where}: never checked: {text}"
            for text in question.source
            if text not in checked and _SOFTWARE.search(text)
        )
