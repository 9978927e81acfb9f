"""Episodes whose sampled tokens are or are not the ones that the tokenizer would choose for their text."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

TAGS = ["<user>", "<assistant>", "<tool>", "<end>"]
VOCABULARY = [*TAGS, "a", "b", "c", "ab", "bca", "cc"]
SIZE = 4


def ids(*pieces):
    return [VOCABULARY.index(piece) for piece in pieces]


def draw_weights(rng):
    """Return weights whose state remembers early tokens, because `mix` is orthogonal and the embeddings are small."""
    return {
        "embed": 0.4 * torch.randn(len(VOCABULARY), SIZE, generator=rng),
        "mix": torch.linalg.qr(torch.randn(SIZE, SIZE, generator=rng)).Q,
        "head": 2 * torch.randn(SIZE, len(VOCABULARY), generator=rng),
    }


def case(name, rng, prompt, *turns, is_same=False):
    """Return an episode of turns that have their tokens' texts and an observation; the last one has None."""
    engine = draw_weights(rng)
    args = {
        "vocabulary": list(VOCABULARY),
        "engine_weights": engine,
        "trainer_weights": {key: x.clone() for key, x in engine.items()} if is_same else draw_weights(rng),
        "prompt": prompt,
        "turns": [(ids(*pieces), observation) for *pieces, observation in turns],
    }
    return Case(name, args)


def two_turns():
    """Return the statement's example: `a` has a probability of 1/2 after <assistant>, and others are equally likely."""
    embed = torch.zeros(7, 1)
    embed[1] = math.atanh(0.5)
    head = torch.zeros(1, 7)
    head[0, 4] = 2 * math.log(6)
    weights = {"embed": embed, "mix": torch.zeros(1, 1), "head": head}
    args = {
        "vocabulary": [*TAGS, "a", "b", "ab"],
        "engine_weights": weights,
        "trainer_weights": {key: x.clone() for key, x in weights.items()},
        "prompt": "a",
        "turns": [([4, 5, 3], "b"), ([4, 3], None)],
    }
    tokens = torch.tensor([0, 4, 3, 1, 4, 5, 3, 2, 5, 3, 1, 4, 3])
    mask = torch.tensor([False] * 4 + [True] * 3 + [False] * 4 + [True] * 2)
    logprobs = torch.tensor([1 / 2, 1 / 7, 1 / 7, 1 / 2, 1 / 7], dtype=torch.float64).log()
    return Case("two_turns", args, visible=True, expected=(tokens, mask, logprobs, logprobs.clone()))


def one_turn(rng):
    return case("one_turn", rng, "abc", ("a", "b", "bca", "<end>", None))


def chosen_tokens(rng):
    """Return turns with exactly the tokens that the tokenizer chooses for their text."""
    return case(
        "chosen_tokens", rng, "ba", ("ab", "c", "<end>", "cab"), ("bca", "cc", "<end>", "b"), ("c", "<end>", None)
    )


def fewer_tokens_again(rng):
    """Return turns whose text has fewer tokens if it is encoded again."""
    return case("fewer_tokens_again", rng, "cc", ("a", "b", "c", "<end>", "ab"), ("c", "c", "a", "<end>", None))


def more_tokens_again(rng):
    """Return turns whose text has more tokens if it is encoded again."""
    return case(
        "more_tokens_again", rng, "bab", ("a", "bca", "<end>", "ccc"), ("b", "<end>", "a"), ("a", "bca", "<end>", None)
    )


def other_tokens_again(rng):
    """Return turns whose text has as many tokens, but different ones, if it is encoded again."""
    return case(
        "other_tokens_again",
        rng,
        "ab",
        ("c", "cc", "<end>", "ba"),
        ("c", "cc", "b", "<end>", "c"),
        ("a", "<end>", None),
    )


def same_policy(rng):
    """Return an episode in which engine and trainer have the same weights."""
    turns = (("a", "b", "<end>", "bb"), ("c", "c", "c", "<end>", "ab"), ("ab", "<end>", None))
    return case("same_policy", rng, "cab", *turns, is_same=True)


def cut_off(rng):
    """Return turns that were cut off before their end tag, with the tokens that the tokenizer would choose."""
    return case("cut_off", rng, "a", ("ab", "c", "bb"), ("b", "<end>", "ca"), ("cc", None))


def cut_off_with_other_tokens(rng):
    return case("cut_off_with_other_tokens", rng, "b", ("a", "b", "a"), ("a", "bca", "cc"), ("c", "b", "<end>", None))


def empty_texts(rng):
    """Return an empty prompt, an empty observation, and a turn of nothing but its end."""
    return case(
        "empty_texts", rng, "", ("a", "b", "<end>", ""), ("<end>", "b"), ("c", "c", "<end>", ""), ("<end>", None)
    )


def double_precision(rng):
    drawn = case("double_precision", rng, "ab", ("a", "b", "<end>", "c"), ("c", "<end>", None))
    weights = {name: drawn.args[name] for name in ("engine_weights", "trainer_weights")}
    doubled = {name: {key: x.double() for key, x in tensors.items()} for name, tensors in weights.items()}
    return Case("double_precision", {**drawn.args, **doubled})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_turns()
    yield one_turn(rng)
    yield chosen_tokens(rng)
    yield fewer_tokens_again(rng)
    yield more_tokens_again(rng)
    yield other_tokens_again(rng)
    yield same_policy(rng)
    yield cut_off(rng)
    yield cut_off_with_other_tokens(rng)
    yield empty_texts(rng)
    yield double_precision(rng)
