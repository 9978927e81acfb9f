"""What is right is one process that holds all groups, computed here in float64 without any collective."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

EPSILON = 1e-4


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, world, prompt_count, group_size, **more):
    """Return a case with rewards whose groups differ much in mean and deviation."""
    means = 4 * torch.randn(prompt_count, 1, generator=rng)
    scales = 0.5 + torch.rand(prompt_count, 1, generator=rng)
    sign = 1 - 2 * (torch.arange(group_size) % 2).float()  # neighbours are on different sides of the mean
    rewards = means + scales * sign * (0.3 + torch.rand(prompt_count, group_size, generator=rng))
    prompts = torch.randperm(prompt_count, generator=rng).tolist()
    return Case(name=name, args={"rewards": rewards, "prompts": prompts}, world=world, **more)


def expected(case: Case):
    """Return rewards, advantages and how often each pair was generated and returned, by prompt and sample."""
    rewards = case.args["rewards"].double()
    advantages = []
    for group in rewards:
        mean = sum(group) / len(group)
        deviation = (sum((reward - mean) ** 2 for reward in group) / len(group)) ** 0.5
        advantages.append((group - mean) / (deviation + EPSILON))
    once = torch.ones(rewards.shape, dtype=torch.int64)
    return {"rewards": rewards, "advantages": torch.stack(advantages), "generated": once, "returned": once}


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
    result = {"rewards": rewards.double(), "advantages": advantages, "generated": once, "returned": once}
    args = {"rewards": rewards, "prompts": [0, 1]}
    return Case(name="two_prompts", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, 2, 2 * randint(rng, 2, 3), 4, relations=(REVERSED,))


def odd_groups(rng):
    """Return groups that no deal can split evenly."""
    return case("odd_groups", rng, 2, 3 + 2 * randint(rng, 0, 1), 5)


def four_ranks(rng):
    return case("four_ranks", rng, 4, 4 + randint(rng, 1, 3), 4)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_prompts()
    yield two_ranks(rng)
    yield odd_groups(rng)
    yield four_ranks(rng)
