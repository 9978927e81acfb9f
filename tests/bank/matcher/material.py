"""What the matcher is trained on: the labeled statements and passages of each question, and texts without a claim."""

from __future__ import annotations

import hashlib
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interviewer.examiner.matching.overlap import content_stems
from interviewer.examiner.matching.sentences import normalize, split_sentences, words_of
from interviewer.session.question import Question

STATEMENTS = Path(__file__).parents[1] / "points"
PASSAGES = Path(__file__).parents[1] / "passages"
NEAR = Path(__file__).parents[1] / "near"
# Unrelated, shows, contradicts: the encoder's labels.
Target = tuple[float, float, float]
UNRELATED: Target = (1.0, 0.0, 0.0)
SHOWS: Target = (0.0, 1.0, 0.0)
CONTRADICTS: Target = (0.0, 0.0, 1.0)
PARTLY: Target = (0.5, 0.5, 0.0)
OF_KIND = {
    "right": SHOWS,
    "foreign": SHOWS,
    "unseen": SHOWS,
    "wrong": CONTRADICTS,
    "denied": CONTRADICTS,
    "unseen_wrong": CONTRADICTS,
    "near": SHOWS,
    "core": SHOWS,
    "far_wrong": CONTRADICTS,
}
# Filler that people say before and between claims in real answers; none of it claims anything.
_TALK = (
    "Okay, so.",
    "Good question.",
    "Let me think.",
    "So the way I see it, there are a few things here.",
    "Right, I have run into this.",
    "Let me start from the beginning.",
    "I would say it like this.",
    "And that's basically it.",
    "Does that make sense?",
    "Hm, one more thing.",
)


# Pairs that mean the same thing; either phrase can replace the other.
_SAME = (
    ("because", "since"),
    ("divided by", "over"),
    ("each", "every"),
    ("larger", "bigger"),
    ("smaller", "lower"),
    ("only", "just"),
    ("times", "multiplied by"),
    ("zero", "0"),
    ("two", "2"),
    ("probability", "prob"),
    ("gradient", "grad"),
    ("advantage", "adv"),
    ("parameters", "params"),
    ("epsilon", "eps"),
    ("that is why", "so"),
    ("must", "has to"),
    ("for example", "e.g."),
    ("cannot", "can't"),
    ("does not", "doesn't"),
    ("is not", "isn't"),
)
_DROPPED = frozenset(("a", "an", "the", "its", "that", "then", "so", "also", "therefore", "itself"))


@dataclass
class Labeled:
    """Hold a text and its target for each point that it is about; it is unrelated to the question's other points."""

    text: str
    targets: Mapping[str, Target]
    kind: str
    is_certain: bool = True  # Whether the points without a target are known to be unrelated.


@dataclass
class Material:
    """Hold the training material from one question."""

    question: Question
    items: list[Labeled] = field(default_factory=list)
    rephrased: dict[str, list[tuple[str, bool]]] = field(
        default_factory=dict
    )  # point: other wordings of its claim (True) and opposites (False)


def is_left_to_decision(question: str) -> bool:
    """Return whether a question's near statements are kept out of training: true of a quarter, chosen by digest."""
    return hashlib.sha1(question.encode()).digest()[0] % 4 == 0


def is_kept_out(text: str) -> bool:
    """Return whether a statement is held out of training for evaluation: true of a tenth, chosen by digest."""
    return hashlib.sha256(text.encode()).digest()[0] < 26


def statements(folder: Path, question: Question) -> Iterator[tuple[str, str, str]]:
    """Yield the point, the kind and the text of each statement on file."""
    file = folder / f"{question.id}.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for point, table in tables.items():
        for kind, text in table.items():
            if kind != "more":
                yield point, kind, text
        for kind, texts in table.get("more", {}).items():
            yield from ((point, kind, text) for text in texts)


def near_statements(folder: Path, question: Question) -> Iterator[tuple[str, str, str]]:
    """Yield the point, the kind and the text of the statements that separate wording from meaning.

    Right ones keep the claim's words ("near") or are short ("core"); wrong ones share few words with it ("far_wrong").
    Among the other statements, those nearest to a claim in wording are the wrong ones.
    """
    file = folder / f"{question.id}.toml"
    for point, table in (tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}).items():
        yield from ((point, kind, text) for kind, text in table.items())


