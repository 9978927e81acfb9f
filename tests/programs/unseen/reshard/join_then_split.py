# expect: right
import torch


def _join_qkv(parts, rule):
    tp = len(parts)
    heads, kv_heads, width = rule["heads"], rule["kv_heads"], rule["head_dim"]
    q_rows = heads // tp * width
    kv_rows = max(kv_heads // tp, 1) * width
    triples = [part.split([q_rows, kv_rows, kv_rows], dim=0) for part in parts]
    copies = max(tp // kv_heads, 1)
    query = torch.cat([t[0] for t in triples])
    key = torch.cat([t[1] for t in triples[::copies]])
    value = torch.cat([t[2] for t in triples[::copies]])
    return query, key, value


def _split_qkv(full, rule, tp):
    query, key, value = full
    copies = max(tp // rule["kv_heads"], 1)
    queries = query.chunk(tp)
    keys, values = key.chunk(tp // copies), value.chunk(tp // copies)
    return [torch.cat([queries[r], keys[r // copies], values[r // copies]]) for r in range(tp)]


def _reshard_one(parts, rule, tp):
    kind = rule["kind"]
    if kind == "replicated":
        return [parts[0].clone() for _ in range(tp)]
    if kind == "column":
        return [p.clone() for p in torch.cat(parts).chunk(tp)]
    if kind == "row":
        return [p.clone() for p in torch.cat(parts, dim=1).chunk(tp, dim=1)]
    if kind == "gate_up":
        halves = [p.chunk(2) for p in parts]
        gate = torch.cat([h[0] for h in halves]).chunk(tp)
        up = torch.cat([h[1] for h in halves]).chunk(tp)
        return [torch.cat(pair) for pair in zip(gate, up)]
    if kind == "qkv":
        return _split_qkv(_join_qkv(parts, rule), rule, tp)
    if kind == "vocab":
        table = torch.cat(parts)[: rule["rows"]]
        missing = -rule["rows"] % tp
        if missing:
            table = torch.cat([table, table.new_zeros((missing, *table.shape[1:]))])
        return [p.clone() for p in table.chunk(tp)]
    raise ValueError(kind)


def reshard(shards, spec, tp_dst):
    ranks = [{} for _ in range(tp_dst)]
    for name in shards[0]:
        pieces = _reshard_one([shard[name] for shard in shards], spec[name], tp_dst)
        for rank, piece in zip(ranks, pieces):
            rank[name] = piece
    return ranks
