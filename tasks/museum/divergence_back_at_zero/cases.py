"""Runs in one and in several sessions, with and without a penalty, momentum and warmup."""

from collections.abc import Iterator

import torch

from tasks.task import Case

SHAPE = (2, 3)
ROWS = 3


def batches(rng, steps, dtype):
    """Return batches of answers; the first answer is the best one, so the policy moves in one direction."""
    rows = []
    for _ in range(steps):
        answers = torch.randint(0, SHAPE[1], (ROWS,), generator=rng)
        rows.append(
            {
                "prompts": torch.randint(0, SHAPE[0], (ROWS,), generator=rng),
                "answers": answers,
                "advantages": 1 - answers.to(dtype) + 0.2 * torch.rand(ROWS, generator=rng, dtype=dtype),
            }
        )
    return rows


def case(name, rng, steps, kl_weight=0.5, momentum=0.5, warmup=1, dtype=torch.float32):
    """Return a run; `steps` has the number of batches of each session."""
    settings = {
        "logits": torch.randn(*SHAPE, generator=rng, dtype=dtype),
        "learning_rate": 0.5,
        "momentum": momentum,
        "warmup": warmup,
        "kl_weight": kl_weight,
    }
    return Case(name, {"settings": settings, "sessions": [batches(rng, count, dtype) for count in steps]})


def one_prompt():
    """Return the statement's example: one prompt with two answers, and two sessions of one step each."""
    batch = {"prompts": torch.tensor([0]), "answers": torch.tensor([0]), "advantages": torch.tensor([1.0])}
    settings = {"learning_rate": 1.0, "momentum": 0.0, "warmup": 1, "kl_weight": 1.0, "logits": torch.zeros(1, 2)}
    # The first step makes the logits (1/2, -1/2), so the answer has a probability of p = 1 / (1 + 1 / e).
    p = 1 / (1 + torch.exp(torch.tensor(-1.0, dtype=torch.float64)))
    ratio = 0.5 / p
    end = 0.5 + ratio * (1 - p)
    expected = (torch.stack([end, -end])[None], torch.stack([0 * p, ratio - 1 - ratio.log()]))
    args = {"settings": settings, "sessions": [[batch], [batch]]}
    return Case("one_prompt", args, visible=True, expected=expected)


def one_session(rng):
    return case("one_session", rng, [6])


def two_sessions(rng):
    return case("two_sessions", rng, [3, 2])


def four_sessions(rng):
    return case("four_sessions", rng, [2, 3, 1, 2])


def one_step_each(rng):
    return case("one_step_each", rng, [1, 1, 1, 1])


def strong_penalty(rng):
    return case("strong_penalty", rng, [3, 3], kl_weight=1.0, momentum=0.0)


def without_penalty(rng):
    """Return a run whose penalty has no weight and is only logged."""
    return case("without_penalty", rng, [3, 3], kl_weight=0.0)


def warmup_over_sessions(rng):
    return case("warmup_over_sessions", rng, [3, 3, 3], momentum=0.0, warmup=8)


def double_precision(rng):
    return case("double_precision", rng, [2, 2, 2], warmup=4, dtype=torch.float64)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_prompt()
    yield one_session(rng)
    yield two_sessions(rng)
    yield four_sessions(rng)
    yield one_step_each(rng)
    yield strong_penalty(rng)
    yield without_penalty(rng)
    yield warmup_over_sessions(rng)
    yield double_precision(rng)
