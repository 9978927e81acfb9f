"""The student rules out a token that the teacher likes, so that swapping the two changes every result."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ragged_mask(rng, rows, steps):
    """Return a mask whose row 0 is full except for a gap, row 1 has one position, and row 2 has none."""
    lengths = torch.randint(3, steps, (rows,), generator=rng)
    lengths[0], lengths[1], lengths[2] = steps, 1, 0
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def batch(rng):
    """Return logits of models that disagree about token 0, most of all in the last row."""
    rows, steps, vocabulary = randint(rng, 3, 4), randint(rng, 5, 7), randint(rng, 6, 8)
    row = torch.arange(rows)[:, None, None]
    student = rand(rng, rows, steps, vocabulary, low=-1.0, high=1.0)
    teacher = 1.5 * rand(rng, rows, steps, vocabulary, low=-1.0, high=1.0)
    teacher[..., 0] += 1.5 * row[..., 0]
    student[..., 0] -= 3.0
    return {"student_logits": student, "teacher_logits": teacher, "mask": ragged_mask(rng, rows, steps)}


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -math.inf])
    kept = args["mask"][..., None]
    for name in ("student_logits", "teacher_logits"):
        x = args[name]
        args[name] = torch.where(kept, x, poison[torch.arange(x.numel()).reshape(x.shape) % 3])
    return args


def shift_logits(args):
    """Return the batch with a different constant added to all logits of each position and model."""
    shift = torch.arange(args["mask"].numel()).reshape(args["mask"].shape)[..., None] / 8
    return {
        **args,
        "student_logits": args["student_logits"] + shift,
        "teacher_logits": args["teacher_logits"] - shift,
    }


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -inf at masked positions change nothing.",
    change=poison_padding,
)
SHIFTED = Relation(
    name="logits_shifted",
    says="A constant added to all logits of a position changes nothing.",
    change=shift_logits,
)
TOKENS_REVERSED = Relation(
    name="tokens_reversed",
    says="The order of the vocabulary does not matter.",
    change=lambda args: {
        **args,
        "student_logits": args["student_logits"].flip(2),
        "teacher_logits": args["teacher_logits"].flip(2),
    },
    expect=lambda out: {**out, "grad.student_logits": out["grad.student_logits"].flip(2)},
)
MODELS_SWAPPED = Relation(
    name="models_swapped",
    says="The same loss comes out with the two models swapped and beta replaced by 1 - beta.",
    change=lambda args: {
        **args,
        "student_logits": args["teacher_logits"],
        "teacher_logits": args["student_logits"],
        "beta": 1 - args["beta"],
    },
    expect=lambda out: {"loss": out["loss"]},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("student_logits",), **more)


def softmax(logits):
    weights = [math.exp(logit) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def kl(p, q):
    return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def jsd(p, q, beta):
    """Return the divergence between two lists of probabilities, for the results computed by hand."""
    mixture = [beta * a + (1 - beta) * b for a, b in zip(p, q, strict=True)]
    return beta * kl(p, mixture) + (1 - beta) * kl(q, mixture)


def one_position(name, student, teacher, beta, expected, **more):
    logits = {"student_logits": torch.tensor([[student]]), "teacher_logits": torch.tensor([[teacher]])}
    args = {**logits, "beta": beta, "mask": torch.ones(1, 1, dtype=torch.bool), **more}
    return case(name, args, expected=expected, visible=True)


def by_hand():
    student, teacher = [1.0, 0.0, -1.0], [0.0, 1.0, 0.0]
    q, p = softmax(student), softmax(teacher)
    yield one_position("forward", student, teacher, 0, kl(p, q))
    yield one_position("quarter", student, teacher, 0.25, jsd(p, q, 0.25))
    yield one_position("half", student, teacher, 0.5, jsd(p, q, 0.5))
    yield one_position("reverse", student, teacher, 1, kl(q, p))
    cold_p, cold_q = softmax([0.0, 2.0, 0.0]), softmax([2.0, 0.0, -2.0])
    wanted = jsd(cold_p, cold_q, 0.75)
    yield one_position("temperature", student, teacher, 0.75, wanted, temperature=0.5)
    # The third token is ruled out, so two tokens are left.
    removed = -math.inf
    wanted = jsd(softmax([0.0, 1.0]), softmax([1.0, 0.0]), 0.25)
    yield one_position("removed_token", [1.0, 0.0, removed], [0.0, 1.0, removed], 0.25, wanted)


def certain():
    """Return models that are certain of different tokens, so that one probability is 1 and the others underflow."""
    student, teacher = [[1000.0, 0.0, -900.0]], [[0.0, 1000.0, -900.0]]
    logits = {"student_logits": torch.tensor([student]), "teacher_logits": torch.tensor([teacher])}
    args = {**logits, "mask": torch.ones(1, 1, dtype=torch.bool)}
    yield case("certain", {**args, "beta": 0.25}, expected=-0.25 * math.log(0.25) - 0.75 * math.log(0.75))
    yield case("certain_forward", {**args, "beta": 0.0}, expected=1000.0)
    yield case("certain_reverse", {**args, "beta": 1.0}, expected=1000.0)


def ragged(rng):
    return case("ragged", {**batch(rng), "beta": 0.3}, relations=(PADDING, SHIFTED, TOKENS_REVERSED, MODELS_SWAPPED))


def ragged_forward(rng):
    return case("ragged_forward", {**batch(rng), "beta": 0.0}, relations=(PADDING,))


def ragged_reverse(rng):
    return case("ragged_reverse", {**batch(rng), "beta": 1.0}, relations=(MODELS_SWAPPED,))


def hot(rng):
    args = {**batch(rng), "beta": 0.8, "temperature": 2.5}
    return case("hot", args, relations=(MODELS_SWAPPED,))


def some_removed(rng):
    """Return a batch in which each position rules out its own two tokens."""
    args = {**batch(rng), "beta": 0.6}
    vocabulary = args["student_logits"].shape[2]
    first = torch.arange(args["mask"].numel()).reshape(args["mask"].shape)[..., None] % vocabulary
    token = torch.arange(vocabulary)
    is_removed = (token == first) | (token == (first + 2) % vocabulary)
    for name in ("student_logits", "teacher_logits"):
        args[name] = args[name].masked_fill(is_removed, -math.inf)
    return case("some_removed", args, relations=(PADDING, MODELS_SWAPPED))


def transposed(rng):
    """Return a case whose tensors are views of storage with the positions first."""
    args = {name: x.transpose(0, 1).contiguous().transpose(0, 1) for name, x in batch(rng).items()}
    return case("transposed", {**args, "beta": 0.5})


def no_positions(rng):
    args = {**batch(rng), "beta": 0.5}
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_positions", args, relations=(PADDING,), expected=0.0)


def constants_require_grad(rng):
    """Return a separate case for the rule that the teacher receives no gradient although it requires one."""
    args = {**batch(rng), "beta": 0.4}
    return Case("constants_require_grad", args, grads=("student_logits",), constants=("teacher_logits",))


def double_precision(rng):
    args = {name: x.double() if x.is_floating_point() else x for name, x in batch(rng).items()}
    return case("double_precision", {**args, "beta": 0.3})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield from certain()
    yield ragged(rng)
    yield ragged_forward(rng)
    yield ragged_reverse(rng)
    yield hot(rng)
    yield some_removed(rng)
    yield transposed(rng)
    yield no_positions(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
