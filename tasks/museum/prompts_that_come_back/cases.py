"""Requests that share prefixes, with weight updates between them and while some of them run."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

VOCABULARY = 7
SIZE = 4


def draw_weights(rng, dtype=torch.float32):
    """Return weights; those of two draws differ enough that a state of the one is far from the other's."""
    return {
        "embed": torch.randn(VOCABULARY, SIZE, generator=rng, dtype=dtype),
        "mix": torch.randn(SIZE, SIZE, generator=rng, dtype=dtype),
        "head": torch.randn(SIZE, VOCABULARY, generator=rng, dtype=dtype),
    }


def draw_tokens(rng, count):
    return torch.randint(0, VOCABULARY, (count,), generator=rng).tolist()


def draw_answers(rng, count):
    """Return answers of two tokens that differ in the first one, so none of them finds the states of another."""
    return [[first, *draw_tokens(rng, 1)] for first in torch.randperm(VOCABULARY, generator=rng)[:count].tolist()]


def steps(number, tokens):
    return [("step", number, token) for token in tokens]


def whole(number, prompt, answer):
    """Return the events of a request that runs alone."""
    return [("start", prompt), *steps(number, answer), ("finish", number)]


def one_prompt():
    """Return the statement's example: the state of token 0 is 1/2 before the update and -1/2 after it."""
    weights = {
        "embed": torch.tensor([[math.atanh(0.5)], [0.0]]),
        "mix": torch.zeros(1, 1),
        "head": torch.tensor([[0.0, 2 * math.log(3)]]),
    }
    new = {**weights, "embed": -weights["embed"]}
    events = [*whole(0, [0], [1]), ("update", new), *whole(1, [0], [1])]
    # The logits are (0, ln 3) before the update and (0, -ln 3) after it.
    logprobs = torch.tensor([math.log(3 / 4), math.log(1 / 4)], dtype=torch.float64)
    return Case(
        "one_prompt", {"weights": weights, "events": events}, visible=True, expected=(logprobs, torch.tensor([2, 2]))
    )


def no_update(rng):
    """Return requests that share a prompt, an answer, a part of a prompt, or nothing."""
    prompt, answer = draw_tokens(rng, 3), draw_tokens(rng, 3)
    other = (prompt[1] + 1) % VOCABULARY
    events = [
        *whole(0, prompt, answer),
        *whole(1, prompt, [answer[0], (answer[1] + 1) % VOCABULARY]),
        *whole(2, [*prompt, *answer, *draw_tokens(rng, 2)], draw_tokens(rng, 2)),
        *whole(3, [prompt[0], other, *draw_tokens(rng, 2)], draw_tokens(rng, 1)),
    ]
    return Case("no_update", {"weights": draw_weights(rng), "events": events})


def update_between(rng):
    """Return a prompt that comes twice before an update and twice after it."""
    prompt = draw_tokens(rng, 3)
    answers = draw_answers(rng, 4)
    before = [*whole(0, prompt, answers[0]), *whole(1, prompt, answers[1])]
    after = [*whole(2, prompt, answers[2]), *whole(3, prompt, answers[3])]
    events = [*before, ("update", draw_weights(rng)), *after]
    return Case("update_between", {"weights": draw_weights(rng), "events": events})


def other_request_runs(rng):
    """Return a prompt that comes before and after an update, while a request with a different prompt runs."""
    prompt = draw_tokens(rng, 3)
    long = [(prompt[0] + 1) % VOCABULARY, *draw_tokens(rng, 2)]
    answers = draw_answers(rng, 4)
    events = [
        ("start", long),
        ("step", 0, 1),
        *whole(1, prompt, answers[0]),
        ("update", draw_weights(rng)),
        *whole(2, prompt, answers[1]),
        ("step", 0, 2),
        *whole(3, prompt, answers[2]),
        ("finish", 0),
        *whole(4, prompt, answers[3]),
    ]
    return Case("other_request_runs", {"weights": draw_weights(rng), "events": events})


def update_in_request(rng):
    """Return a request that runs during an update, and later prompts that begin like that request."""
    prompt, first, second = draw_tokens(rng, 2), draw_tokens(rng, 2), draw_tokens(rng, 2)
    answers = draw_answers(rng, 2)
    events = [
        ("start", prompt),
        *steps(0, first),
        ("update", draw_weights(rng)),
        *steps(0, second),
        ("finish", 0),
        *whole(1, [*prompt, *first, *second], answers[0]),
        *whole(2, [*prompt, *first, *second], answers[1]),
    ]
    return Case("update_in_request", {"weights": draw_weights(rng), "events": events})


def two_updates(rng):
    """Return one request that runs during two updates, and a prompt that comes after each of them."""
    prompt = draw_tokens(rng, 3)
    tokens = draw_tokens(rng, 3)
    events = [
        ("start", prompt),
        ("step", 0, tokens[0]),
        ("update", draw_weights(rng)),
        ("start", prompt),
        ("step", 0, tokens[1]),
        ("step", 1, tokens[0]),
        ("update", draw_weights(rng)),
        ("start", [*prompt, tokens[0]]),
        ("step", 0, tokens[2]),
        ("step", 1, tokens[1]),
        ("step", 2, tokens[1]),
        ("start", [*prompt, *tokens]),
        ("step", 3, tokens[0]),
    ]
    return Case("two_updates", {"weights": draw_weights(rng), "events": events})


def weights_restored(rng):
    """Return two updates of which the second restores the first weights."""
    weights, prompt = draw_weights(rng), draw_tokens(rng, 3)
    events = [
        *whole(0, prompt, draw_tokens(rng, 1)),
        ("update", draw_weights(rng)),
        *whole(1, prompt, draw_tokens(rng, 1)),
        ("update", weights),
        *whole(2, prompt, draw_tokens(rng, 1)),
    ]
    return Case("weights_restored", {"weights": weights, "events": events})


def double_precision(rng):
    prompt = draw_tokens(rng, 3)
    new = draw_weights(rng, torch.float64)
    events = [*whole(0, prompt, draw_tokens(rng, 2)), ("update", new), *whole(1, prompt, draw_tokens(rng, 2))]
    return Case("double_precision", {"weights": draw_weights(rng, torch.float64), "events": events})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_prompt()
    yield no_update(rng)
    yield update_between(rng)
    yield other_request_runs(rng)
    yield update_in_request(rng)
    yield two_updates(rng)
    yield weights_restored(rng)
    yield double_precision(rng)
