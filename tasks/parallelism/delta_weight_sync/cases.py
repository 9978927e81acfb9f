"""A small trainer changes bytes, keeps every version, and encodes the updates; a lossy network is played by hand."""

import zlib
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

APPLIED, DUPLICATE, WRONG_BASE, CORRUPT = range(4)
KINDS = {"xor": 1, "overwrite": 2}


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def bytes_of(weights):
    return weights.view(torch.uint8)


def crc(weights):
    return zlib.crc32(bytes(bytes_of(weights).tolist()))


def encode(kind, base, old, version, new):
    """Return the update from one version to another: a delta, or a full snapshot."""
    update = {"kind": kind, "version": version, "checksum": crc(new)}
    if kind == "full":
        return {**update, "data": bytes_of(new).clone()}
    before, after = bytes_of(old), bytes_of(new)
    index = (before != after).nonzero().flatten()
    data = before[index] ^ after[index] if kind == "xor" else after[index]
    return {**update, "base": base, "index": index, "data": data}


def damaged(update, place=0):
    """Return the update with one bit flipped on the way."""
    data = update["data"].clone()
    data[place] ^= 4
    return {**update, "data": data}


def with_other_deltas(args):
    return {**args, "kind": "overwrite" if args["kind"] == "xor" else "xor"}


OTHER_KIND = Relation(
    name="other_kind",
    says="The kind of the returned delta does not change what the engine holds.",
    change=with_other_deltas,
    expect=lambda out: {name: out[name] for name in ("bits", "version", "statuses", "delta_listed", "delta_checksum")},
)


def case(name, weights, version, updates, kind, **more):
    args = {"weights": weights, "version": version, "updates": updates, "kind": kind}
    args["dtype"] = str(weights.dtype).removeprefix("torch.")
    return Case(name=name, args=args, **more)


def by_hand(name, weights, version, updates, kind, after, after_version, statuses, index, data):
    """Return a case whose result was worked out by hand; only the checksum of the result is computed."""
    size = weights.nbytes
    listed, values = [0] * size, [-1] * size
    for place, value in zip(index, data, strict=True):
        listed[place], values[place] = 1, value
    form = {torch.bfloat16: torch.int16, torch.float32: torch.int32}[weights.dtype]
    expected = {
        "weights": after,
        "bits": after.view(form).long(),
        "version": after_version,
        "statuses": statuses,
        "delta_kind": KINDS[kind],
        "delta_base": version,
        "delta_version": after_version,
        "delta_checksum": crc(after),
        "delta_listed": listed,
        "delta_data": values,
    }
    return case(name, weights, version, updates, kind, visible=True, expected=expected)


def half(*values):
    return torch.tensor(values, dtype=torch.bfloat16)


def literals():
    # In bfloat16, 1 is 0x3F80, 2 is 0x4000, 3 is 0x4040, 4 is 0x4080, and -1 is 0xBF80. The low byte comes first.
    old, new = half(1, 2), half(1, 3)
    step = {"kind": "xor", "base": 7, "version": 8, "checksum": crc(new)}
    step |= {"index": torch.tensor([2]), "data": torch.tensor([64], dtype=torch.uint8)}
    yield by_hand("sent_twice", old, 7, [step, step], "overwrite", new, 8, [APPLIED, DUPLICATE], [2], [64])
    # The bytes of 0x4040 and 0x4080 differ in 0x40 ^ 0x80 = 0xC0 = 192.
    last = half(1, 4)
    lost = [encode("xor", 8, new, 9, last), encode("full", 0, old, 9, last), encode("xor", 9, last, 12, new)]
    yield by_hand("one_lost", old, 7, lost, "xor", new, 12, [WRONG_BASE, APPLIED, APPLIED], [2], [64])
    # An overwrite that also contains what the lost update changed: its result would be right, but its base is not.
    wide = {**encode("overwrite", 7, old, 9, last), "base": 8}
    yield by_hand("right_bytes_wrong_base", old, 7, [wide], "xor", old, 7, [WRONG_BASE], [], [])
    broken = damaged(encode("overwrite", 7, old, 8, new))
    following, again = encode("overwrite", 8, new, 9, last), encode("overwrite", 7, old, 8, new)
    statuses = [CORRUPT, WRONG_BASE, APPLIED, APPLIED]
    stream = [broken, following, again, following]
    yield by_hand("corrupt_then_resent", old, 7, stream, "xor", last, 9, statuses, [2], [128])
    # The broken data of a duplicate is never used, so its checksum does not matter.
    stream = [again, broken]
    yield by_hand("corrupt_duplicate", old, 7, stream, "overwrite", new, 8, [APPLIED, DUPLICATE], [2], [64])
    # After a restart, the trainer continues from version 5; the engine then still receives an update from before.
    restarted, early = half(-1, 2), encode("overwrite", 5, half(-1, 2), 6, half(-1, 4))
    stream = [encode("full", 0, old, 5, restarted), early, following]
    statuses = [APPLIED, APPLIED, WRONG_BASE]
    yield by_hand("older_snapshot", old, 8, stream, "xor", half(-1, 4), 6, statuses, [1, 2], [128, 128])
    full = encode("full", 0, old, 8, new)
    yield by_hand("snapshot_twice", old, 7, [full, full], "xor", new, 8, [APPLIED, APPLIED], [2], [64])
    yield by_hand("corrupt_snapshot", old, 7, [damaged(full, 3)], "overwrite", old, 7, [CORRUPT], [], [])
    # Byte 2 returns to its old value, so that only byte 1 differs in the end.
    there, back = encode("xor", 7, old, 8, new), encode("xor", 8, new, 11, half(-1, 2))
    yield by_hand("there_and_back", old, 7, [there, back], "xor", half(-1, 2), 11, [APPLIED, APPLIED], [1], [128])
    yield by_hand("no_updates", old, 7, [], "xor", old, 7, [], [], [])
    # The sign of zero changes; the NaN, 0x7FC0, stays the same.
    zeros, signed = half(0.0, float("nan"), -0.0), half(-0.0, float("nan"), 0.0)
    signs = encode("overwrite", 1, zeros, 2, signed)
    yield by_hand("sign_of_zero", zeros, 1, [signs], "overwrite", signed, 2, [APPLIED], [1, 5], [128, 0])


