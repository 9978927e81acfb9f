"""Fine-tune the encoder on the material; the same material and base give the same weights on one machine."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, log_softmax

from interviewer.examiner.matching.encoder import (
    LOWER_LAYERS,
    SCALE,
    UPPER_LAYERS,
    PairEncoder,
    ReadTexts,
    WordPieces,
    gather,
)
from interviewer.examiner.matching.overlap import stems
from interviewer.examiner.matching.sentences import normalize, split_sentences
from interviewer.session.question import Question
from tests.bank.matcher.material import CONTRADICTS, SHOWS, UNRELATED, Labeled, Material, Target, joined

_ITEMS_PER_STEP = 16
_UNRELATED_POINTS = 2
_PAIRS_PER_BATCH = 20
_INT8_MAX = 127
_EMBEDDING_SHARPNESS = 20.0
_EMBEDDING_WEIGHT = 0.3


class _Step:
    """Collect the unique texts and the pairs of one step; the lower layers' output for a text is computed once."""

    def __init__(self, encoder: PairEncoder, words: WordPieces, read: dict[str, Tensor]) -> None:
        self._encoder, self._words, self._read = encoder, words, read
        self._known: dict[str, int] = {}
        self.pairs: list[tuple[int, list[int]]] = []
        self.targets: list[Target] = []

    def text(self, text: str) -> int:
        return self._known.setdefault(text, len(self._known))

    def add(self, claim: int, passage: list[int], target: Target) -> None:
        self.pairs.append((claim, passage))
        self.targets.append(target)

    def read(self) -> ReadTexts:
        new = [text for text in self._known if text not in self._read]
        if new:
            with torch.no_grad():
                read = self._encoder.read([self._words.ids(text) for text in new])
            for at, text in enumerate(new):
                self._read[text] = read.states[read.starts[at] : read.starts[at + 1]].to(torch.bfloat16)
        return gather([self._read[text] for text in self._known])


def _loss(
    encoder: PairEncoder,
    step: _Step,
    material: Material,
    items: Sequence[Labeled],
    rng: random.Random,
) -> Tensor:
    claims = {point.id: step.text(normalize(point.for_judge)) for point in material.question.points}
    embedded: list[tuple[list[int], str]] = []
    for item in items:
        passage = [step.text(sentence.text) for sentence in split_sentences(item.text)[:6]]
        if not passage:
            continue
        for point, target in item.targets.items():
            step.add(claims[point], passage, target)
            embedded.append((passage, point))
            if target in (SHOWS, CONTRADICTS) and material.rephrased.get(point) and rng.random() < 0.2:
                claim, is_same = rng.choice(material.rephrased[point])
                # Nobody knows whether two wrong claims agree with each other.
                if claim != item.text and (is_same or target is SHOWS):
                    step.add(step.text(normalize(claim)), passage, target if is_same else CONTRADICTS)
        if item.is_certain:
            for point in _unrelated(item, material.question, rng):
                step.add(claims[point], passage, UNRELATED)
    read = step.read()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        lengths = [read.starts[at + 1] - read.starts[at] for at in range(len(read.starts) - 1)]
        order = sorted(
            range(len(step.pairs)),
            key=lambda at: sum(lengths[text] for text in (step.pairs[at][0], *step.pairs[at][1])),
        )
        total = torch.zeros(())
        for first in range(0, len(order), _PAIRS_PER_BATCH):
            taken = order[first : first + _PAIRS_PER_BATCH]
            logits = encoder.score(read, [step.pairs[at] for at in taken]).float()
            total = total + cross_entropy(logits, torch.tensor([step.targets[at] for at in taken]), reduction="sum")
    return total / len(order) + _EMBEDDING_WEIGHT * _embedding_loss(encoder, read, embedded, claims)


def _unrelated(item: Labeled, question: Question, rng: random.Random) -> Sequence[str]:
    """Return two points that an item is not about: the one most similar to it in wording, and a random one."""
    others = {point.id: stems(point.says) for point in question.points if point.id not in item.targets}
    if len(others) <= _UNRELATED_POINTS:
        return list(others)
    told = stems(item.text)
    nearest = max(others, key=lambda point: len(others[point] & told) / max(1, len(others[point])))
    return nearest, rng.choice([point for point in others if point != nearest])


