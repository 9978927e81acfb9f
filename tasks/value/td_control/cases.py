"""Each random case repeats states and actions, so that the order of the updates matters."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def example(method):
    """Return the statement's example."""
    return {
        "q": torch.tensor([[0.5, 0.6, 0.0], [1.0, 2.0, -1.0]]),
        "s": torch.tensor([0, 0, 1]),
        "a": torch.tensor([0, 1, 0]),
        "r": torch.tensor([1.0, 1.0, 0.0]),
        "s_next": torch.tensor([1, -1, 0]),
        "a_next": torch.tensor([2, -1, 0]),
        "done": torch.tensor([False, True, False]),
        "alpha": 0.1,
        "gamma": 0.9,
        "method": method,
        "eps": 0.3,
    }


def transitions(rng, method, steps=18, alpha=0.3, gamma=0.9, **more):
    """Return transitions between few states, about a sixth of which end their episode and lead nowhere.

    Every state has an action that is better than all the others by 1 or more. The agent does not always take it.
    """
    states, actions = randint(rng, 3, 4), randint(rng, 3, 4)
    q = rand(rng, states, actions)
    q[torch.arange(states), torch.randint(0, actions, (states,), generator=rng)] += 2.5
    done = torch.arange(steps) % 6 == randint(rng, 1, 5)
    done[-1] = False
    s, s_next = torch.randint(0, states, (2, steps), generator=rng)
    a, a_next = torch.randint(0, actions, (2, steps), generator=rng)
    s_next[::5] = s[::5]  # some transitions lead back to their own state
    best = q.argmax(dim=1)
    a[::5] = best[s[::5]]
    a_next[1::4] = (best[s_next[1::4]] + 1) % actions
    junk = torch.full((steps,), 1_000_000)
    return {
        "q": q,
        "s": s,
        "a": a,
        "r": rand(rng, steps, low=0.5, high=2.0),
        "s_next": torch.where(done, junk, s_next),
        "a_next": junk if method == "expected_sarsa" else torch.where(done, junk, a_next),
        "done": done,
        "alpha": alpha,
        "gamma": gamma,
        "method": method,
        **more,
    }


def as_expected_sarsa(args):
    """Change Q-learning to expected SARSA with an agent that is always greedy."""
    return {**args, "method": "expected_sarsa", "eps": 0.0}


GREEDY = Relation(
    name="expected_sarsa_of_greedy_agent",
    says="With eps = 0, expected SARSA is Q-learning.",
    change=as_expected_sarsa,
)
DOUBLED = Relation(
    name="rewards_and_values_doubled",
    says="Twice the rewards and initial values give twice the values and errors.",
    change=lambda args: {**args, "q": 2 * args["q"], "r": 2 * args["r"]},
    expect=lambda out: {name: 2 * x for name, x in out.items()},
)


def example_q_learning():
    # 1 + 0.9 * 2 - 0.5 = 2.3, then 1 - 0.6, then 0.9 * 0.73 - 1 with the value that the first update left.
    expected = ([[0.73, 0.64, 0.0], [0.9657, 2.0, -1.0]], [2.3, 0.4, -0.343])
    return Case("example_q_learning", example("q_learning"), visible=True, expected=expected)


def example_sarsa():
    # 1 - 0.9 - 0.5 = -0.4, then 0.4, then 0.9 * 0.46 - 1.
    expected = ([[0.46, 0.64, 0.0], [0.9414, 2.0, -1.0]], [-0.4, 0.4, -0.586])
    return Case("example_sarsa", example("sarsa"), visible=True, expected=expected)


def example_expected_sarsa():
    # The next state is worth 0.7 * 2 + 0.3 * 2 / 3 = 1.6; later 0.7 * 0.694 + 0.3 * 1.334 / 3 = 0.6192.
    last = 0.9 * 0.6192 - 1
    expected = ([[0.694, 0.64, 0.0], [1 + 0.1 * last, 2.0, -1.0]], [1.94, 0.4, last])
    return Case("example_expected_sarsa", example("expected_sarsa"), visible=True, expected=expected)


def same_pair_again():
    """Return three transitions of the only state and action, which lead back to that state."""
    args = {
        "q": torch.tensor([[0.0]]),
        "s": torch.tensor([0, 0, 0]),
        "a": torch.tensor([0, 0, 0]),
        "r": torch.tensor([1.0, 1.0, 1.0]),
        "s_next": torch.tensor([0, 0, 0]),
        "a_next": torch.tensor([0, 0, 0]),
        "done": torch.tensor([False, False, True]),
        "alpha": 0.5,
        "gamma": 0.5,
        "method": "sarsa",
    }
    # 0 -> 0.5, then 1 + 0.25 - 0.5 = 0.75 -> 0.875, then 1 - 0.875 = 0.125.
    return Case("same_pair_again", args, expected=([[0.9375]], [1.0, 0.75, 0.125]))


def many_q_learning(rng):
    args = transitions(rng, "q_learning")
    return Case("many_q_learning", args, relations=(GREEDY, DOUBLED))


def many_sarsa(rng):
    return Case("many_sarsa", transitions(rng, "sarsa"), relations=(DOUBLED,))


def many_expected_sarsa(rng):
    args = transitions(rng, "expected_sarsa", eps=0.4)
    return Case("many_expected_sarsa", args, relations=(DOUBLED,))


def default_eps(rng):
    """Return a table that is a view of transposed storage, without `eps`."""
    args = transitions(rng, "expected_sarsa", gamma=0.95)
    return Case("default_eps", {**args, "q": args["q"].T.contiguous().T})


def random_agent(rng):
    """Return an agent that ignores the table: every action has the same probability."""
    return Case("random_agent", transitions(rng, "expected_sarsa", eps=1.0))


def full_steps(rng):
    """Return a step size of 1: each update replaces the value by its target."""
    return Case("full_steps", transitions(rng, "q_learning", alpha=1.0, gamma=0.8))


def double_precision(rng):
    args = transitions(rng, "expected_sarsa")
    return Case("double_precision", {**args, "q": args["q"].double(), "r": args["r"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example_q_learning()
    yield example_sarsa()
    yield example_expected_sarsa()
    yield same_pair_again()
    yield many_q_learning(rng)
    yield many_sarsa(rng)
    yield many_expected_sarsa(rng)
    yield default_eps(rng)
    yield random_agent(rng)
    yield full_steps(rng)
    yield double_precision(rng)
