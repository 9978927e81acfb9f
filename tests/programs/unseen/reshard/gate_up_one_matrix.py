# expect: wrong
# mistake: gate and up are joined and divided as one matrix along dimension 0, so that ranks mix up gate and up rows
import torch


def _qkv(parts, rule, tp):
    src = len(parts)
    d = rule["head_dim"]
    nq, nk = rule["heads"] // src, max(rule["kv_heads"] // src, 1)
    q, k, v = {}, {}, {}
    for r, p in enumerate(parts):
        rows = p.split(d)
        for i in range(nq):
            q[r * nq + i] = rows[i]
        first = r * rule["kv_heads"] // src
        for i in range(nk):
            k[first + i] = rows[nq + i]
            v[first + i] = rows[nq + nk + i]
    nq, nk = rule["heads"] // tp, max(rule["kv_heads"] // tp, 1)
    out = []
    for r in range(tp):
        first = r * rule["kv_heads"] // tp
        rows = [q[r * nq + i] for i in range(nq)]
        rows += [k[first + i] for i in range(nk)] + [v[first + i] for i in range(nk)]
        out.append(torch.cat(rows))
    return out


def reshard(shards, spec, tp_dst):
    ranks = [{} for _ in range(tp_dst)]
    for name, rule in spec.items():
        parts = [shard[name] for shard in shards]
        if rule["kind"] == "replicated":
            new = [parts[0] for _ in ranks]
        elif rule["kind"] == "qkv":
            new = _qkv(parts, rule, tp_dst)
        elif rule["kind"] == "row":
            new = torch.tensor_split(torch.cat(parts, dim=1), tp_dst, dim=1)
        else:
            full = torch.cat(parts, dim=0)
            if rule["kind"] == "vocab":
                full = full[: rule["rows"]]
                pad = -len(full) % tp_dst
                full = torch.cat([full, torch.zeros_like(full[:1]).repeat_interleave(pad, dim=0)])
            new = torch.tensor_split(full, tp_dst, dim=0)
        for rank, tensor in zip(ranks, new):
            rank[name] = tensor.clone()
    return ranks
