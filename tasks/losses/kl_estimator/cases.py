"""Every case has tokens above and below the reference, so that a swapped ratio fails."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, size=1.0):
    """Return log-probabilities in multiples of 1/64; their distances are 0.25 to 1 times `size`, of either sign."""
    rows, steps = randint(rng, 3, 5), randint(rng, 6, 9)
    distance = size * torch.randint(16, 65, (rows, steps), generator=rng) / 64
    sign = 1 - 2 * ((torch.arange(steps) + torch.arange(rows)[:, None]) % 2)
    ref_logp = -torch.randint(64, 192, (rows, steps), generator=rng) / 64
    return {"logp": ref_logp + sign * distance, "ref_logp": ref_logp}


def transposed(args):
    """Return the arguments as views of transposed storage."""
    return {name: x.T.contiguous().T for name, x in args.items()}


def shift(args):
    return {**args, "logp": args["logp"] - 0.5, "ref_logp": args["ref_logp"] - 0.5}


def first_tokens(args):
    return {**args, "logp": args["logp"][:, :2].clone(), "ref_logp": args["ref_logp"][:, :2].clone()}


def exchange(args):
    return {**args, "logp": args["ref_logp"], "ref_logp": args["logp"]}


SHIFTED = Relation(
    name="both_shifted",
    says="Making a token rarer under both policies by the same factor changes nothing.",
    change=shift,
)
ALONE = Relation(
    name="first_tokens_alone",
    says="A token's estimate does not depend on the tokens beside it.",
    change=first_tokens,
    expect=lambda out: {"kl": out["kl"][:, :2]},
)
NEGATED = Relation(
    name="policies_exchanged",
    says="With the two policies exchanged, k1 has the opposite sign.",
    change=exchange,
    expect=lambda out: {"kl": -out["kl"]},
)
EVEN = Relation(
    name="policies_exchanged",
    says="With the two policies exchanged, k2 is the same and its gradient has the opposite sign.",
    change=exchange,
    expect=lambda out: {"kl": out["kl"], "grad.logp": -out["grad.logp"]},
)


def case(name, args, kind, **more):
    return Case(name=name, args={**args, "kind": kind}, grads=("logp",), **more)


def two_words(name, kind, expected):
    args = {"logp": torch.tensor([[0.8, 0.2]]).log(), "ref_logp": torch.tensor([[0.5, 0.5]]).log()}
    return case(name, args, kind, expected=[expected], visible=True)


def by_hand():
    # The quotients policy / reference are 1.6 and 0.4, their inverses 0.625 and 2.5.
    likely, rare = math.log(1.6), math.log(0.4)
    yield two_words("two_words_k1", "k1", [likely, rare])
    yield two_words("two_words_k2", "k2", [likely**2 / 2, rare**2 / 2])
    yield two_words("two_words_k3", "k3", [0.625 - 1 + likely, 2.5 - 1 + rare])


def batch_k1(rng):
    return case("batch_k1", batch(rng), "k1", relations=(SHIFTED, ALONE, NEGATED))


def batch_k2(rng):
    return case("batch_k2", transposed(batch(rng)), "k2", relations=(SHIFTED, ALONE, EVEN))


def batch_k3(rng):
    return case("batch_k3", transposed(batch(rng)), "k3", relations=(SHIFTED, ALONE))


def far_apart(rng):
    """Return distances of up to 16, for which the quotient is in the millions."""
    args = batch(rng, size=16.0)
    args["logp"] = args["logp"].clone()
    args["logp"][0, 1] = args["ref_logp"][0, 1] - 14.0 - randint(rng, 0, 32) / 16
    return case("far_apart", args, "k3", relations=(ALONE,))


def rare_tokens(rng):
    """Return tokens whose probabilities are 0 in float32 under both policies."""
    args = {name: x - 280 for name, x in batch(rng).items()}
    return case("rare_tokens", args, "k3", relations=(SHIFTED,))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = {**batch(rng), "kind": "k3"}
    return Case("constants_require_grad", args, grads=("logp",), constants=("ref_logp",))


def double_precision(rng):
    """Return a batch in float64: the estimates have this dtype as well."""
    return case("double_precision", {name: x.double() for name, x in batch(rng).items()}, "k3")


def far_apart_k1(rng):
    return case("far_apart_k1", batch(rng, size=16.0), "k1", relations=(ALONE,))


def far_apart_k2(rng):
    return case("far_apart_k2", batch(rng, size=16.0), "k2", relations=(ALONE,))


def widest_gaps():
    """Return log-ratios of -19.5 and 19.5, near the ends of the interval that the statement guarantees."""
    args = {"logp": torch.tensor([[-20.5, -1.0]]), "ref_logp": torch.tensor([[-1.0, -20.5]])}
    return case("widest_gaps", args, "k3", expected=[[math.exp(19.5) - 1 - 19.5, math.exp(-19.5) - 1 + 19.5]])


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield batch_k1(rng)
    yield batch_k2(rng)
    yield batch_k3(rng)
    yield far_apart(rng)
    yield rare_tokens(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
    yield far_apart_k1(rng)
    yield far_apart_k2(rng)
    yield widest_gaps()
