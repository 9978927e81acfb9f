"""Print how well the offline examiner hears the answers from outside: the half held back, the other, and each kind."""

from __future__ import annotations

import sys

from tests.bank.outside import KINDS, compare, judge_all


def main() -> None:
    """Judge all answers and print the figures."""
    judged = judge_all()
    for name, is_held_back in (("held back", True), ("open", False)):
        sys.stdout.write(f"{name}: {compare(pair for pair in judged if pair[0].is_held_back is is_held_back)}\n")
    for kind in KINDS:
        sys.stdout.write(f"{kind}: {compare(pair for pair in judged if pair[0].kind == kind)}\n")


if __name__ == "__main__":
    main()
