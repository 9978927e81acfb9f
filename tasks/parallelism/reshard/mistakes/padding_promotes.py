import torch


def join_qkv(parts, rule):
    tp, d = len(parts), rule["head_dim"]
    nq = rule["heads"] // tp
    nkv = max(rule["kv_heads"] // tp, 1)
    step = max(tp // rule["kv_heads"], 1)
    q = torch.cat([p[: nq * d] for p in parts])
    k = torch.cat([p[nq * d : (nq + nkv) * d] for p in parts[::step]])
    v = torch.cat([p[(nq + nkv) * d :] for p in parts[::step]])
    return q, k, v


def split_qkv(q, k, v, rule, tp):
    d = rule["head_dim"]
    nq = rule["heads"] // tp
    nkv = max(rule["kv_heads"] // tp, 1)
    out = []
    for r in range(tp):
        first = r * rule["kv_heads"] // tp
        out.append(
            torch.cat(
                [
                    q[r * nq * d : (r + 1) * nq * d],
                    k[first * d : (first + nkv) * d],
                    v[first * d : (first + nkv) * d],
                ]
            )
        )
    return out


def reshard(shards, spec, tp_dst):
    out = [{} for _ in range(tp_dst)]
    for name, rule in spec.items():
        parts = [s[name] for s in shards]
        kind = rule["kind"]
        if kind == "replicated":
            new = [parts[0]] * tp_dst
        elif kind == "column":
            new = torch.cat(parts, dim=0).chunk(tp_dst, dim=0)
        elif kind == "row":
            new = torch.cat(parts, dim=1).chunk(tp_dst, dim=1)
        elif kind == "gate_up":
            gate = torch.cat([p[: p.shape[0] // 2] for p in parts]).chunk(tp_dst)
            up = torch.cat([p[p.shape[0] // 2 :] for p in parts]).chunk(tp_dst)
            new = [torch.cat(pair) for pair in zip(gate, up)]
        elif kind == "qkv":
            new = split_qkv(*join_qkv(parts, rule), rule, tp_dst)
        else:
            full = torch.cat(parts)[: rule["rows"]]
            pad = -full.shape[0] % tp_dst
            full = torch.cat([full, torch.zeros(pad, full.shape[1], device=full.device)])
            new = full.chunk(tp_dst)
        for r in range(tp_dst):
            out[r][name] = new[r]
    return out
