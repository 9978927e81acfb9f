"""Print how well the offline examiner judges the outside answers: the held-out half, the open half, and each kind."""

from __future__ import annotations

import sys

from interviewer.examiner.matching.learned import LOAD_SECONDS, shared_matcher
from tests.bank.outside import KINDS, compare, judge_all


def main(arguments: list[str]) -> None:
    """Judge the answers and print the figures."""
    matcher = None if "--phrasings" in arguments else shared_matcher()
    if matcher is not None:
        matcher.wait(LOAD_SECONDS)
    is_open = "--open" in arguments
    judged = judge_all(matcher, lambda answer: not (is_open and answer.is_held_back))
    for name, is_held_back in (("held back", True), ("open", False)):
        sys.stdout.write(f"{name}: {compare(pair for pair in judged if pair[0].is_held_back is is_held_back)}\n")
    for kind in KINDS:
        sys.stdout.write(f"{kind}: {compare(pair for pair in judged if pair[0].kind == kind)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
