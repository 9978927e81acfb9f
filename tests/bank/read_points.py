"""Lists the statements that were changed since someone compared them with a derivation or with an expert's answer.

A point is changed if its text or its `enough` is; a check is changed if one of its options is.

`claims` are the points, misconceptions and checks in `derivations/claims.toml`: read the statement again, with its
tests or the reason why it has none. `experts` are the points in `experts/<question>.toml`: read the point again, with
what the expert reached and how the rest was settled. `python -m tests.bank.read_points claims` or `experts` prints what
to read, and `--read` records it as read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from interviewer.bank.load import load_questions

HERE = Path(__file__).parent
RECORD = Path(__file__).with_suffix(".json")
KINDS = ("claims", "experts")


def statements() -> dict[str, str]:
    """Return all points, misconceptions and options of checks, named "question.<id>" or "question.check 1"."""
    found: dict[str, str] = {}
    for question in load_questions():
        points = {point.id: point.for_judge for point in question.points}
        misconceptions = {misconception.id: misconception.says for misconception in question.misconceptions}
        options = ["\n".join([check.holds, *(wrong.says for wrong in check.fails)]) for check in question.checks]
        checks = {f"check {place}": text for place, text in enumerate(options, 1)}
        found |= {f"{question.id}.{name}": text for name, text in (misconceptions | points | checks).items()}
    return found


def names_of(kind: str) -> list[str]:
    """Return the statements that are listed as claims, or the points that were compared with an expert's answer."""
    if kind == "claims":
        claims = tomllib.loads((HERE / "derivations" / "claims.toml").read_text("utf-8"))
        return [*claims["derived"], *claims["not_derived"]]
    experts = [tomllib.loads(path.read_text("utf-8")) for path in sorted((HERE / "experts").glob("*.toml"))]
    return [f"{expert['question']}.{point['id']}" for expert in experts for point in expert["point"]]


def digest(text: str) -> str:
    """Return a short key that changes with the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def unread(digests: Mapping[str, str], read: Mapping[str, str]) -> list[str]:
    """Return the statements whose text is not the one that was read."""
    return [name for name, key in digests.items() if read.get(name) != key]


def digests_of(kind: str) -> dict[str, str]:
    """Return a digest of each statement of this kind; names without a statement are left out."""
    texts = statements()
    return {name: digest(texts[name]) for name in names_of(kind) if name in texts}


def read_record() -> dict[str, dict[str, str]]:
    """Return the digests on file, for each kind."""
    record: dict[str, dict[str, str]] = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    return record


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the statements to read again, and with `--read` record them as read."""
    parser = argparse.ArgumentParser(prog="python -m tests.bank.read_points", description=main.__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--read", action="store_true", help="record every statement of this kind as read")
    options = parser.parse_args(arguments)
    digests, record = digests_of(options.kind), read_record()
    for name in unread(digests, record.get(options.kind, {})):
        sys.stdout.write(f"{name}\n")
    if options.read:
        record[options.kind] = digests
        RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
