# expect: right
import torch


def layout(rule, size, ranks):
    """Say for each rank which slices of the whole it holds; -1 is padding. size: slices without copies or padding."""
    kind = rule["kind"]

    def part(first, count, rank):
        step = count // ranks
        return list(range(first + rank * step, first + (rank + 1) * step))

    table = []
    for rank in range(ranks):
        if kind in ("column", "row"):
            table.append(part(0, size, rank))
        elif kind == "gate_up":
            table.append(part(0, size // 2, rank) + part(size // 2, size // 2, rank))
        elif kind == "vocab":
            step = -(-size // ranks)
            table.append([i if i < size else -1 for i in range(rank * step, (rank + 1) * step)])
        elif kind == "qkv":
            dim, heads, kv_heads = rule["head_dim"], rule["heads"], rule["kv_heads"]
            mine = range(rank * heads // ranks, (rank + 1) * heads // ranks)
            if kv_heads >= ranks:
                kv = range(rank * kv_heads // ranks, (rank + 1) * kv_heads // ranks)
            else:
                kv = [mine[0] // (heads // kv_heads)]
            order = list(mine) + [heads + h for h in kv] + [heads + kv_heads + h for h in kv]
            table.append([head * dim + i for head in order for i in range(dim)])
    return table


def whole_size(rule, local, ranks):
    if rule["kind"] == "vocab":
        return rule["rows"]
    if rule["kind"] == "qkv":
        return (rule["heads"] + 2 * rule["kv_heads"]) * rule["head_dim"]
    return local * ranks


def reshard(shards, spec, tp_dst):
    result = [{} for _ in range(tp_dst)]
    for name, first in shards[0].items():
        rule = spec[name]
        if rule["kind"] == "replicated":
            for rank in result:
                rank[name] = first.clone()
            continue
        axis = 1 if rule["kind"] == "row" else 0
        size = whole_size(rule, first.shape[axis], len(shards))
        where = {}
        for rank, held in enumerate(layout(rule, size, len(shards))):
            for place, piece in enumerate(held):
                where.setdefault(piece, (rank, place))
        blank = torch.zeros_like(first.select(axis, 0))
        for rank, wanted in enumerate(layout(rule, size, tp_dst)):
            slices = []
            for piece in wanted:
                if piece < 0:
                    slices.append(blank)
                else:
                    source, place = where[piece]
                    slices.append(shards[source][name].select(axis, place))
            result[rank][name] = torch.stack(slices, dim=axis)
    return result
