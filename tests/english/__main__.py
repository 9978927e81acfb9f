"""Print a sample of what people read, as a numbered list without context."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.english import collect, draw


def main() -> None:
    """Print the requested number of sentences; with --places, also their locations, for the people who correct them."""
    parser = argparse.ArgumentParser(prog="python -m tests.english", description="Draw sentences for blind readers.")
    parser.add_argument("--count", type=int, default=400, help="how many sentences to draw; default: 400")
    parser.add_argument("--seed", type=int, required=True, help="the seed of the draw")
    parser.add_argument("--places", action="store_true", help="print kind and file before each sentence")
    parser.add_argument("--kind", help="draw from one kind of text only, such as mistake or docstring")
    choice = parser.parse_args()
    sentences = [sentence for sentence in collect() if choice.kind in (None, sentence.kind)]
    for number, sentence in enumerate(draw(sentences, choice.count, choice.seed), start=1):
        place = f"[{sentence.kind}, {sentence.place}] " if choice.places else ""
        sys.stdout.write(f"{number}. {place}{sentence.text}\n")
    counts = Counter(sentence.kind for sentence in sentences)
    sys.stderr.write(", ".join(f"{kind}: {count}" for kind, count in sorted(counts.items())) + "\n")


if __name__ == "__main__":
    main()
