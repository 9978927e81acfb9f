"""What `class` does once it is parsed: many exported logs in, one summary out, and the user's own log never opened."""

from __future__ import annotations

import time
from pathlib import Path

from interviewer.cli.class_listing import class_lines, class_object
from interviewer.cli.files import files_in, why_not_plain
from interviewer.cli.log import failures, say
from interviewer.cli.log_files import write_file
from interviewer.exits import BAD_INPUT, OK, Failure, print_json
from interviewer.interview.context import Kit
from interviewer.log.errors import NotAnExport
from interviewer.log.reports.classroom import Catalog, Item, MistakeKey, Person, read_person, summarize_class
from interviewer.log.reports.classroom_html import class_page
from interviewer.sanitize import one_line

EXPORT_BYTES_MAX = 2**28


def class_summary(kit: Kit, folder: Path, html: Path | None, *, has_names: bool, as_json: bool) -> int:
    """Print, or write as a page, what the exported logs of a folder add up to."""
    files = files_in(folder, ".jsonl")
    with failures():
        catalogue = _catalogue(kit)
    people, left_out = _read(files)
    if not people:
        said = f"none of the {len(files)} files in {folder} can be read"
        raise Failure(BAD_INPUT, "input", said, "Each must be one person's: interviewer export FILE --format jsonl.")
    summary = summarize_class(people, left_out, catalogue)
    labels = [Path(one.file).stem if has_names else f"person {number}" for number, one in enumerate(summary.people, 1)]
    if html:
        write_file(html, class_page(summary, labels, time.time()).encode("utf-8"))
    if as_json:
        print_json(class_object(summary, labels))
    else:
        say(str(html) if html else "\n".join(class_lines(summary, labels)))
    return OK


def _read(files: list[Path]) -> tuple[list[Person], int]:
    """Return the people, one for each file that can be read, and how many cannot; each of those is named."""
    people: dict[str, Person] = {}
    holder: dict[str, str] = {}
    left_out = 0
    for file in files:
        try:
            person = _person(file)
        except NotAnExport as error:
            left_out += 1
            _note(file, f"left out: {error.message}")
            continue
        if person.digest in people:
            _note(file, f"the same file as {people[person.digest].file}, counted once")
            continue
        people[person.digest] = person
        for other in sorted({holder[one] for one in person.sessions if one in holder}):
            _note(file, f"holds sessions that {other} holds too; both count as people")
        holder.update(dict.fromkeys(person.sessions, file.name))
        if person.unfollowed:
            _note(
                file, f"{person.unfollowed} of its sessions do not follow from today's rules; they are not counted in"
            )
    return list(people.values()), left_out


def _person(file: Path) -> Person:
    if why := why_not_plain(file):
        raise NotAnExport(why, "")
    try:
        with file.open("rb") as opened:
            data = opened.read(EXPORT_BYTES_MAX + 1)
    except OSError as error:
        raise NotAnExport(error.strerror or str(error), "") from None
    if len(data) > EXPORT_BYTES_MAX:
        raise NotAnExport(f"larger than {EXPORT_BYTES_MAX // 2**20} MiB", "")
    try:
        return read_person(file.name, data)
    except NotAnExport:
        raise
    except Exception as error:
        # Made by hand, it can break what reads it in ways that nobody listed; the others must not be lost with it.
        raise NotAnExport(f"cannot be read ({type(error).__name__}: {error})", "") from None


def _note(file: Path, said: str) -> None:
    say(one_line(f"{file.name}: {said}"), is_error=True)


def _catalogue(kit: Kit) -> Catalog:
    topics, areas, says = {}, {}, {}
    for question in kit.questions:
        item = Item("question", question.id)
        topics[item], areas[item] = question.topics, question.area
        says.update({MistakeKey(item, one.id): one.says for one in question.misconceptions})
    for task in kit.full_tasks:
        item = Item("task", task.id)
        topics[item], areas[item] = task.topics, task.area
        says.update({MistakeKey(item, one.id): one.wrong for one in task.mistakes})
    return Catalog(topics, areas, says)
