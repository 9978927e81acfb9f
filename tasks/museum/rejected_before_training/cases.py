"""Episodes whose answers end in different ways, under policies that rarely or often end an answer."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

VOCABULARY = 6
EOS = 0
BOUND = 1.5


def draw_policy(rng, end=-4.0):
    """Return logits [V, V]; `end` is added to those of the end token."""
    policy = torch.randn(VOCABULARY, VOCABULARY, generator=rng)
    policy[:, EOS] += end
    return policy


def draw_tokens(rng, count):
    return torch.randint(1, VOCABULARY, (count,), generator=rng).tolist()


def episode(rng, policy, *turns, shift=0.0, last_shift=0.0):
    """Return an episode; a turn is its number of ordinary tokens, how it ends, and the length of its observation.

    A turn ends with "end" (the end token is sampled), "string" (a stop string) or "length". `shift` is added to the
    engine's log-probability of the first token, and `last_shift` to that of the last one, so the log-ratio of the
    episode is minus the sum of both.
    """
    prompt = draw_tokens(rng, 3)
    before, built = prompt[-1], []
    for count, ending, observed in turns:
        tokens = draw_tokens(rng, count) + [EOS] * (ending == "end")
        context = torch.tensor([before, *tokens[:-1]])
        logprobs = policy.log_softmax(dim=1)[context, torch.tensor(tokens)].tolist()
        observation = draw_tokens(rng, observed)
        reason = "length" if ending == "length" else "stop"
        built.append({"tokens": tokens, "logprobs": logprobs, "observation": observation, "stop_reason": reason})
        before = [before, *tokens[:count], *observation][-1]
    built[0]["logprobs"][0] += shift
    built[-1]["logprobs"][-1] += last_shift
    reward = 1 + float(torch.rand(1, generator=rng))
    return {"prompt": prompt, "turns": built, "reward": reward}


def case(name, policy, *episodes):
    return Case(name, {"policy": policy, "episodes": list(episodes), "log_bound": BOUND})


def unlikely_end():
    """Return the statement's example: the end token has a probability of 1/4."""
    logprobs = [math.log(3 / 4), math.log(1 / 4)]
    turn = {"tokens": [1, EOS], "logprobs": logprobs, "observation": [], "stop_reason": "stop"}
    args = {
        "policy": torch.tensor([[0.0, 0.0], [0.0, math.log(3)]]),
        "episodes": [{"prompt": [1], "turns": [turn], "reward": 1.0}],
        "log_bound": 1.0,
    }
    expected = (
        torch.tensor([1, EOS]),
        torch.tensor(logprobs, dtype=torch.float64),
        torch.tensor([True, True]),
        torch.tensor([0.0, 1.0], dtype=torch.float64),
        torch.tensor([True]),
    )
    return Case("unlikely_end", args, visible=True, expected=expected)


def sampled_ends(rng):
    policy = draw_policy(rng)
    return case(
        "sampled_ends", policy, *(episode(rng, policy, (count, "end", 0), last_shift=0.4) for count in (1, 3, 6))
    )


def likely_ends(rng):
    """Return ends that the policy is nearly certain of, so an end's log-probability hardly changes a ratio."""
    policy = draw_policy(rng, end=4.0)
    return case("likely_ends", policy, *(episode(rng, policy, (count, "end", 0)) for count in (2, 4)))


def stop_strings(rng):
    policy = draw_policy(rng)
    return case("stop_strings", policy, *(episode(rng, policy, (count, "string", 0)) for count in (1, 4, 3)))


def cut_off(rng):
    policy = draw_policy(rng)
    return case("cut_off", policy, *(episode(rng, policy, (count, "length", 0)) for count in (5, 3)))


def several_turns(rng):
    """Return episodes of several turns, which end with a stop string, or with an end token that does not stay."""
    policy = draw_policy(rng)
    first = episode(rng, policy, (3, "end", 2), (2, "end", 1), (2, "end", 0))
    second = episode(rng, policy, (2, "string", 3), (1, "end", 2), (3, "string", 0))
    third = episode(rng, policy, (1, "end", 1), (4, "length", 0))
    return case("several_turns", policy, first, second, third)


def nothing_but_an_end(rng):
    """Return turns of one token, the end."""
    policy = draw_policy(rng)
    only = episode(rng, policy, (0, "end", 0))
    inner = episode(rng, policy, (2, "string", 1), (0, "end", 2), (0, "end", 0))
    return case("nothing_but_an_end", policy, only, inner)


def other_policies(rng):
    """Return answers that are cut off, of which the first and the last were sampled from a policy that is near."""
    policy = draw_policy(rng)
    shifts = (0.3, 4.0, -4.0, 2.5, -0.8)
    return case("other_policies", policy, *(episode(rng, policy, (6, "length", 0), shift=shift) for shift in shifts))


def all_kinds(rng):
    policy = draw_policy(rng)
    episodes = (
        episode(rng, policy, (4, "end", 0), last_shift=-0.3),
        episode(rng, policy, (2, "string", 2), (3, "end", 0), shift=4.0),
        episode(rng, policy, (3, "end", 2), (3, "string", 0)),
        episode(rng, policy, (3, "string", 2), (2, "end", 0), shift=-0.5),
        episode(rng, policy, (3, "end", 1), (3, "length", 0), shift=-4.0),
    )
    return case("all_kinds", policy, *episodes)


def double_precision(rng):
    policy = draw_policy(rng).double()
    return case("double_precision", policy, episode(rng, policy, (3, "end", 2), (2, "end", 0)))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield unlikely_end()
    yield sampled_ends(rng)
    yield likely_ends(rng)
    yield stop_strings(rng)
    yield cut_off(rng)
    yield several_turns(rng)
    yield nothing_but_an_end(rng)
    yield other_policies(rng)
    yield all_kinds(rng)
    yield double_precision(rng)
