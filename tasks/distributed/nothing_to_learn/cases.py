"""The expected values are those of one process with all groups, computed in float64 without any collective."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

EPSILON = 1e-4


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, world, prompt_count, group_size, every=1, dtype=torch.float32, **more):
    """Return a case whose groups of rewards differ widely in mean and deviation; it uses every `every`-th prompt."""
    means = 4 * torch.randn(prompt_count, 1, generator=rng)
    scales = 0.5 + torch.rand(prompt_count, 1, generator=rng)
    sign = 1 - 2 * (torch.arange(group_size) % 2).float()  # adjacent rewards are on different sides of the mean
    rewards = means + scales * sign * (0.3 + torch.rand(prompt_count, group_size, generator=rng))
    prompts = (every * torch.randperm(prompt_count // every, generator=rng) + every - 1).tolist()
    return Case(name=name, args={"rewards": rewards.to(dtype), "prompts": prompts}, world=world, **more)


def expected(case: Case):
    """Return rewards, advantages and how often each pair was generated and returned, by prompt and sample."""
    wanted = torch.zeros(len(case.args["rewards"]), 1, dtype=torch.float64)
    wanted[case.args["prompts"]] = 1.0
    rewards = case.args["rewards"].double()
    advantages = []
    for group in rewards:
        mean = sum(group) / len(group)
        deviation = (sum((reward - mean) ** 2 for reward in group) / len(group)) ** 0.5
        advantages.append((group - mean) / (deviation + EPSILON))
    return told(wanted * rewards, wanted * torch.stack(advantages), wanted.to(torch.int64).expand(rewards.shape))


def told(rewards, advantages, once):
    """Return what the harness reports about a correct program."""
    counts = {"generated": once, "returned": once}
    return {"rewards": rewards, "advantages": advantages, **counts, "columns_as_asked": True}


def reverse_prompts(args):
    return {**args, "prompts": args["prompts"][::-1]}


REVERSED = Relation(
    name="prompts_reversed",
    says="An advantage does not depend on the order of the prompts.",
    change=reverse_prompts,
)


def two_prompts():
    """Return two prompts with four samples each; within 1e-4 the deviations are 1 and 5."""
    rewards = torch.tensor([[0.0, 2.0, 0.0, 2.0], [30.0, 20.0, 20.0, 30.0]])
    low, high = 1 / 1.0001, 5 / 5.0001
    advantages = torch.tensor([[-low, low, -low, low], [high, -high, -high, high]], dtype=torch.float64)
    once = torch.ones(2, 4, dtype=torch.int64)
    result = told(rewards.double(), advantages, once)
    args = {"rewards": rewards, "prompts": [0, 1]}
    return Case(name="two_prompts", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, 2, 2 * randint(rng, 2, 3), 4, relations=(REVERSED,))


def odd_groups(rng):
    """Return groups that cannot be split evenly across ranks."""
    return case("odd_groups", rng, 2, 3 + 2 * randint(rng, 0, 1), 5)


def four_ranks(rng):
    return case("four_ranks", rng, 4, 4 + randint(rng, 1, 3), 4)


def sparse_prompts(rng):
    """Return prompts whose ids have gaps."""
    return case("sparse_prompts", rng, 2, 4 * randint(rng, 2, 3), 4, every=2)


def close_rewards():
    """Return a group of equal rewards, and one whose deviation is as small as the 1e-4 that is added to it."""
    step = 2.0**-13
    rewards = torch.tensor([[1.0, 1.0, 1.0, 1.0], [0.0, 2 * step, 2 * step, 0.0]])
    high = step / (step + EPSILON)
    advantages = torch.tensor([[0.0, 0.0, 0.0, 0.0], [-high, high, high, -high]], dtype=torch.float64)
    result = told(rewards.double(), advantages, torch.ones(2, 4, dtype=torch.int64))
    return Case(name="close_rewards", args={"rewards": rewards, "prompts": [0, 1]}, world=2, expected=result)


def large_mean():
    """Return integer rewards around 20000, so that every sum over a group is exact."""
    rewards = torch.tensor([[20001.0, 20003.0, 20005.0, 20007.0], [20011.0, 20001.0, 20001.0, 20011.0]])
    centred = torch.tensor([[-3.0, -1.0, 1.0, 3.0], [5.0, -5.0, -5.0, 5.0]], dtype=torch.float64)
    deviations = torch.tensor([[5**0.5], [5.0]], dtype=torch.float64)
    result = told(rewards.double(), centred / (deviations + EPSILON), torch.ones(2, 4, dtype=torch.int64))
    return Case(name="large_mean", args={"rewards": rewards, "prompts": [0, 1]}, world=2, expected=result)


def default_float64(rng):
    return case("default_float64", rng, 2, 4, 4, dtype=torch.float64)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_prompts()
    yield two_ranks(rng)
    yield odd_groups(rng)
    yield four_ranks(rng)
    yield sparse_prompts(rng)
    yield close_rewards()
    yield large_mean()
    yield default_float64(rng)
