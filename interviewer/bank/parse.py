r"""Parses one question file; in a parsed question, every id resolves and every phrasing compiles.

A phrasing is a regular expression in which `<40>` matches up to 40 characters without a negation: "gradient <40> back"
matches "the gradient pulls it back" but not "the gradient does not come back".
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.bank.arithmetic import evaluate
from interviewer.bank.fields import Fields, did_you_mean, read_toml, with_lines
from interviewer.session.question import (
    LETTERS,
    Check,
    CheckedSource,
    Clarification,
    Given,
    Misconception,
    Point,
    Probe,
    Question,
    Rung,
    WrongClaim,
)

_GAP = re.compile(r"<(\d+)>")
# If a phrasing contains a negation, negation.py assumes that the answer is meant to contain the negation, too. The
# brackets, as in `[n]ot`, hide these negations from negation.py.
_NO_NEGATION = r"\b[n]ot\b|\b[n]ever\b|\b[n]o\b|\b[w]ithout\b|\b[c]annot\b|n\Wt\b"
NAME = re.compile(r"[a-z][a-z0-9_]*")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_VERSION = re.compile(r"\S[^@,]* @ [0-9a-f]{7,40}, \d{4}-\d{2}(-\d{2})?")
RUNGS_AT_LEAST = 3
DRAWS_MAX = 256


def to_regex(phrasing: str) -> str:
    """Expand a phrasing into its regular expression."""
    return _GAP.sub(lambda match: rf"(?:(?!{_NO_NEGATION}).){{0,{match[1]}}}", phrasing)


@dataclass(frozen=True)
class Draft(Question):
    """An unfinished question, which may lack parts that are required in other questions."""


def parse_question(path: Path, *, is_proved: bool = False, is_own: bool = False) -> tuple[Question | None, list[str]]:
    """Return the question in one file, or None if it is unusable, and all problems in the file.

    A user's own file may omit `seeds`, and may be a Draft. If `is_proved` is true, the file's phrasings and expressions
    are not checked again, because compiling the phrasings takes 90% of the loading time.
    """
    table, problems = read_toml(path)
    if problems:
        return None, problems
    question, problems = parse_table(table, path, is_proved=is_proved, is_own=is_own)
    return question, with_lines(problems, path)


def parse_table(
    table: dict[str, Any], path: Path, *, is_proved: bool = False, is_own: bool = False
) -> tuple[Question | None, list[str]]:
    """Return the question defined by a table from a TOML file, or None if it is unusable, and all problems found."""
    problems: list[str] = []
    fields = Fields(table, f"{path}: ", problems)
    fields.integer("format", 1, 1)
    is_whole = not (is_own and fields.flag("draft"))
    sources, checked_sources = _sources(fields)
    question = (Question if is_whole else Draft)(
        id=path.stem,
        area=path.parent.name,
        level=fields.integer("level", 1, 5),
        topics=fields.texts("topics"),
        seeds=fields.texts("seeds", required=not is_own),
        source=sources,
        prompt=fields.text("prompt"),
        points=tuple(_point(entry) for entry in fields.tables("point", required=is_whole)),
        rungs=tuple(_rung(entry, is_whole) for entry in fields.tables("rung", required=is_whole)),
        probes=tuple(_probe(entry) for entry in fields.tables("probe", required=is_whole)),
        misconceptions=tuple(_misconception(entry) for entry in fields.tables("misconception", required=is_whole)),
        tasks=fields.texts("tasks", required=False),
        after=fields.texts("after", required=False),
        called=fields.text("title", required=False),
        checks=tuple(_check(entry) for entry in fields.tables("check", required=False)),
        checked_sources=checked_sources,
        clarify=tuple(_clarification(entry) for entry in fields.tables("clarify", required=False)),
    )
    fields.reject_unknown_keys()
    _check_ids(question, fields)
    if not is_proved:
        _check_phrasings(question, fields)
        _check_arithmetic(question, fields)
    return (None if problems else question), problems


def _check_arithmetic(question: Question, fields: Fields) -> None:
    """Report expressions that have no value for some of their inputs; they would cause errors in an interview."""
    for index, rung in enumerate(question.rungs):
        if rung.check:
            _try_expression(rung.check, {}, f"rung[{index}].check", fields)
    for index, check in enumerate(question.checks):
        names = [given.name for given in check.given]
        wrong = check.wrong if check.number else ()
        for drawn in itertools.islice(itertools.product(*(given.values for given in check.given)), DRAWS_MAX):
            values = dict(zip(names, drawn, strict=True))
            tried = [
                _try_expression(expression, values, f"check[{index}].{key}", fields)
                for key, expressions in (("number", (check.number,)), ("wrong", wrong))
                for expression in expressions
                if expression
            ]
            if not all(tried):
                break


def _try_expression(expression: str, values: Mapping[str, float], key: str, fields: Fields) -> bool:
    """Return whether an expression can be evaluated; if not, report a problem."""
    try:
        evaluate(expression, values)
    except ValueError as error:
        given = ", ".join(f"{name} = {value:g}" for name, value in values.items())
        fields.add_problem(key, f"{error}{f' (with {given})' if given else ''}")
        return False
    return True


def _sources(fields: Fields) -> tuple[tuple[str, ...], tuple[CheckedSource, ...]]:
    """Return the texts of all sources, and the sources that were checked."""
    texts: list[str] = []
    checked: list[CheckedSource] = []
    for entry in fields.texts_or_tables("source"):
        if isinstance(entry, str):
            texts.append(entry)
            continue
        source = CheckedSource(
            says=entry.text("says"),
            repository=entry.text("repository"),
            path=entry.text("path"),
            terms=entry.texts("terms"),
            checked=entry.text("checked"),
        )
        entry.reject_unknown_keys()
        texts.append(source.says)
        if source.repository and not _REPOSITORY.fullmatch(source.repository):
            entry.add_problem("repository", f"expected owner/name, got {source.repository!r}")
        if not _is_version(source):
            entry.add_problem("checked", f'expected "verl 0.7 @ 1dda039, 2026-08", got {source.checked!r}')
        else:
            checked.append(source)
    return tuple(texts), tuple(checked)


def _is_version(source: CheckedSource) -> bool:
    if not _VERSION.fullmatch(source.checked):
        return False
    try:
        return source.day is not None
    except ValueError:  # the text is not a date, for example because it has month 13
        return False


def _point(fields: Fields) -> Point:
    point = Point(
        id=_name(fields),
        says=fields.text("says"),
        shows=_shows(fields),
        still_open=fields.text("still_open", required=False),
        enough=fields.text("enough", required=False),
    )
    fields.reject_unknown_keys()
    return point


def _rung(fields: Fields, is_whole: bool) -> Rung:
    rung = Rung(
        ask=fields.text("ask"),
        answer=fields.text("answer", required=is_whole),
        points=fields.texts("points", required=is_whole),
        hints=fields.texts("hints", required=is_whole),
        check=fields.text("check", required=False),
        within=fields.share("within", Rung.within),
    )
    fields.reject_unknown_keys()
    return rung


def _probe(fields: Fields) -> Probe:
    when = fields.table("when")
    probe = Probe(
        ask=fields.text("ask"),
        missing=when.text("missing", required=False),
        believes=when.text("believes", required=False),
    )
    when.reject_unknown_keys()
    fields.reject_unknown_keys()
    if bool(probe.missing) == bool(probe.believes):
        fields.add_problem("when", 'expected one of { missing = "<point>" } or { believes = "<misconception>" }')
    return probe


def _misconception(fields: Fields) -> Misconception:
    misconception = Misconception(
        id=_name(fields), says=fields.text("says"), shows=_shows(fields), ask=fields.text("ask")
    )
    fields.reject_unknown_keys()
    return misconception


def _check(fields: Fields) -> Check:
    fails = fields.tables("fails", required=False)
    check = Check(
        rung=fields.integer("rung", 1, 99),
        ask=fields.text("ask"),
        given=tuple(Given(name, values) for name, values in fields.numbers("given").items()),
        number=fields.text("number", required=False),
        unit=fields.text("unit", required=False),
        within=fields.share("within", Check.within),
        accepts=fields.texts("accepts", required=False),
        order=fields.texts("order", required=False),
        holds=fields.text("holds", required=False),
        fails=tuple(WrongClaim(claim.text("says"), claim.text("believes", required=False)) for claim in fails),
        wrong=fields.texts("wrong", required=False),
    )
    for claim in fails:
        claim.reject_unknown_keys()
    fields.reject_unknown_keys()
    if sum(map(bool, (check.number, check.accepts, check.order))) != 1:
        fields.add_problem("ask", "expected exactly one of `number`, `accepts` or `order` to define the right answer")
    if bool(check.holds) != bool(check.fails) or (check.holds and check.order):
        fields.add_problem(
            "holds", "expected both `holds` and at least one `fails`, together with `number` or `accepts`"
        )
    if max(len(check.order), len(check.fails) + 1) > len(LETTERS) or len(check.order) == 1:
        fields.add_problem("order", f"expected 2 to {len(LETTERS)} options")
    return check


def _clarification(fields: Fields) -> Clarification:
    entry = Clarification(words=fields.texts("words"), says=fields.text("says"))
    fields.reject_unknown_keys()
    if not all(map(re.compile(r"\w").search, entry.words)):
        fields.add_problem("words", "expected at least one word in every phrase")
    return entry


def _shows(fields: Fields) -> tuple[str, ...]:
    return tuple(map(to_regex, fields.texts("shows", required=False)))


def _name(fields: Fields) -> str:
    name = fields.text("id")
    if name and not NAME.fullmatch(name):
        fields.add_problem("id", f"expected snake_case, got {name!r}")
    return name


def _check_ids(question: Question, fields: Fields) -> None:
    points = [point.id for point in question.points]
    misconceptions = [misconception.id for misconception in question.misconceptions]
    for kind, names in (("point", points), ("misconception", misconceptions)):
        for name in sorted({name for name in names if name and names.count(name) > 1}):
            fields.add_problem(
                kind, f"the id '{name}' is used {names.count(name)} times; ids must be unique within a question"
            )
    for index, rung in enumerate(question.rungs):
        _check_known(rung.points, points, f"rung[{index}].points", fields)
    for index, probe in enumerate(question.probes):
        _check_known([probe.missing], points, f"probe[{index}].when.missing", fields)
        _check_known([probe.believes], misconceptions, f"probe[{index}].when.believes", fields)
    for index, check in enumerate(question.checks):
        beliefs = [claim.believes for claim in check.fails]
        _check_known(beliefs, misconceptions, f"check[{index}].fails.believes", fields)
        if question.rungs and check.rung > len(question.rungs):
            fields.add_problem(f"check[{index}].rung", f"expected 1 to {len(question.rungs)}, got {check.rung}")
    if isinstance(question, Draft):
        _check_draft(question, fields)
    elif 0 < len(question.rungs) < RUNGS_AT_LEAST:
        fields.add_problem("rung", f"expected at least {RUNGS_AT_LEAST} rungs, got {len(question.rungs)}")


def _check_draft(draft: Draft, fields: Fields) -> None:
    """If a draft has points, report that it has no rungs, and report each rung without points.

    Such a draft cannot be asked, because a rung without points cannot be scored.
    """
    if draft.points and not draft.rungs:
        fields.add_problem("rung", "expected at least one [[rung]], because the question has points")
    for index, rung in enumerate(draft.rungs if draft.points else ()):
        if not rung.points:
            fields.add_problem(
                f"rung[{index}].points", "expected the id of at least one of this question's points, got nothing"
            )


def _check_known(names: Iterable[str], known: Sequence[str], key: str, fields: Fields) -> None:
    for name in names:
        if name and name not in known:
            fields.add_problem(key, f"'{name}' is not defined in this question{did_you_mean(name, known)}")


def _check_phrasings(question: Question, fields: Fields) -> None:
    for kind, listeners in (("point", question.points), ("misconception", question.misconceptions)):
        for listener in listeners:
            for index, phrasing in enumerate(listener.shows):
                try:
                    re.compile(phrasing, re.IGNORECASE)
                except (re.error, RecursionError, OverflowError) as error:
                    fields.add_problem(f"{kind} '{listener.id}' shows[{index}]", f"not a regular expression: {error}")
