"""Lists the points that were changed since someone last compared them with a derivation or with an expert's answer.

A point is changed if its text or its `enough` is.

`claims` are the points in `derivations/claims.toml`: read the point again, with its tests or the reason why it has
none. `experts` are the points in `experts/<question>.toml`: read the point again, with what the expert reached and how
the rest was settled. `python -m tests.bank.read_points claims` or `experts` prints the points to read, and `--read`
records them as read.
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


def names_of(kind: str) -> list[str]:
    """Return the points (question.point) that are listed as claims, or that were compared with an expert's answer."""
    if kind == "claims":
        claims = tomllib.loads((HERE / "derivations" / "claims.toml").read_text("utf-8"))
        return [*claims["derived"], *claims["not_derived"]]
    experts = [tomllib.loads(path.read_text("utf-8")) for path in sorted((HERE / "experts").glob("*.toml"))]
    return [f"{expert['question']}.{point['id']}" for expert in experts for point in expert["point"]]


def digest(text: str) -> str:
    """Return a short key that changes with the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def unread(digests: Mapping[str, str], read: Mapping[str, str]) -> list[str]:
    """Return the points whose text is not the one that was read."""
    return [name for name, key in digests.items() if read.get(name) != key]


def digests_of(kind: str) -> dict[str, str]:
    """Return a digest of each point of this kind, with its `enough`; names without a point are left out."""
    texts = {f"{question.id}.{point.id}": point.for_judge for question in load_questions() for point in question.points}
    return {name: digest(texts[name]) for name in names_of(kind) if name in texts}


def read_record() -> dict[str, dict[str, str]]:
    """Return the digests on file, for each kind."""
    record: dict[str, dict[str, str]] = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    return record


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the points to read again, and with `--read` record them as read."""
    parser = argparse.ArgumentParser(prog="python -m tests.bank.read_points", description=main.__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--read", action="store_true", help="record every point of this kind as read")
    options = parser.parse_args(arguments)
    digests, record = digests_of(options.kind), read_record()
    for name in unread(digests, record.get(options.kind, {})):
        sys.stdout.write(f"{name}\n")
    if options.read:
        record[options.kind] = digests
        RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
