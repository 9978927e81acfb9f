"""Which critic is lower alternates between rows, and the gaps are unequal, so no wrong choice cancels in a mean."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

GRADS = ("q1", "q2", "q1_pi", "q2_pi", "mu", "log_std", "u", "log_alpha")


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def two_critics(rng, rows, low, high):
    """Return values of two critics; the first is lower in even rows, with a gap of about 0.5, and 1.3 in odd rows."""
    first = rand(rng, rows, low=low, high=high)
    is_even = torch.arange(rows) % 2 == 0
    gap = torch.where(is_even, rand(rng, rows, low=0.4, high=0.6), rand(rng, rows, low=-1.4, high=-1.2))
    return first, first + gap


def batch(rng, rows, dims, alpha=0.2, **more):
    """Return transitions of which every fourth ended its episode; samples are never near the ends of the tanh."""
    q1, q2 = two_critics(rng, rows, -3.0, -1.5)
    q1_next, q2_next = two_critics(rng, rows, 2.0, 5.0)
    q1_pi, q2_pi = two_critics(rng, rows, 2.0, 5.0)
    mu = rand(rng, rows, dims, low=-0.4, high=0.4)
    log_std = rand(rng, rows, dims, low=-1.0, high=-0.4)
    side = torch.where((torch.arange(rows)[:, None] + torch.arange(dims)) % 3 == 0, -1.0, 1.0)
    return {
        "q1": q1,
        "q2": q2,
        "q1_next": q1_next,
        "q2_next": q2_next,
        "logp_next": rand(rng, rows, low=-5.0, high=-3.5),
        "q1_pi": q1_pi,
        "q2_pi": q2_pi,
        "mu": mu,
        "log_std": log_std,
        "u": mu + log_std.exp() * side * rand(rng, rows, dims, low=0.6, high=1.2),
        "scale": torch.tensor([2.0, 0.4, 3.0, 0.25, 1.7])[:dims],
        "r": rand(rng, rows, low=0.5, high=1.5),
        "done": torch.arange(rows) % 4 == 2,
        "log_alpha": torch.tensor(math.log(alpha)),
        "gamma": 0.9,
        "target_entropy": -float(dims),
        **more,
    }


def case(name, args, **more):
    return Case(name=name, args=args, grads=GRADS, **more)


def poison_ended(args):
    poison = torch.tensor([math.nan, 1e9, math.inf]).to(args["q1"].dtype)[torch.arange(len(args["q1"])) % 3]
    names = ("q1_next", "q2_next", "logp_next")
    return {**args, **{name: torch.where(args["done"], poison, args[name]) for name in names}}


def exchange_critics(args):
    names = {"q1": "q2", "q2": "q1", "q1_next": "q2_next", "q2_next": "q1_next", "q1_pi": "q2_pi", "q2_pi": "q1_pi"}
    return {**args, **{name: args[other] for name, other in names.items()}}


def exchange_gradients(out):
    names = {"grad.q1": "grad.q2", "grad.q2": "grad.q1", "grad.q1_pi": "grad.q2_pi", "grad.q2_pi": "grad.q1_pi"}
    return {**out, **{name: out[other] for name, other in names.items()}}


ENDED = Relation(
    name="ended_poisoned",
    says="Whatever the networks say about the state after an episode's end changes nothing.",
    change=poison_ended,
)
EXCHANGED = Relation(
    name="critics_exchanged",
    says="The two critics are treated in the same way.",
    change=exchange_critics,
    expect=exchange_gradients,
)


def log_density(mu, log_std, u, scale):
    """Return the log-density of scale * tanh(u) for one dimension, from the derivative of the squashing."""
    gaussian = math.exp(-0.5 * ((u - mu) / math.exp(log_std)) ** 2) / (math.exp(log_std) * math.sqrt(2 * math.pi))
    return math.log(gaussian / (scale * (1 - math.tanh(u) ** 2)))


def outputs(critic_loss, actor_loss, alpha_loss, logp):
    return critic_loss + actor_loss + alpha_loss, critic_loss, actor_loss, alpha_loss, logp


def two_transitions(scale):
    nan = math.nan
    return {
        "q1": torch.tensor([5.0, 1.5]),
        "q2": torch.tensor([6.0, 1.0]),
        "q1_next": torch.tensor([5.0, nan]),
        "q2_next": torch.tensor([4.0, nan]),
        "logp_next": torch.tensor([-1.5, nan]),
        "q1_pi": torch.tensor([3.0, 2.0]),
        "q2_pi": torch.tensor([3.5, 1.0]),
        "mu": torch.tensor([[0.3], [-0.4]]),
        "log_std": torch.tensor([[-0.5], [0.1]]),
        "u": torch.tensor([[0.8], [-1.2]]),
        "scale": torch.tensor([scale]),
        "r": torch.tensor([1.0, 2.0]),
        "done": torch.tensor([False, True]),
        "log_alpha": torch.tensor(math.log(0.2)),
        "gamma": 0.99,
        "target_entropy": -1.0,
    }


def in_two_transitions(scale):
    """Return the results by hand: the targets are 1 + 0.99 * (4 + 0.2 * 1.5) = 5.257 and 2."""
    logp = [log_density(0.3, -0.5, 0.8, scale), log_density(-0.4, 0.1, -1.2, scale)]
    critic_loss = (0.257**2 + 0.5**2) / 2 + (0.743**2 + 1.0**2) / 2
    actor_loss = (0.2 * logp[0] - 3 + 0.2 * logp[1] - 1) / 2
    alpha_loss = 0.2 * ((-logp[0] + 1) + (-logp[1] + 1)) / 2
    return outputs(critic_loss, actor_loss, alpha_loss, logp)


def example():
    return case("example", two_transitions(2.0), visible=True, expected=in_two_transitions(2.0))


def unit_scale():
    return case("unit_scale", two_transitions(1.0), visible=True, expected=in_two_transitions(1.0))


def one_transition(rng):
    return case("one_transition", batch(rng, 1, 4), relations=(EXCHANGED,))


def many_transitions(rng):
    """Return a case whose matrices are transposed, and whose vectors are every second entry of longer ones."""
    args = batch(rng, randint(rng, 12, 16), 3)
    tensors = {name: x for name, x in args.items() if isinstance(x, torch.Tensor)}
    args |= {name: x.repeat_interleave(2)[::2] for name, x in tensors.items() if x.dim() == 1}
    args |= {name: x.T.contiguous().T for name, x in tensors.items() if x.dim() == 2}
    return case("many_transitions", args, relations=(ENDED, EXCHANGED))


def high_temperature(rng):
    return case("high_temperature", batch(rng, randint(rng, 8, 12), 2, alpha=3.0), relations=(ENDED,))


def saturated(rng):
    """Return samples of up to 20, whose tanh is rounded to 1 in float32 and some also in float64."""
    args = batch(rng, randint(rng, 8, 12), 2)
    sign = torch.where(args["u"] > 0, 1.0, -1.0)
    far = sign * rand(rng, *args["u"].shape, low=10.0, high=20.0)
    return case("saturated", {**args, "mu": far - (args["u"] - args["mu"]), "u": far})


def targets_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 8, 12), 3)
    return Case("targets_require_grad", args, grads=GRADS, constants=("q1_next", "q2_next", "logp_next"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, randint(rng, 8, 12), 3)
    floats = {name: x.double() for name, x in args.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    return case("double_precision", {**args, **floats})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example()
    yield unit_scale()
    yield one_transition(rng)
    yield many_transitions(rng)
    yield high_temperature(rng)
    yield saturated(rng)
    yield targets_require_grad(rng)
    yield double_precision(rng)
