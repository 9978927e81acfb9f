"""A small transformer that classifies whether a passage states a claim, contradicts it, or does neither.

The lower layers encode each sentence separately, so an answer is encoded once for all claims; the upper layers read a
claim together with a passage. The weights start from all-MiniLM-L6-v2 (Apache-2.0) and are fine-tuned by
`make matcher`. The weights are stored as int8 with one scale per row and dequantized to float32 when loaded. A pair
therefore gets the same scores on every machine, up to rounding. Importing this module imports torch, so only the
matcher's process, which runs this file, and the training code import it. The process reads requests as JSON lines and
answers each with a JSON line: {"id", "claims", "sentences"} is answered by {"id", "windows"}; see
`Matcher.find_windows`. Before the first answer, the process writes {"ready": true}.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from torch import Tensor, nn
from torch.nn.functional import gelu, normalize

LABELS = ("unrelated", "shows", "contradicts")
HIDDEN, HEADS, INNER = 384, 12, 1536
LOWER_LAYERS, UPPER_LAYERS = 3, 3
_VOCABULARY, _POSITIONS = 30_522, 512
_EMBEDDED = 128
TEXT_TOKENS_MAX = 96
_CLS, _SEP = 101, 102
MODEL = Path(__file__).with_name("model")
WEIGHTS, VOCABULARY = MODEL / "weights.safetensors", MODEL / "vocabulary.txt"
_WINDOW_SENTENCES = 3
# Scoring every window of one to three sentences would take seconds. If an answer contains evidence for a claim, the
# evidence is in the windows whose embeddings are closest to the claim's embedding.
_WINDOWS_PER_CLAIM = 4
_PAIRS_PER_BATCH = 8
# On a busy machine, more threads would contend with each other, and one thread is fast enough.
_THREADS = 1
_LAYER_NORM_EPS = 1e-12
_MASKED = -1e4
SCALE = ".scale"


class _Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = nn.Linear(HIDDEN, HIDDEN)
        self.norm_attention = nn.LayerNorm(HIDDEN, eps=_LAYER_NORM_EPS)
        self.wide = nn.Linear(HIDDEN, INNER)
        self.narrow = nn.Linear(INNER, HIDDEN)
        self.norm_output = nn.LayerNorm(HIDDEN, eps=_LAYER_NORM_EPS)

    def forward(self, states: Tensor, mask: Tensor, only_first: bool = False) -> Tensor:
        """Return the output states [texts, tokens, hidden]; with `only_first`, only those of the first token."""
        batch, length, _ = states.shape
        query, key, value = self.qkv(states).view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        if only_first:
            query, states = query[:, :, :1], states[:, :1]
        # Attention is implemented by hand: with a mask and texts this short, torch's fused attention is slower,
        # especially in the backward pass.
        weights = (query @ key.transpose(-1, -2) * (HIDDEN // HEADS) ** -0.5).masked_fill(~mask, _MASKED)
        mixed = (weights.softmax(-1) @ value).transpose(1, 2).flatten(2)
        states = self.norm_attention(states + self.out(mixed))
        return self.norm_output(states + self.narrow(gelu(self.wide(states))))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class ReadTexts:
    """The lower layers' output for several texts: the `states` [tokens, hidden] of all tokens, one text after another.

    Text i has the tokens starts[i]:starts[i + 1] and the mean state means[i]; `means` is [texts, hidden].
    """

    states: Tensor
    means: Tensor
    starts: Sequence[int]


class PairEncoder(nn.Module):
    """Scores pairs of a claim and a passage, with one logit for each of `LABELS`."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(_VOCABULARY, HIDDEN)
        self.places = nn.Embedding(_POSITIONS, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=_LAYER_NORM_EPS)
        self.lower = nn.ModuleList(_Layer() for _ in range(LOWER_LAYERS))
        self.embedding = nn.Linear(HIDDEN, _EMBEDDED)
        self.roles = nn.Embedding(2, HIDDEN)
        self.upper = nn.ModuleList(_Layer() for _ in range(UPPER_LAYERS))
        self.head = nn.Linear(HIDDEN, len(LABELS))

    def read(self, texts: Sequence[Sequence[int]], texts_per_batch: int = 64) -> ReadTexts:
        """Return the hidden states for texts given as token ids; texts of similar length share a batch."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        states: dict[int, Tensor] = {}
        for first in range(0, len(order), texts_per_batch):
            taken = order[first : first + texts_per_batch]
            longest = max(len(texts[at]) for at in taken)
            ids = torch.tensor([[*texts[at], *[0] * (longest - len(texts[at]))] for at in taken])
            is_token = torch.arange(longest) < torch.tensor([[len(texts[at])] for at in taken])
            batch = self._read_batch(ids, is_token)
            states |= {at: batch[row, : len(texts[at])] for row, at in enumerate(taken)}
        return gather([states[at] for at in range(len(texts))])

    def embed(self, means: Tensor) -> Tensor:
        """Return unit-length embeddings [..., embedded] of texts, given their mean states [..., hidden]."""
        return normalize(self.embedding(means).float(), dim=-1)

    def _read_batch(self, ids: Tensor, is_token: Tensor) -> Tensor:
        states: Tensor = self.norm(self.words(ids) + self.places.weight[: ids.shape[1]])
        for layer in self.lower:
            states = layer(states, is_token[:, None, None, :])
        return states

    def score(self, read: ReadTexts, pairs: Sequence[tuple[int, Sequence[int]]]) -> Tensor:
        """Return the logits [pairs, labels] for pairs of a claim and a passage's sentences, given as text indices."""
        rows, roles = [], []
        for claim, passage in pairs:
            tokens = list(range(read.starts[claim], read.starts[claim + 1]))
            roles.append(len(tokens))
            for sentence in passage:
                tokens += range(read.starts[sentence], read.starts[sentence + 1])
            rows.append(tokens)
        longest = max(len(row) for row in rows)
        where = torch.tensor([[*row, *[row[0]] * (longest - len(row))] for row in rows])
        places = torch.arange(longest)
        mask = (places < torch.tensor([[len(row)] for row in rows]))[:, None, None, :]
        is_passage = (places >= torch.tensor([[count] for count in roles])).long()
        states = read.states.index_select(0, where.flatten()).view(*where.shape, HIDDEN) + self.roles(is_passage)
        for layer in self.upper[:-1]:
            states = layer(states, mask)
        return self.head(self.upper[-1](states, mask, only_first=True)[:, 0])  # type: ignore[no-any-return]


