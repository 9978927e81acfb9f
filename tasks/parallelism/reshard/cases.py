"""Full layers are built and split row by row by a simple model, so expected values do not come from the reference."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def owned(rule, count, tp, rank):
    """Return which of the full tensor's rows (columns for "row") a rank holds, in the rank's order; -1 is padding."""
    if rule["kind"] == "replicated":
        return list(range(count))
    if rule["kind"] == "gate_up":
        half = count // 2
        gate = owned({"kind": "column"}, half, tp, rank)
        return gate + [half + row for row in gate]
    if rule["kind"] == "vocab":
        each = -(-count // tp)
        return [row if row < count else -1 for row in range(rank * each, (rank + 1) * each)]
    if rule["kind"] == "qkv":
        heads, kv_heads, width = rule["heads"], rule["kv_heads"], rule["head_dim"]
        queries = owned({"kind": "column"}, heads, tp, rank)
        keys = sorted({query * kv_heads // heads for query in queries})
        held = queries + [heads + key for key in keys] + [heads + kv_heads + key for key in keys]
        return [head * width + row for head in held for row in range(width)]
    each = count // tp
    return list(range(rank * each, (rank + 1) * each))


def cut(layer, spec, tp, padding):
    """Return the shards of the full layer."""
    shards = []
    for rank in range(tp):
        shard = {}
        for name, rule in spec.items():
            dim = 1 if rule["kind"] == "row" else 0
            rows = torch.tensor(owned(rule, layer[name].shape[dim], tp, rank), dtype=torch.long)
            part = layer[name].index_select(dim, rows.clamp(min=0))
            if rule["kind"] == "vocab":
                part[rows < 0] = padding
            shard[name] = part
        shards.append(shard)
    return shards


def named(ranks):
    return {f"rank{place}.{name}": part for place, rank in enumerate(ranks) for name, part in rank.items()}


def case(name, rng, layer, spec, sizes, dtype=torch.float32):
    """Return a case with random numbers; `layer` has the shapes. The tensors are views of transposed storage."""
    whole = {key: torch.randn(shape, generator=rng).to(dtype) for key, shape in layer.items()}
    shards = cut(whole, spec, sizes[0], float("nan"))
    shards = [{key: part.T.contiguous().T if part.dim() > 1 else part for key, part in one.items()} for one in shards]
    from_one = Relation(
        name="from_one",
        says="What a rank gets does not depend on the number of source ranks.",
        change=lambda args: {**args, "shards": cut(whole, spec, 1, float("nan"))},
    )
    args = {"shards": shards, "spec": spec, "tp_dst": sizes[1]}
    return Case(name=name, args=args, relations=(from_one,), expected=named(cut(whole, spec, sizes[1], 0.0)))


def by_hand():
    shards = [
        {"w1": torch.tensor([[10.0], [20.0], [1.0], [2.0]])},
        {"w1": torch.tensor([[30.0], [40.0], [3.0], [4.0]])},
    ]
    args = {"shards": shards, "spec": {"w1": {"kind": "gate_up"}}, "tp_dst": 4}
    parts = [[[10.0], [1.0]], [[20.0], [2.0]], [[30.0], [3.0]], [[40.0], [4.0]]]
    ranks = {f"rank{rank}.w1": part for rank, part in enumerate(parts)}
    return Case(name="by_hand", args=args, visible=True, expected=ranks)


def heads_by_hand():
    """Return four query heads of one row, 0 to 3, that share the key heads 10 and 11; their values are 20 and 21."""
    shards = [{"b": torch.tensor([0.0, 1.0, 10.0, 20.0])}, {"b": torch.tensor([2.0, 3.0, 11.0, 21.0])}]
    spec = {"b": {"kind": "qkv", "heads": 4, "kv_heads": 2, "head_dim": 1}}
    parts = [[0.0, 10.0, 20.0], [1.0, 10.0, 20.0], [2.0, 11.0, 21.0], [3.0, 11.0, 21.0]]
    ranks = {f"rank{rank}.b": part for rank, part in enumerate(parts)}
    args = {"shards": shards, "spec": spec, "tp_dst": 4}
    return Case(name="heads_by_hand", args=args, visible=True, expected=ranks)


def mlp(name, rng, sizes):
    hidden, inner = randint(rng, 3, 5), 12 * randint(rng, 1, 2)
    shapes = {"w1": (2 * inner, hidden), "b1": (2 * inner,), "w2": (hidden, inner), "b2": (hidden,)}
    kinds = {"w1": "gate_up", "b1": "gate_up", "w2": "row", "b2": "replicated"}
    return case(name, rng, shapes, {key: {"kind": kind} for key, kind in kinds.items()}, sizes)


def plain_mlp(rng):
    """Return a bfloat16 layer without a gate, square so that its shape does not reveal the dimension; 2 to 3 ranks."""
    hidden = 6 * randint(rng, 1, 2)
    shapes = {"w1": (hidden, hidden), "b1": (hidden,), "w2": (hidden, hidden), "b2": (hidden,)}
    kinds = {"w1": "column", "b1": "column", "w2": "row", "b2": "replicated"}
    spec = {key: {"kind": kind} for key, kind in kinds.items()}
    return case("plain_mlp", rng, shapes, spec, (2, 3), torch.bfloat16)


def attention(name, rng, heads, kv_heads, sizes):
    width, hidden = randint(rng, 2, 3), randint(rng, 3, 5)
    rule = {"kind": "qkv", "heads": heads, "kv_heads": kv_heads, "head_dim": width}
    rows = (heads + 2 * kv_heads) * width
    return case(name, rng, {"w": (rows, hidden), "b": (rows,)}, {"w": rule, "b": rule}, sizes)


def table(name, rng, rows, sizes, dtype=torch.float32):
    spec = {"embed": {"kind": "vocab", "rows": rows}}
    return case(name, rng, {"embed": (rows, randint(rng, 3, 5))}, spec, sizes, dtype)


def every_kind(name, rng, sizes):
    """Return a layer with all kinds of tensors, and a table that four ranks must pad."""
    qkv = {"kind": "qkv", "heads": 8, "kv_heads": 2, "head_dim": 2}
    spec = {"wqkv": qkv, "bqkv": qkv} | {
        key: {"kind": kind} for key, kind in {"w1": "gate_up", "wo": "row", "b1": "column", "bo": "replicated"}.items()
    }
    rows = 8 * randint(rng, 1, 2) + 1
    shapes = {"wqkv": (24, 3), "bqkv": (24,), "w1": (16, 3), "wo": (3, 8), "b1": (8,), "bo": (3,), "embed": (rows, 3)}
    return case(name, rng, shapes, {**spec, "embed": {"kind": "vocab", "rows": rows}}, sizes)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    yield heads_by_hand()
    yield mlp("mlp_grows", rng, (2, 4))
    yield mlp("mlp_shrinks", rng, (4, 2))
    yield plain_mlp(rng)
    yield attention("many_heads", rng, 8, 8, (2, 4))
    yield attention("shared_heads", rng, 12, 4, (4, 2))
    yield attention("heads_are_copied", rng, 8, 2, (2, 8))
    yield attention("copies_are_joined", rng, 8, 2, (8, 2))
    yield table("padding_shrinks", rng, 4 * randint(rng, 2, 4) + 1, (4, 2))
    yield table("padding_grows", rng, 10 + randint(rng, 0, 1), (3, 8))
    yield table("nothing_to_pad", rng, 8 * randint(rng, 1, 2) + 4, (2, 4))
    yield table("table_in_bfloat16", rng, 8 * randint(rng, 1, 2) + 1, (2, 4), torch.bfloat16)
    yield attention("fewer_copies", rng, 8, 2, (8, 4))
    yield attention("two_to_three", rng, 12, 6, (2, 3))
    yield every_kind("merged_into_one", rng, (4, 1))
    yield every_kind("same_size", rng, (4, 4))