def passage_tables(question: Question, *, held_out: bool) -> Iterator[dict[str, Any]]:
    """Yield the answers on file to a question: those held out of training, from which the decision is learned, or all
    others.
    """
    file = PASSAGES / f"{question.id}.toml"
    answers = tomllib.loads(file.read_text(encoding="utf-8"))["answer"] if file.exists() else []
    yield from (answer for answer in answers if answer.get("held_out", False) is held_out)


def passages(question: Question) -> Iterator[Labeled]:
    """Yield the labeled passages of the answers to a question that the encoder is trained on."""
    for answer in passage_tables(question, held_out=False):
        for passage in answer["passage"]:
            targets = dict.fromkeys(passage.get("partial", []), PARTLY)
            targets |= dict.fromkeys(passage.get("contradicts", []), CONTRADICTS)
            targets |= dict.fromkeys(passage.get("shows", []), SHOWS)
            yield Labeled(passage["text"], targets, f"passage {answer['kind']}")


def collect(question: Question, rng: random.Random) -> Material:
    """Return a question's training material: statements, passages, its own answers, and texts that claim nothing."""
    material = Material(question)
    for point, kind, text in statements(STATEMENTS, question):
        if not is_kept_out(text):
            material.items.append(Labeled(text, {point: OF_KIND[kind]}, kind))
            if kind in ("right", "foreign", "wrong"):
                material.rephrased.setdefault(point, []).append((text, kind != "wrong"))
    material.items += passages(question)
    if not is_left_to_decision(question.id):
        near = near_statements(NEAR, question)
        material.items += [Labeled(text, {point: OF_KIND[kind]}, kind, is_certain=False) for point, kind, text in near]
        for claimed in question.points:
            for text in (claimed.says, retold(claimed.says, rng)):
                material.items.append(Labeled(text, {claimed.id: SHOWS}, "claim", is_certain=False))
    for rung in question.rungs:
        material.items.append(Labeled(rung.answer, dict.fromkeys(rung.points, SHOWS), "answer", is_certain=False))
    asked = [question.prompt, *(rung.ask for rung in question.rungs)]
    material.items += [Labeled(text, {}, "asked") for text in rng.sample(asked, min(3, len(asked)))]
    for named_point in rng.sample(question.points, min(4, len(question.points))):
        words = [word for word in words_of(normalize(named_point.says)) if content_stems([word])]
        rng.shuffle(words)
        named = named_point.still_open or " ".join(words[:4])
        material.items.append(Labeled(rng.choice([" ", ", "]).join(words), {}, "salad"))
        material.items.append(
            Labeled(
                rng.choice(["{} matters a lot here.", "I'd look at {}.", "There is also {}."]).format(named),
                {},
                "named",
            )
        )
    return material


def retold(claim: str, rng: random.Random) -> str:
    """Return a claim in nearly its own words: synonyms, fewer small words, and its sentences in a different order."""
    text = claim
    for pair in _SAME:
        old, new = rng.sample(pair, 2)
        text = re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", new, text, flags=re.IGNORECASE)
    sentences = [sentence.text for sentence in split_sentences(text)]
    rng.shuffle(sentences)
    words = " ".join(sentences).split()
    return " ".join(word for word in words if word.lower() not in _DROPPED or rng.random() < 0.5)


def joined(items: Sequence[Labeled], rng: random.Random) -> Iterator[Labeled]:
    """Yield the items as they occur in answers: some joined with another one, some after small talk."""
    for item in items:
        chance = rng.random()
        other = rng.choice(items)
        if chance < 0.25 and not set(item.targets) & set(other.targets) and item.is_certain and other.is_certain:
            both = [item.text, other.text]
            rng.shuffle(both)
            text = " ".join(part if part.rstrip()[-1:] in ".!?;" else part + "." for part in both)
            yield Labeled(text, {**item.targets, **other.targets}, item.kind)
        elif chance < 0.35:
            yield Labeled(f"{rng.choice(_TALK)} {item.text}", item.targets, item.kind, item.is_certain)
        else:
            yield item
