"""Random conversations are built turn by turn, and each contains every kind of turn that programs get wrong."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

PAD, SYSTEM, USER, ASSISTANT, TOOL = range(5)
END, OTHER_END, LOW, HIGH = 2, 7, 10, 50


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def words(rng, low, high):
    return torch.randint(LOW, HIGH, (randint(rng, low, high),), generator=rng).tolist()


def turn(rng, role, text, end=END):
    """Return the header of a turn, its text and its end, as (role, token) pairs; headers have the role of padding."""
    return [(PAD, 1), (PAD, LOW + role), *((role, word) for word in text), (role, end)]


def row(pairs, eos_id):
    role, tokens = zip(*pairs, strict=True)
    return {"role": torch.tensor(role), "eos_id": eos_id, "tokens": torch.tensor(tokens)}


def given(roles, tokens, eos_id):
    return row(list(zip(roles, tokens, strict=True)), eos_id)


def expect_more(before, after):
    """Return what a relation expects if it adds `before` and `after` untrained entries around the row."""

    def expect(out):
        mask = out["mask"]
        return {"mask": torch.cat([mask.new_zeros(before), mask, mask.new_zeros(after)])}

    return expect


def padded(args):
    pad = torch.full((3,), END)
    return {**args, "role": torch.cat([args["role"], pad * 0]), "tokens": torch.cat([args["tokens"], pad])}


def prompted(args):
    """Prepend a system prompt whose end token is not the policy's; the row must not start with a policy turn."""
    role = torch.cat([torch.full((4,), SYSTEM), args["role"]])
    tokens = torch.cat([torch.tensor([11, 12, 13, END]), args["tokens"]])
    return {**args, "role": role, "tokens": tokens}


PADDED = Relation(
    name="padded",
    says="Three more pads, which have the id of an end, add three entries without training.",
    change=padded,
    expect=expect_more(0, 3),
)
PROMPTED = Relation(
    name="prompted",
    says="A system prompt in front adds entries without training and changes no other.",
    change=prompted,
    expect=expect_more(4, 0),
)
LISTED = Relation(
    name="end_listed",
    says="One end id and a list of that one id are the same.",
    change=lambda args: {**args, "eos_id": [args["eos_id"]]},
)


def tool_call():
    args = given([2, 2, 3, 3, 3, 4, 4, 3, 3, 0], [5, 9, 6, 9, 7, 8, 9, 4, 4, 9], 9)
    expected = [False, True, True, False, False, False, True, True, False]
    return Case("tool_call", args, visible=True, expected=expected, relations=(LISTED,))


def two_answers():
    args = given([2, 2, 3, 3, 4, 4, 3, 3], [5, 6, 7, 9, 5, 6, 7, 8], 9)
    return Case("two_answers", args, visible=True, expected=[False, True, True, False, False, True, True])


def starts_inside():
    """Return a row that starts in the middle of a turn whose end is the first token."""
    args = given([3, 3, 3, 2, 3, 3], [9, 4, 5, 6, 4, 9], 9)
    return Case("starts_inside", args, visible=True, expected=[False, False, False, True, True])


def only_one_token():
    args = given([3], [5], 9)
    return Case("only_one_token", args, expected=torch.zeros(0))


def many_turns(rng):
    """Return turns of user, assistant and tool; after each answer, the template adds a line break of the same role."""
    pairs = turn(rng, SYSTEM, words(rng, 2, 4))
    for _ in range(randint(rng, 2, 3)):
        pairs += turn(rng, USER, words(rng, 2, 5))
        pairs += [*turn(rng, ASSISTANT, words(rng, 2, 5)), (ASSISTANT, 3)]
        pairs += turn(rng, TOOL, words(rng, 2, 5))
        pairs += [*turn(rng, ASSISTANT, words(rng, 2, 5)), (ASSISTANT, 3)]
    return Case("many_turns", row(pairs, END), relations=(PADDED, PROMPTED, LISTED))


def pads_as_answer(rng):
    """Return a row whose padding has the role of the answer before it and the id of that answer's end."""
    pairs = turn(rng, USER, words(rng, 3, 6)) + turn(rng, ASSISTANT, words(rng, 3, 6))
    pairs += [(ASSISTANT, END)] * randint(rng, 3, 6)
    return Case("pads_as_answer", row(pairs, END), relations=(PROMPTED,))


def cut_off(rng):
    """Return a conversation whose last answer hit the length limit."""
    pairs = turn(rng, USER, words(rng, 3, 6)) + turn(rng, ASSISTANT, words(rng, 3, 6))
    pairs += turn(rng, USER, words(rng, 3, 6)) + turn(rng, ASSISTANT, words(rng, 3, 6))[:-1]
    return Case("cut_off", row(pairs, END), relations=(PADDED, PROMPTED))


def two_ends(rng):
    """Return an answer that ends with a second end id, to call a tool, and one that does not; users may write both."""
    pairs = turn(rng, USER, [*words(rng, 2, 4), OTHER_END, *words(rng, 1, 3)])
    pairs += [*turn(rng, ASSISTANT, words(rng, 2, 4), OTHER_END), (ASSISTANT, END), (ASSISTANT, 3)]
    pairs += turn(rng, TOOL, [*words(rng, 2, 4), OTHER_END])
    pairs += [*turn(rng, ASSISTANT, words(rng, 2, 4), END), (ASSISTANT, OTHER_END), (ASSISTANT, 3)]
    return Case("two_ends", row(pairs, [OTHER_END, END]), relations=(PADDED,))


def empty_answer(rng):
    """Return an answer that consists only of its end token, and one that consists only of template text."""
    pairs = [*turn(rng, USER, words(rng, 3, 6)), *turn(rng, ASSISTANT, []), (ASSISTANT, 3)]
    pairs += turn(rng, USER, words(rng, 3, 6)) + turn(rng, ASSISTANT, words(rng, 2, 4))
    pairs += [(USER, 4)] + [(ASSISTANT, END)] * 2
    return Case("empty_answer", row(pairs, END), relations=(PROMPTED,))


def header_between():
    """Return two assistant turns with only a header between them, and text after the first end."""
    args = given([2, 3, 3, 3, 0, 3, 3, 3], [5, 6, 9, 4, 1, 4, 4, 9], 9)
    return Case("header_between", args, visible=True, expected=[True, True, False, False, True, True, True])


def end_id_zero():
    """Return answers that end with id 0."""
    args = given([2, 3, 3, 3, 2, 3, 3], [5, 6, 0, 4, 0, 7, 0], 0)
    expected = [True, True, False, False, True, True]
    return Case("end_id_zero", args, visible=True, expected=expected, relations=(LISTED,))


def word_zero():
    """Return an answer in which id 0 is an ordinary token, and padding with an id that is neither 0 nor an end."""
    args = given([2, 3, 3, 3, 3, 0, 0], [5, 6, 0, 8, 9, 1, 1], 9)
    return Case("word_zero", args, visible=True, expected=[True, True, True, True, False, False])


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield tool_call()
    yield two_answers()
    yield starts_inside()
    yield only_one_token()
    yield many_turns(rng)
    yield pads_as_answer(rng)
    yield cut_off(rng)
    yield two_ends(rng)
    yield empty_answer(rng)
    yield header_between()
    yield end_id_zero()
    yield word_zero()
