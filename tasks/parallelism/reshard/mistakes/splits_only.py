import torch


def pieces(part, rule, n, src, dst):
    """Cut the shard of one source rank into n new ones."""
    kind = rule["kind"]
    if kind == "replicated":
        return [part] * n
    if kind == "row":
        return part.chunk(n, dim=1)
    if kind == "gate_up":
        gate, up = part.chunk(2)
        return [torch.cat(pair) for pair in zip(gate.chunk(n), up.chunk(n))]
    if kind == "qkv":
        d = rule["head_dim"]
        q = rule["heads"] // src * d
        kv = max(rule["kv_heads"] // src, 1)
        queries, keys, values = part.split([q, kv * d, kv * d])
        copies = max(1, n // kv) if dst > rule["kv_heads"] else 1
        keys = [k for k in keys.chunk(n // copies) for _ in range(copies)]
        values = [v for v in values.chunk(n // copies) for _ in range(copies)]
        return [torch.cat(three) for three in zip(queries.chunk(n), keys, values)]
    return part.chunk(n)


def reshard(shards, spec, tp_dst):
    n = max(1, tp_dst // len(shards))
    ranks = []
    for shard in shards:
        new = {name: pieces(shard[name], rule, n, len(shards), tp_dst) for name, rule in spec.items()}
        ranks += [{name: parts[i] for name, parts in new.items()} for i in range(n)]
    return ranks[:tp_dst]