def gather(states: Sequence[Tensor]) -> ReadTexts:
    """Concatenate the hidden states of several texts; each text's states have the shape [tokens, hidden]."""
    starts = [0]
    for text in states:
        starts.append(starts[-1] + len(text))
    return ReadTexts(torch.cat(list(states)), torch.stack([text.float().mean(0) for text in states]), starts)


def load_int8(file: Path) -> PairEncoder:
    """Return the encoder in float32, built from weights stored as int8 with one scale per row."""
    stored = load_file(file)
    encoder = PairEncoder()
    encoder.load_state_dict(
        {
            name: weight.float() * stored[name + SCALE] if name + SCALE in stored else weight
            for name, weight in stored.items()
            if not name.endswith(SCALE)
        }
    )
    return encoder.eval()


class WordPieces:
    """Tokenizes texts with BERT's uncased WordPiece; the vocabulary file has one word piece per line."""

    def __init__(self, vocabulary: Path) -> None:
        pieces = vocabulary.read_text(encoding="utf-8").splitlines()
        known = {piece: number for number, piece in enumerate(pieces)}
        self._tokenizer = Tokenizer(models.WordPiece(known, unk_token="[UNK]", max_input_chars_per_word=100))
        self._tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        self._tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()

    def ids(self, text: str) -> list[int]:
        """Return at most `TEXT_TOKENS_MAX` ids, including special tokens."""
        return [_CLS, *self._tokenizer.encode(text).ids[: TEXT_TOKENS_MAX - 2], _SEP]


