# expect: wrong
# mistake: the fused qkv tensor of a rank is read and written group by group (query heads, key head, value head of one group, then the next group)
# mistake: the new padding rows hold the mean of the table and not zeros
import torch


def _groups(tp, rule):
    return max(1, rule["kv_heads"] // tp)


def _load_qkv(parts, rule):
    tp, d = len(parts), rule["head_dim"]
    n = _groups(tp, rule)
    per = rule["heads"] // tp // n
    q, k, v = [], [], []
    for r, part in enumerate(parts):
        fresh = tp <= rule["kv_heads"] or r % (tp // rule["kv_heads"]) == 0
        for group in part.chunk(n):
            a, b, c = group.split([per * d, d, d])
            q.append(a)
            if fresh:
                k.append(b)
                v.append(c)
    return torch.cat(q), k, v


def _save_qkv(q, k, v, rule, tp):
    n = _groups(tp, rule)
    out = []
    for r, mine in enumerate(q.chunk(tp)):
        first = r * rule["kv_heads"] // tp
        pieces = []
        for i, queries in enumerate(mine.chunk(n)):
            pieces += [queries, k[first + i], v[first + i]]
        out.append(torch.cat(pieces))
    return out


def reshard(shards, spec, tp_dst):
    ranks = [{} for _ in range(tp_dst)]
    for name, rule in spec.items():
        parts, kind = [s[name] for s in shards], rule["kind"]
        if kind == "replicated":
            new = [parts[0].clone() for _ in range(tp_dst)]
        elif kind == "column":
            new = torch.cat(parts).chunk(tp_dst)
        elif kind == "row":
            new = torch.cat(parts, 1).chunk(tp_dst, 1)
        elif kind == "gate_up":
            both = [p.chunk(2) for p in parts]
            gate, up = (torch.cat([b[i] for b in both]).chunk(tp_dst) for i in (0, 1))
            new = [torch.cat(p) for p in zip(gate, up)]
        elif kind == "qkv":
            new = _save_qkv(*_load_qkv(parts, rule), rule, tp_dst)
        else:
            table = torch.cat(parts)[: rule["rows"]]
            extra = -rule["rows"] % tp_dst
            filler = table.double().mean(0, keepdim=True).to(table.dtype)
            new = torch.cat([table] + [filler] * extra).chunk(tp_dst)
        for rank, tensor in zip(ranks, new):
            rank[name] = tensor
    return ranks
