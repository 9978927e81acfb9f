import torch


def blocks_of(rule, rows, tp):
    """Return, for each rank, which rows of the whole fused tensor it holds: the layout as index tensors."""
    kind = rule["kind"]
    if kind == "qkv":
        H, K, d = rule["heads"], rule["kv_heads"], rule["head_dim"]
        queries = torch.arange(H).view(tp, -1)
        keys = torch.arange(K).view(tp, -1) if tp <= K else torch.arange(K).repeat_interleave(tp // K).view(tp, 1)
        heads = torch.cat([queries, H + keys, H + K + keys], dim=1)
        return (heads[:, :, None] * d + torch.arange(d)).flatten(1)
    if kind == "gate_up":
        first = torch.arange(rows // 2).view(tp, -1)
        return torch.cat([first, rows // 2 + first], dim=1)
    return torch.arange(rows).view(tp, -1)


def reshard(shards, spec, tp_dst):
    ranks = [{} for _ in range(tp_dst)]
    for name, rule in spec.items():
        kind, parts = rule["kind"], [shard[name] for shard in shards]
        if kind == "replicated":
            for rank in ranks:
                rank[name] = parts[0].clone()
            continue
        stacked = [part.T if kind == "row" else part for part in parts]
        held = torch.cat(stacked)
        if kind == "vocab":
            each = -(-rule["rows"] // tp_dst)
            whole = held.new_zeros(each * tp_dst, held.shape[1])
            whole[: rule["rows"]] = held[: rule["rows"]]
        else:
            count = len(held)
            if kind == "qkv":
                count = (rule["heads"] + 2 * rule["kv_heads"]) * rule["head_dim"]
            whole = held.new_empty(count, *held.shape[1:])
            whole[blocks_of(rule, count, len(parts)).flatten().to(held.device)] = held
        for rank, rows in zip(ranks, blocks_of(rule, len(whole), tp_dst), strict=True):
            part = whole[rows.to(held.device)]
            rank[name] = part.T if kind == "row" else part
    return ranks
