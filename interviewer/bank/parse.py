"""Reads one question file; a question that comes out is whole: every id resolves and every phrasing compiles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from interviewer.bank.fields import Fields, nearest, read_toml
from interviewer.session.question import Misconception, Point, Probe, Question, Rung

NAME = re.compile(r"[a-z][a-z0-9_]*")
RUNGS_AT_LEAST = 3


def parse_question(path: Path, *, is_proved: bool = False) -> tuple[Question | None, list[str]]:
    """Return the question of one file, None when it cannot be used, and everything that is wrong with the file.

    Assumes: the phrasings of a proved file compile; compiling them takes nine tenths of the time of loading.
    """
    table, problems = read_toml(path)
    if problems:
        return None, problems
    fields = Fields(table, f"{path}: ", problems)
    fields.integer("format", 1, 1)
    question = Question(
        id=path.stem,
        area=path.parent.name,
        level=fields.integer("level", 1, 5),
        topics=fields.texts("topics"),
        seeds=fields.texts("seeds"),
        source=fields.texts("source"),
        prompt=fields.text("prompt"),
        points=tuple(_point(one) for one in fields.tables("point")),
        rungs=tuple(_rung(one) for one in fields.tables("rung")),
        probes=tuple(_probe(one) for one in fields.tables("probe")),
        misconceptions=tuple(_misconception(one) for one in fields.tables("misconception")),
        tasks=fields.texts("tasks", required=False),
        after=fields.texts("after", required=False),
    )
    fields.finish()
    _check_ids(question, fields)
    if not is_proved:
        _check_phrasings(question, fields)
    return (None if problems else question), problems


def _point(fields: Fields) -> Point:
    point = Point(id=_name(fields), says=fields.text("says"), shows=fields.texts("shows"))
    fields.finish()
    return point


def _rung(fields: Fields) -> Rung:
    rung = Rung(
        ask=fields.text("ask"),
        answer=fields.text("answer"),
        points=fields.texts("points"),
        hints=fields.texts("hints"),
        check=fields.text("check", required=False),
        within=fields.share("within", Rung.within),
    )
    fields.finish()
    return rung


def _probe(fields: Fields) -> Probe:
    when = fields.table("when")
    probe = Probe(
        ask=fields.text("ask"),
        missing=when.text("missing", required=False),
        believes=when.text("believes", required=False),
    )
    when.finish()
    fields.finish()
    if bool(probe.missing) == bool(probe.believes):
        fields.complain("when", 'expected one of { missing = "<point>" } or { believes = "<misconception>" }')
    return probe


def _misconception(fields: Fields) -> Misconception:
    one = Misconception(id=_name(fields), says=fields.text("says"), shows=fields.texts("shows"), ask=fields.text("ask"))
    fields.finish()
    return one


def _name(fields: Fields) -> str:
    name = fields.text("id")
    if name and not NAME.fullmatch(name):
        fields.complain("id", f"expected snake_case, got {name!r}")
    return name


def _check_ids(question: Question, fields: Fields) -> None:
    points = [point.id for point in question.points]
    misconceptions = [one.id for one in question.misconceptions]
    for kind, names in (("point", points), ("misconception", misconceptions)):
        for name in sorted({name for name in names if name and names.count(name) > 1}):
            fields.complain(kind, f"the id '{name}' is used {names.count(name)} times; ids are unique in a question")
    for index, rung in enumerate(question.rungs):
        _check_known(rung.points, points, f"rung[{index}].points", fields)
    for index, probe in enumerate(question.probes):
        _check_known([probe.missing], points, f"probe[{index}].when.missing", fields)
        _check_known([probe.believes], misconceptions, f"probe[{index}].when.believes", fields)
    if 0 < len(question.rungs) < RUNGS_AT_LEAST:
        fields.complain("rung", f"expected at least {RUNGS_AT_LEAST} rungs, got {len(question.rungs)}")


def _check_known(names: Iterable[str], known: Sequence[str], key: str, fields: Fields) -> None:
    for name in names:
        if name and name not in known:
            fields.complain(key, f"'{name}' is not an id of this question{nearest(name, known)}")


def _check_phrasings(question: Question, fields: Fields) -> None:
    for kind, listeners in (("point", question.points), ("misconception", question.misconceptions)):
        for one in listeners:
            for index, phrasing in enumerate(one.shows):
                try:
                    re.compile(phrasing, re.IGNORECASE)
                except re.error as error:
                    fields.complain(f"{kind} '{one.id}' shows[{index}]", f"not a regular expression: {error}")
