"""Pins each numeric check: its inputs in one fixed draw and the result, so that a changed expression is noticed.

`python -m tests.bank.pinned_checks` prints the checks whose result differs from the one in `pinned_checks.json`. Work
out the new results yourself, then record them with `--write`; whoever reviews the change reads the diff of that file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from interviewer.bank.arithmetic import evaluate
from interviewer.bank.load import load_questions
from interviewer.session.question import Check, Question, as_written

PINNED = Path(__file__).with_suffix(".json")
SEED = "pinned"


def line_of(check: Check) -> str:
    """Return the inputs and the result of a numeric check: "rung 4: p = 7: 126 GB"."""
    values = check.draw(SEED).values
    inputs = ", ".join(f"{name} = {as_written(value)}" for name, value in values.items()) or "no inputs"
    result = f"{evaluate(check.number, values):.10g} {check.unit}".rstrip()
    return f"rung {check.rung}: {inputs}: {result}"


def lines_of(questions: Iterable[Question]) -> dict[str, list[str]]:
    """Return the lines of each question's numeric checks, in the order of the checks."""
    return {question.id: [line_of(check) for check in question.checks if check.number] for question in questions}


def differences(pinned: Mapping[str, list[str]], now: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a line for each check that is not pinned, and for each pinned one that no longer exists."""
    for name in sorted({*pinned, *now}):
        before, after = pinned.get(name, []), now.get(name, [])
        yield from (f"{name}: - {line}" for line in before if line not in after)
        yield from (f"{name}: + {line}" for line in after if line not in before)


def read_pinned() -> dict[str, list[str]]:
    """Return the lines on file."""
    pinned: dict[str, list[str]] = json.loads(PINNED.read_text(encoding="utf-8")) if PINNED.exists() else {}
    return pinned


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the checks that differ from the pinned ones, and with `--write` pin them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bank.pinned_checks", description=main.__doc__)
    parser.add_argument("--write", action="store_true", help="pin the results that the checks have now")
    options = parser.parse_args(arguments)
    now = lines_of(load_questions())
    for line in differences(read_pinned(), now):
        sys.stdout.write(f"{line}\n")
    if options.write:
        PINNED.write_text(json.dumps(now, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
