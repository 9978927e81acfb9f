# expect: wrong
# mistake: with more new ranks than key heads rank r gets key head r modulo their number, not the one that its query heads attend to
import torch


def reshard(shards, spec, tp_dst):
    tp_src = len(shards)
    out = [dict() for _ in range(tp_dst)]

    def emit(name, pieces):
        for r in range(tp_dst):
            out[r][name] = pieces[r].clone()

    for name in shards[0]:
        rule = spec[name]
        parts = [s[name] for s in shards]
        kind = rule["kind"]
        if kind == "replicated":
            emit(name, [parts[0]] * tp_dst)
        elif kind == "column":
            emit(name, torch.cat(parts, 0).chunk(tp_dst, 0))
        elif kind == "row":
            emit(name, torch.cat(parts, 1).chunk(tp_dst, 1))
        elif kind == "gate_up":
            gate = torch.cat([p[: p.shape[0] // 2] for p in parts]).chunk(tp_dst)
            up = torch.cat([p[p.shape[0] // 2 :] for p in parts]).chunk(tp_dst)
            emit(name, [torch.cat(x) for x in zip(gate, up)])
        elif kind == "vocab":
            full = torch.cat(parts, 0)[: rule["rows"]]
            pad = (tp_dst - full.shape[0] % tp_dst) % tp_dst
            full = torch.cat([full, full.new_zeros(pad, *full.shape[1:])])
            emit(name, full.chunk(tp_dst))
        elif kind == "qkv":
            hd, nkv = rule["head_dim"], rule["kv_heads"]
            nq = rule["heads"] // tp_src * hd
            q = torch.cat([p[:nq] for p in parts]).chunk(tp_dst)
            stride = max(1, tp_src // nkv)
            kv = [p[nq:].chunk(2) for p in parts[::stride]]
            k = torch.cat([x[0] for x in kv])
            v = torch.cat([x[1] for x in kv])
            if nkv >= tp_dst:
                k, v = k.chunk(tp_dst), v.chunk(tp_dst)
            else:
                k, v = k.chunk(nkv), v.chunk(nkv)
            emit(name, [torch.cat([q[r], k[r % len(k)], v[r % len(v)]]) for r in range(tp_dst)])
    return out
