"""In the random cases, the last generated token would need one more block, and the last group is only partly there."""

from collections.abc import Iterator

import torch

from tasks.task import Case

EXAMPLE = {
    "pool_blocks": 2120,
    "block": 16,
    "prompt": 1000,
    "max_new": 24,
    "group_size": 8,
    "share_prefix": True,
    "watermark": 20,
    "max_num_seqs": 256,
}


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def by_hand(name, group_blocks, sequences, **more):
    return Case(name=name, args={**EXAMPLE, **more}, visible=True, expected=(group_blocks, sequences))


def literals():
    # 1023 tokens need 64 blocks: 8 * 64 without sharing, and 62 + 8 * 2 with it. 2100 blocks are 26 groups and 72
    # blocks, enough for 5 sequences of one more group.
    yield by_hand("unshared", 512, 32, share_prefix=False)
    yield by_hand("shared", 78, 213)
    yield by_hand("last_block_full", 78, 213, max_new=25)
    yield by_hand("one_token_more", 86, 192, max_new=26)
    yield by_hand("full_prompt_blocks", 79, 208, prompt=1008)
    # Without any KV of generated tokens, a group of a prompt with 64 full blocks takes only these.
    yield by_hand("one_new_token", 64, 256, prompt=1024, max_new=1)
    yield by_hand("one_new_token_partly_full", 70, 240, max_new=1)
    yield by_hand("few_seqs", 78, 20, max_num_seqs=20)
    yield by_hand("pool_too_small", 78, 0, pool_blocks=80)
    yield by_hand("part_of_a_group", 78, 4, pool_blocks=91)
    yield by_hand("watermark_too_large", 8, 0, pool_blocks=15, prompt=3, max_new=4, share_prefix=False)


def drawn(name, rng, share_prefix):
    """Return a case in which the KV of a sequence without its last token fills its blocks exactly."""
    block, group_size = 8 * randint(rng, 2, 4), randint(rng, 5, 9)
    full, response = randint(rng, 20, 40), randint(rng, 12, 30)
    prompt = full * block + randint(rng, 2, block - 2)
    tokens = (full + response) * block
    shared = full if share_prefix else 0
    own = full + response - shared
    # Some groups, and two or three sequences of one more; the watermark would have room for another sequence.
    watermark = own + randint(rng, 1, 4)
    groups, rest = randint(rng, 10, 20), randint(rng, 2, 3)
    pool_blocks = watermark + groups * (shared + group_size * own) + shared + rest * own + randint(rng, 1, 3)
    args = {
        "pool_blocks": pool_blocks,
        "block": block,
        "prompt": prompt,
        "max_new": tokens - prompt + 1,
        "group_size": group_size,
        "share_prefix": share_prefix,
        "watermark": watermark,
        "max_num_seqs": 512,
    }
    return Case(name=name, args=args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield drawn("shared_drawn", rng, True)
    yield drawn("unshared_drawn", rng, False)
