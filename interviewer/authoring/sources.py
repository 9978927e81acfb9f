"""Opens the sources of questions and tasks in local clones, and reports the sources that cannot be opened.

A source is a table (questions only) or a string. A string that names a file in a repository has the form "owner/name
path at commit 1dda039 of 2026-08-22: `term`, `term` (what it shows)"; the date, the terms and the remark are optional.
The date is the commit's day or month; if it is not known, "read 2026-08-22" says when the file was read. A thread has
the form "owner/name issue 123 read 2026-08-22 (what it shows)".
"""

from __future__ import annotations

import datetime
import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from interviewer.session.question import Question
from tasks.task import Task

# A software source names a repository (owner/name) or documentation; every other source is a paper or a book.
_SOFTWARE = re.compile(r"(?<![\w./:])[A-Za-z][\w.-]*/[A-Za-z][\w.-]*(?=[ ,:;]|$)|\bdocs?\b|\bdocumentation\b")
_FILE = re.compile(
    r"(?P<repository>[\w.-]+/[\w.-]+) (?P<path>[\w./-]+) at commit (?P<commit>[0-9a-f]{7,40})\b"
    r"(?: (?:of|read) (?P<day>\d{4}-\d{2}(?:-\d{2})?))?(?P<rest>.*)"
)
_TERM = re.compile(r"`([^`]+)`")
_THREAD = re.compile(r"[\w.-]+/[\w.-]+,? (?:issue|pull request) \d+\b(?: read (?P<day>\d{4}-\d{2}-\d{2}))?")
_MEASURED = re.compile(r"\(measured \d{4}-\d{2}\)")
_PLACE = re.compile(
    r"\b(?:sections?|chapters?|eqs?\.|figures?|tables?|theorems?|algorithms?|propositions?|appendix|appendices|abstract)"
    r"(?![\w-])"
)
_URL = re.compile(r"(?<![\w@.])[\w-]+(?:\.[\w-]+)+/\S")
_ARXIV = re.compile(r"\barXiv:\d{4}\.\d{4,5}\b")
# Words that identify a book or a paper: its authors and its title.
_NAMING = re.compile(r"(?!(?:the|and|paper|report|pdf)\b)\b[a-z][a-z'-]{2,}\b", re.IGNORECASE)
_NAMING_MIN = 3
# This folder exists only in a checkout, because the installed package contains no tests.
NUMBERS = Path(__file__).parents[2] / "tests" / "bank" / "numbers"
GIT_SECONDS_MAX = 60


class CannotOpenSource(Exception):
    """The file of a source is not in the clone; the message says what is missing."""


class SourceFile(NamedTuple):
    """A file at a specific commit of a repository; the file contains all of the `terms`."""

    where: str
    repository: str
    path: str
    commit: str
    terms: tuple[str, ...]


def source_files(questions: Sequence[Question], tasks: Sequence[Task] = ()) -> Iterator[SourceFile]:
    """Yield each file that a source cites at a commit, including the sources for the numbers in questions."""
    for question in questions:
        where = f"{question.area}/{question.id}.toml: source"
        for source in question.checked_sources:
            label = f"{where} {source.path} ({source.checked})"
            yield SourceFile(label, source.repository, source.path, source.commit, source.terms)
        yield from _named_files(question.source, where)
        for where_used, text in sourced_numbers(question.id):
            yield from _named_files([text], where_used)
    for task in tasks:
        yield from _named_files(task.source, f"{task.area}/{task.id}/task.toml: source")


def _named_files(texts: Sequence[str], where: str) -> Iterator[SourceFile]:
    for text in texts:
        if found := _FILE.match(text):
            repository, path, commit, _, rest = found.groups()
            yield SourceFile(f"{where} {path} (@ {commit})", repository, path, commit, tuple(_TERM.findall(rest)))


def sourced_numbers(question: str) -> Iterator[tuple[str, str]]:
    """Yield the location of each `sourced` number in a question, and the number's source."""
    path = NUMBERS / f"{question}.toml"
    if not path.exists():
        return
    for place, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for number, text in entries.get("sourced", {}).items():
            yield f"numbers/{path.name}: {place}: {number!r}", text


def why_not_openable(text: str) -> str:
    """Return what a reader would need, beyond this text, to open the source; "" if nothing is missing."""
    if _FILE.match(text) or _THREAD.match(text) or _MEASURED.search(text):
        return ""
    if _SOFTWARE.search(text):
        return 'expected "owner/name path at commit 1dda039: `term`"'
    if _URL.search(text):
        return ""
    place = _PLACE.search(text)
    if place is None:
        return "expected a section, an equation or a page URL"
    is_named = _ARXIV.search(text) or len(_NAMING.findall(text[: place.start()])) >= _NAMING_MIN
    return "" if is_named else "expected an arXiv id, or the authors and the title, before the section or equation"


def source_lines(
    questions: Sequence[Question], clones: Path, tasks: Sequence[Task] = ()
) -> tuple[list[str], list[str]]:
    """Return two lists: one line for each problem with a source's file, and the repositories that have no clone.

    The folder `clones` contains owner/name for each repository: a git clone (bare or not) or a plain folder.
    """
    problems: list[str] = []
    without_clone: dict[str, None] = {}
    for source in source_files(questions, tasks):
        folder = clones / source.repository
        if not folder.is_dir():
            without_clone[source.repository] = None
            continue
        try:
            text = read_source(folder, source)
        except CannotOpenSource as error:
            problems.append(f"{source.where}: {error}")
            continue
        problems += [f"{source.where}: {term!r} does not occur there" for term in source.terms if term not in text]
    return problems, list(without_clone)


def read_source(folder: Path, source: SourceFile) -> str:
    """Return the source's file at its commit. In a folder that is not a clone, the file's only version is read instead.

    Raises CannotOpenSource if the file is not in the clone.
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


def stale_lines(
    questions: Sequence[Question], days: int, today: datetime.date, tasks: Sequence[Task] = ()
) -> Iterator[str]:
    """Yield a line for each source whose date is more than `days` days ago, and each unchecked software source.

    The date is the commit date or, if no commit date is given, the day on which the source was read. A source without a
    date is treated as unchecked.
    """
    for question in questions:
        where = f"{question.area}/{question.id}.toml"
        for source in question.checked_sources:
            age = (today - source.day).days
            if age > days:
                yield f"{where}: {age} days old: {source.checked}: {source.says}"
        checked = {source.says for source in question.checked_sources}
        yield from _stale_texts([text for text in question.source if text not in checked], where, days, today)
    for task in tasks:
        yield from _stale_texts(task.source, f"{task.area}/{task.id}/task.toml", days, today)


def _stale_texts(texts: Sequence[str], where: str, days: int, today: datetime.date) -> Iterator[str]:
    for text in texts:
        found = _FILE.match(text) or _THREAD.match(text)
        if found and (day := found["day"]):
            age = (today - datetime.date.fromisoformat(day if day.count("-") == 2 else f"{day}-01")).days
            if age > days:
                yield f"{where}: {age} days old: {text}"
        elif _SOFTWARE.search(text):
            yield f"{where}: never checked: {text}"
