"""All token ids of a random batch are different, so that a wrong token cannot have the right id by chance."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

PAD = 7


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def expected(case: Case):
    """Return the shards of all ranks, found by going through the tokens one by one."""
    args = case.args
    size, pad_id = args["cp_size"], args["pad_id"]
    names = ("input_ids", "position_ids", "logit_index", "targets", "response_index")
    shards = [{name: [] for name in names} for _ in range(size)]
    responses = 0
    for sequence, response_length in zip(args["sequences"], args["response_lengths"], strict=True):
        tokens = sequence.tolist()
        prompt = len(tokens) - response_length
        padded = list(tokens)
        while len(padded) % (2 * size):
            padded.append(pad_id)
        for position, token in enumerate(padded):
            number = position * 2 * size // len(padded)
            shard = shards[min(number, 2 * size - 1 - number)]
            if prompt <= position + 1 < len(tokens):
                shard["logit_index"].append(len(shard["input_ids"]))
                shard["targets"].append(tokens[position + 1])
                shard["response_index"].append(responses + position + 1 - prompt)
            shard["input_ids"].append(token)
            shard["position_ids"].append(position)
        responses += response_length
    tensors = ({name: torch.tensor(x, dtype=torch.float64) for name, x in shard.items()} for shard in shards)
    return {"shards": tuple(tensors)}


def raised(args):
    sequences = [tokens + 1000 for tokens in args["sequences"]]
    return {**args, "sequences": sequences, "pad_id": args["pad_id"] + 1000}


def batch(name, sequences, response_lengths, cp_size, pad_id=PAD, **more):
    sequences = [torch.tensor(tokens) for tokens in sequences]
    args = {"sequences": sequences, "response_lengths": response_lengths, "cp_size": cp_size, "pad_id": pad_id}
    return Case(name=name, args=args, **more)


def by_hand(name, sequences, response_lengths, pad_id, shards):
    """Return a case from the five rows of numbers of each rank."""
    names = ("input_ids", "position_ids", "logit_index", "targets", "response_index")
    tensors = [[torch.tensor(row, dtype=torch.float64) for row in rows] for rows in shards]
    told = tuple(dict(zip(names, rows, strict=True)) for rows in tensors)
    return batch(name, sequences, response_lengths, len(shards), pad_id, visible=True, expected={"shards": told})


def literals():
    seven = [11, 12, 13, 14, 15, 16, 17]
    first = [[11, 12, 17, 0], [0, 1, 6, 7], [1], [13], [0]]
    second = [[13, 14, 15, 16], [2, 3, 4, 5], [0, 1, 2, 3], [14, 15, 16, 17], [1, 2, 3, 4]]
    yield by_hand("seven_tokens", [seven], [5], 0, [first, second])
    # Rank 0 holds the last response token, but rank 1 holds all tokens before a response token.
    idle = [[11, 12, 17, 9], [0, 1, 6, 7], [], [], []]
    busy = [[13, 14, 15, 16], [2, 3, 4, 5], [1, 2, 3], [15, 16, 17], [0, 1, 2]]
    yield by_hand("nothing_to_predict", [seven], [3], 9, [idle, busy])
    whole = [[21, 22, 23, 8], [0, 1, 2, 3], [0, 1], [22, 23], [0, 1]]
    yield by_hand("one_rank", [[21, 22, 23]], [2], 8, [whole])
    # The last token predicts nothing, and no padding is needed.
    outer = [[31, 34], [0, 3], [0], [32], [0]]
    inner = [[32, 33], [1, 2], [0, 1], [33, 34], [1, 2]]
    yield by_hand("exact_fit", [[31, 32, 33, 34]], [3], 9, [outer, inner])
    # The second sequence has no response, so the response of the third follows that of the first.
    outer = [[41, 9, 51, 54, 61, 9], [0, 3, 0, 3, 0, 3], [0, 4], [42, 62], [0, 2]]
    inner = [[42, 43, 52, 53, 62, 63], [1, 2, 1, 2, 1, 2], [0, 4], [43, 63], [1, 3]]
    sequences = [[41, 42, 43], [51, 52, 53, 54], [61, 62, 63]]
    yield by_hand("empty_response", sequences, [2, 0, 2], 9, [outer, inner])
    # The padding id also occurs in the prompt and as the last token of the response.
    outer = [[2, 71, 2, 2], [0, 1, 6, 7], [], [], []]
    inner = [[72, 2, 73, 74], [2, 3, 4, 5], [0, 1, 2, 3], [2, 73, 74, 2], [0, 1, 2, 3]]
    yield by_hand("padding_id_in_use", [[2, 71, 72, 2, 73, 74, 2]], [4], 2, [outer, inner])


def drawn(name, rng, cp_size, lengths, response_lengths):
    """Return a batch of these lengths, with different token ids in random order."""
    ids = 100 + torch.randperm(400, generator=rng)
    sequences = [part.tolist() for part in ids[: sum(lengths)].split(lengths)]
    relation = Relation(
        name="ids_raised",
        says="If 1000 is added to all token ids, only the tokens change.",
        change=raised,
        expect=lambda out: {path: x + 1000 * path.endswith(("input_ids", "targets")) for path, x in out.items()},
    )
    return batch(name, sequences, response_lengths, cp_size, relations=(relation,))


def two_ranks(rng):
    """Return four sequences with all remainders of their lengths divided by four."""
    lengths = [4 * randint(rng, 3, 6) + rest for rest in (1, 3, 0, 2)]
    return drawn("two_ranks", rng, 2, lengths, [length - randint(rng, 3, 6) for length in lengths])


def four_ranks(rng):
    """Return responses of very different lengths; every rank has a target, and rank 0 only that of the second sequence.

    Padded to a multiple of four, the first sequence would not have a multiple of eight tokens.
    """
    lengths = [randint(rng, 26, 28), randint(rng, 37, 39), randint(rng, 17, 22)]
    return drawn("four_ranks", rng, 4, lengths, [randint(rng, 15, 20), 1, randint(rng, 3, 6)])


def three_ranks(rng):
    """Return sequences that are shorter than the number of chunks, next to longer ones."""
    lengths = [2, randint(rng, 13, 17), 5, randint(rng, 7, 11)]
    return drawn("three_ranks", rng, 3, lengths, [1, randint(rng, 6, 9), 4, 2])


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield two_ranks(rng)
    yield four_ranks(rng)
    yield three_ranks(rng)
