# expect: wrong
# mistake: a vocabulary that is already a multiple of the number of ranks gets another row of padding per rank
import torch


def _vocab(parts, rule, tp):
    rows = rule["rows"]
    per_rank = rows // tp + 1
    real = torch.cat(parts, dim=0)[:rows]
    padding = torch.zeros((per_rank * tp - rows, *real.shape[1:]), dtype=real.dtype, device=real.device)
    return torch.cat([real, padding]).split(per_rank)


def _qkv(parts, rule, tp):
    heads, kv, dim = rule["heads"], rule["kv_heads"], rule["head_dim"]
    src = len(parts)
    nq = heads // src * dim
    nkv = max(1, kv // src) * dim
    step = max(1, src // kv)
    q = torch.cat([p[:nq] for p in parts])
    k = torch.cat([p[nq : nq + nkv] for p in parts[::step]])
    v = torch.cat([p[nq + nkv :] for p in parts[::step]])
    dst_q = heads // tp * dim
    dst_kv = max(1, kv // tp) * dim
    result = []
    for rank in range(tp):
        at = rank * kv // tp * dim
        result.append(
            torch.cat([q[rank * dst_q : (rank + 1) * dst_q], k[at : at + dst_kv], v[at : at + dst_kv]])
        )
    return result


def reshard(shards, spec, tp_dst):
    ranks = [{} for _ in range(tp_dst)]
    for name, rule in spec.items():
        parts = [s[name] for s in shards]
        match rule["kind"]:
            case "replicated":
                pieces = [parts[0]] * tp_dst
            case "column":
                pieces = torch.cat(parts).chunk(tp_dst)
            case "row":
                pieces = torch.cat(parts, dim=1).chunk(tp_dst, dim=1)
            case "gate_up":
                gate = torch.cat([p[: len(p) // 2] for p in parts]).chunk(tp_dst)
                up = torch.cat([p[len(p) // 2 :] for p in parts]).chunk(tp_dst)
                pieces = [torch.cat([g, u]) for g, u in zip(gate, up)]
            case "qkv":
                pieces = _qkv(parts, rule, tp_dst)
            case "vocab":
                pieces = _vocab(parts, rule, tp_dst)
        for rank, piece in zip(ranks, pieces):
            rank[name] = piece.clone()
    return ranks