class Trainer:
    """Keeps the weights of every version; each step changes a third of the low bytes and a third of the high bytes.

    The first step and every second one after it also flip a bit of byte 32, so after four of them, it is as before.
    """

    def __init__(self, rng, elements, dtype):
        self.rng, self.dtype = rng, dtype
        first = torch.randn(elements, generator=rng).to(dtype)
        first[:2] = torch.tensor([-0.0, float("inf")], dtype=dtype)
        self.versions = {randint(rng, 10, 20): first}

    @property
    def newest(self):
        return max(self.versions)

    def step(self):
        """Train one step; return the versions before and after it."""
        base = self.newest
        new = bytes_of(self.versions[base]).clone()
        if len(self.versions) % 2 == 1:
            new[32] ^= 1
        low = torch.arange(36, len(new), self.dtype.itemsize)
        for places in (low, low + self.dtype.itemsize - 1):
            chosen = places[torch.randperm(len(places), generator=self.rng)[: len(places) // 3]]
            flips = torch.randint(1, 64, (len(chosen),), generator=self.rng, dtype=torch.uint8)
            new[chosen] ^= flips
        version = base + randint(self.rng, 2, 4)
        self.versions[version] = new.view(self.dtype)
        return base, version

    def update(self, kind, base, version):
        return encode(kind, base, self.versions.get(base), version, self.versions[version])


def stream_of(rng, dtype, first, second):
    """Return weights, their version, and a stream with every event, whose deltas are of two kinds."""
    trainer = Trainer(rng, randint(rng, 90, 110), dtype)
    version = trainer.newest
    steps = [trainer.step() for _ in range(7)]
    deltas = [trainer.update((first, second)[place % 2], *step) for place, step in enumerate(steps)]
    full = trainer.update("full", None, steps[4][1])
    place = randint(rng, 0, 9)
    updates = [
        deltas[0],
        deltas[0],  # repeated
        damaged(deltas[1], place),
        deltas[1],
        deltas[0],  # late
        deltas[3],  # deltas[2] is lost
        damaged(full, place),
        full,
        deltas[4],  # contained in the snapshot
        deltas[5],
        damaged(deltas[5], place),
        deltas[6],
    ]
    return trainer.versions[version], version, updates


def half_stream(rng):
    return case("half_stream", *stream_of(rng, torch.bfloat16, "xor", "overwrite"), "xor", relations=(OTHER_KIND,))


def single_stream(rng):
    return case(
        "single_stream", *stream_of(rng, torch.float32, "overwrite", "xor"), "overwrite", relations=(OTHER_KIND,)
    )


def cut_stream(rng):
    """Return a stream that ends with a corrupt update."""
    weights, version, updates = stream_of(rng, torch.bfloat16, "xor", "xor")
    return case("cut_stream", weights, version, updates[:3], "overwrite", relations=(OTHER_KIND,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield half_stream(rng)
    yield single_stream(rng)
    yield cut_stream(rng)
