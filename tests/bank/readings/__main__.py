"""Write prompts for a reader, keep the replies, and print how well they agree with the grades."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from interviewer.examiner.calibration.measure import JudgedAnswer, agreement
from tests.bank.readings import GOLD_QUESTIONS, REPLIES, Reading, Sampler, key, load_readings

_INDEX = "answers.json"


def write(folder: Path, seed: int, gold_questions: int) -> None:
    """Write the prompts of a new sample."""
    folder.mkdir(parents=True)
    read = [(reading.question, reading.kind) for reading in load_readings()]
    drawn = Sampler().draw(seed, read, gold_questions)
    for number, (_, prompt) in enumerate(drawn, start=1):
        (folder / f"{number:02}.md").write_text(prompt, encoding="utf-8")
    index = {"seed": seed, "answers": [key(answer) for answer, _ in drawn]}
    (folder / _INDEX).write_text(json.dumps(index), encoding="utf-8")


def keep(folder: Path) -> None:
    """Record the replies in a folder that `write` made."""
    index = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
    new = [
        Reading(question, kind, index["seed"], (folder / f"{number:02}.json").read_text(encoding="utf-8").strip())
        for number, (question, kind) in enumerate(index["answers"], start=1)
    ]
    kept = [reading for reading in load_readings() if reading.seed != index["seed"]]
    text = json.dumps([asdict(reading) for reading in [*kept, *new]], indent=1, ensure_ascii=False)
    REPLIES.write_text(text + "\n", encoding="utf-8")


def figures() -> None:
    """Print the figures of each sample and of all answers."""
    sampler, readings = Sampler(), load_readings()
    judged = {reading: sampler.assessed(reading) for reading in readings}
    samples = {f"seed {seed}": [reading for reading in readings if reading.seed == seed] for seed in _seeds(readings)}
    samples["all samples"] = readings
    for name, sample in samples.items():
        outside = [judged[reading] for reading in sample if reading.kind.startswith("outside")]
        gold = [judged[reading] for reading in sample if not reading.kind.startswith("outside")]
        for part, answers in (("all", outside + gold), ("from outside", outside), ("gold", gold)):
            if answers:
                sys.stdout.write(f"{name}, {part}: {_line(answers)}\n")


def _line(judged: list[JudgedAnswer]) -> str:
    found = agreement(judged)
    shown = ("spearman", "qwk", "point_kappa", "point_kappa_three_states", "false_shown", "false_missing", "bias")
    values = ", ".join(f"{name} {value:.2f}" for name in shown if (value := found[name]) is not None)
    ungraded = sum(not answer.assessment.is_graded for answer in judged)
    return f"{len(judged)} answers, {ungraded} ungraded: {values}"


def _seeds(readings: list[Reading]) -> list[int]:
    return sorted({reading.seed for reading in readings})


def main() -> None:
    """Run one of the three commands."""
    parser = argparse.ArgumentParser(prog="python -m tests.bank.readings", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write")
    writing.add_argument("folder", type=Path)
    writing.add_argument("--seed", type=int, required=True)
    writing.add_argument("--gold-questions", type=int, default=GOLD_QUESTIONS)
    commands.add_parser("keep").add_argument("folder", type=Path)
    commands.add_parser("figures")
    arguments = parser.parse_args()
    if arguments.command == "write":
        write(arguments.folder, arguments.seed, arguments.gold_questions)
    elif arguments.command == "keep":
        keep(arguments.folder)
    else:
        figures()


if __name__ == "__main__":
    main()