def _embedding_loss(
    encoder: PairEncoder, read: ReadTexts, embedded: Sequence[tuple[list[int], str]], claims: Mapping[str, int]
) -> Tensor:
    """Return the loss for picking, by embeddings alone, which of the question's claims a passage is about."""
    if not embedded:
        return torch.zeros(())
    places = {point: at for at, point in enumerate(claims)}
    texts = encoder.embed(read.means)
    near = torch.stack([texts[passage].mean(0) for passage, _ in embedded]) @ texts[list(claims.values())].T
    wanted = torch.tensor([places[point] for _, point in embedded])
    return -log_softmax(_EMBEDDING_SHARPNESS * near, dim=-1)[torch.arange(len(wanted)), wanted].mean()


def train(
    encoder: PairEncoder,
    words: WordPieces,
    materials: Sequence[Material],
    epochs: float,
    seed: int = 0,
    rate: float = 8e-5,
) -> None:
    """Fine-tune the upper layers in place; the lower layers are frozen, so they read each text only once."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    encoder.train()
    for part in (encoder.words, encoder.places, encoder.norm, encoder.lower):
        part.requires_grad_(False)
    read: dict[str, Tensor] = {}
    fresh = [*encoder.embedding.parameters(), *encoder.roles.parameters(), *encoder.head.parameters()]
    known = {id(parameter) for parameter in fresh}
    rest = [parameter for parameter in encoder.parameters() if parameter.requires_grad and id(parameter) not in known]
    optimizer = torch.optim.AdamW([{"params": rest, "lr": rate}, {"params": fresh, "lr": 5 * rate}], weight_decay=0.01)
    per_epoch = sum(-(-len(material.items) // _ITEMS_PER_STEP) for material in materials)
    steps = int(per_epoch * epochs)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (0.06 * steps)) * max(0.02, 1 - step / steps)
    )
    began, step, recent = time.process_time(), 0, 0.0
    while step < steps:
        groups = []
        for material in materials:
            items = list(joined(material.items, rng))
            rng.shuffle(items)
            groups += [(material, items[at : at + _ITEMS_PER_STEP]) for at in range(0, len(items), _ITEMS_PER_STEP)]
        rng.shuffle(groups)
        for material, items in groups[: steps - step]:
            loss = _loss(encoder, _Step(encoder, words, read), material, items, rng)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_([*rest, *fresh], 1.0)
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            step += 1
            recent += float(loss.detach())
            if step % 20 == 0:
                sys.stderr.write(
                    f"step {step} of {steps}: loss {recent / 20:.3f}, {time.process_time() - began:.0f} CPU seconds\n"
                )
                recent = 0.0
    encoder.eval()


def load_base(file: Path) -> PairEncoder:
    """Return the encoder with a sentence-transformers checkpoint's weights; all others are drawn from a seed."""
    found = load_file(file)
    torch.manual_seed(0)
    encoder = PairEncoder()
    nn.init.normal_(encoder.roles.weight, std=0.05)
    # The encoder has no token types, so the checkpoint's embedding of type 0 is added to the position embeddings.
    state = encoder.state_dict() | {
        "words.weight": found["embeddings.word_embeddings.weight"],
        "places.weight": found["embeddings.position_embeddings.weight"]
        + found["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": found["embeddings.LayerNorm.weight"],
        "norm.bias": found["embeddings.LayerNorm.bias"],
    }
    theirs = {
        "out": "attention.output.dense",
        "norm_attention": "attention.output.LayerNorm",
        "wide": "intermediate.dense",
        "narrow": "output.dense",
        "norm_output": "output.LayerNorm",
    }
    for number in range(LOWER_LAYERS + UPPER_LAYERS):
        source = f"encoder.layer.{number}"
        layer = f"lower.{number}" if number < LOWER_LAYERS else f"upper.{number - LOWER_LAYERS}"
        for kind in ("weight", "bias"):
            parts = [found[f"{source}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            state[f"{layer}.qkv.{kind}"] = torch.cat(parts)
            state |= {f"{layer}.{ours}.{kind}": found[f"{source}.{name}.{kind}"] for ours, name in theirs.items()}
    encoder.load_state_dict(state)
    return encoder


def save_int8(encoder: PairEncoder, file: Path) -> None:
    """Write the weights: matrices as int8 with a float32 scale for each row, vectors as float32."""
    stored: dict[str, Tensor] = {}
    for name, weight in encoder.state_dict().items():
        if weight.ndim < 2:
            stored[name] = weight.contiguous()
            continue
        scale = weight.abs().amax(dim=1, keepdim=True).clamp_min(1e-12) / _INT8_MAX
        stored[name] = (weight / scale).round().to(torch.int8)
        stored[name + SCALE] = scale.contiguous()
    save_file(stored, file)