class Matcher:
    """Finds the passages of an answer that are relevant to claims, and scores them."""

    def __init__(self, encoder: PairEncoder, words: WordPieces) -> None:
        self._encoder = encoder
        self._words = words
        self._claims: dict[str, Tensor] = {}

    def find_windows(self, claims: Sequence[str], sentences: Sequence[str]) -> list[list[list[float]]]:
        """Return, for each claim, the windows of one to three sentences that are nearest to it.

        A window is [first, last, nearest, similarity, logits...]: the indices of its first sentence, its last sentence
        and the sentence nearest to the claim, its similarity to the claim, and its logit for each of `LABELS`.
        """
        with torch.inference_mode():
            return self._find_windows(claims, sentences)

    def _find_windows(self, claims: Sequence[str], sentences: Sequence[str]) -> list[list[list[float]]]:
        new = [claim for claim in dict.fromkeys(claims) if claim not in self._claims]
        texts = self._encoder.read([self._words.ids(text) for text in (*new, *sentences)])
        states = [texts.states[start:stop] for start, stop in zip(texts.starts, texts.starts[1:], strict=False)]
        # Copy the states: a slice would keep the states of the whole answer in memory.
        self._claims |= {claim: own.clone() for claim, own in zip(new, states, strict=False)}
        read = gather([*(self._claims[claim] for claim in claims), *states[len(new) :]])
        embedded = self._encoder.embed(read.means)
        of_claims, of_sentences = embedded[: len(claims)], embedded[len(claims) :]
        near = of_claims @ of_sentences.T
        windows = [
            (first, last)
            for first in range(len(sentences))
            for last in range(first, min(first + _WINDOW_SENTENCES, len(sentences)))
        ]
        means = normalize(torch.stack([of_sentences[first : last + 1].mean(0) for first, last in windows]), dim=-1)
        similar = of_claims @ means.T
        count = min(_WINDOWS_PER_CLAIM, len(windows))
        chosen = [(claim, at) for claim, row in enumerate(similar.topk(count).indices.tolist()) for at in row]
        logits = self._score(read, [(claim, *windows[at]) for claim, at in chosen], len(claims))
        found: list[list[list[float]]] = [[] for _ in claims]
        for (claim, at), scores in zip(chosen, logits, strict=True):
            first, last = windows[at]
            nearest = first + int(near[claim, first : last + 1].argmax())
            found[claim].append([first, last, nearest, float(similar[claim, at]), *scores])
        return found

    def _score(self, read: ReadTexts, chosen: Sequence[tuple[int, int, int]], claims: int) -> list[list[float]]:
        pairs = [(claim, range(claims + first, claims + last + 1)) for claim, first, last in chosen]
        lengths = [sum(read.starts[text + 1] - read.starts[text] for text in (claim, *texts)) for claim, texts in pairs]
        order = sorted(range(len(pairs)), key=lambda at: lengths[at])
        scores: list[list[float]] = [[]] * len(pairs)
        for start in range(0, len(order), _PAIRS_PER_BATCH):
            taken = order[start : start + _PAIRS_PER_BATCH]
            for at, row in zip(taken, self._encoder.score(read, [pairs[at] for at in taken]).tolist(), strict=True):
                scores[at] = row
        return scores


def serve(requests: IO[str], answers: IO[str]) -> None:
    """Answer requests until the pipe closes."""
    torch.set_num_threads(_THREADS)
    matcher = Matcher(load_int8(WEIGHTS), WordPieces(VOCABULARY))
    answers.write(json.dumps({"ready": True}) + "\n")
    answers.flush()
    for line in requests:
        request = json.loads(line)
        windows = matcher.find_windows(request["claims"], request["sentences"])
        answers.write(json.dumps({"id": request["id"], "windows": windows}) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
    # Exit the process instead of returning, because the interpreter takes half a second to unload torch.
    os._exit(0)
