# expect: wrong
# mistake: the padding of the source table is not cut off before the table is padded for the new number of ranks
import torch
from torch.nn import functional as F


def _pad_rows(table, multiple):
    extra = -table.shape[0] % multiple
    return F.pad(table, (0, 0) * (table.dim() - 1) + (0, extra))


def _cut_qkv(part, rule, tp):
    q = rule["heads"] // tp * rule["head_dim"]
    kv = (part.shape[0] - q) // 2
    return part[:q], part[q : q + kv], part[q + kv :]


def _reshard(parts, rule, tp):
    kind, src = rule["kind"], len(parts)
    if kind == "replicated":
        return [parts[0].clone() for _ in range(tp)]
    if kind == "row":
        return list(torch.cat(parts, 1).chunk(tp, 1))
    if kind == "column":
        return list(torch.cat(parts, 0).chunk(tp, 0))
    if kind == "vocab":
        return list(_pad_rows(torch.cat(parts, 0), tp).chunk(tp, 0))
    if kind == "gate_up":
        gate = torch.cat([p.chunk(2)[0] for p in parts]).chunk(tp)
        up = torch.cat([p.chunk(2)[1] for p in parts]).chunk(tp)
        return [torch.cat([g, u]) for g, u in zip(gate, up)]
    cut = [_cut_qkv(p, rule, src) for p in parts]
    every = max(1, src // rule["kv_heads"])
    q = torch.cat([c[0] for c in cut]).chunk(tp)
    k = torch.cat([c[1] for c in cut[::every]])
    v = torch.cat([c[2] for c in cut[::every]])
    repeat = max(1, tp // rule["kv_heads"])
    k, v = k.chunk(tp // repeat), v.chunk(tp // repeat)
    return [torch.cat([q[r], k[r // repeat], v[r // repeat]]) for r in range(tp)]


def reshard(shards, spec, tp_dst):
    result = [{} for _ in range(tp_dst)]
    for name in shards[0]:
        for rank, tensor in enumerate(_reshard([s[name] for s in shards], spec[name], tp_dst)):
            result[rank][name] = tensor
    return result
