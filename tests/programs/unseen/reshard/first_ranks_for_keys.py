# expect: wrong
# mistake: where the source ranks hold copies of key heads, the heads are read from the first ranks in place of every n-th rank
import torch


class Qkv:
    def __init__(self, heads, kv_heads, head_dim, **_):
        self.heads, self.kv_heads, self.head_dim = heads, kv_heads, head_dim

    def sizes(self, tp):
        q = self.heads * self.head_dim // tp
        kv = max(1, self.kv_heads // tp) * self.head_dim
        return [q, kv, kv]

    def merge(self, parts):
        q, k, v = zip(*(p.split(self.sizes(len(parts))) for p in parts))
        holders = min(len(parts), self.kv_heads)
        return torch.cat(q), torch.cat(k[:holders]), torch.cat(v[:holders])

    def split(self, full, tp):
        q, k, v = full
        groups = min(tp, self.kv_heads)
        per_group = tp // groups
        q, k, v = q.chunk(tp), k.chunk(groups), v.chunk(groups)
        return [torch.cat((q[r], k[r // per_group], v[r // per_group])) for r in range(tp)]


def convert(parts, rule, tp):
    kind = rule["kind"]
    if kind == "replicated":
        return [parts[0].clone() for _ in range(tp)]
    if kind in ("column", "row"):
        dim = int(kind == "row")
        return [x.clone() for x in torch.cat(parts, dim).chunk(tp, dim)]
    if kind == "gate_up":
        gates, ups = zip(*(p.chunk(2) for p in parts))
        return [torch.cat(gu) for gu in zip(torch.cat(gates).chunk(tp), torch.cat(ups).chunk(tp))]
    if kind == "vocab":
        rows = rule["rows"]
        per_rank = (rows + tp - 1) // tp
        old = torch.cat(parts)[:rows]
        new = old.new_zeros((per_rank * tp,) + tuple(old.shape[1:]))
        new[:rows] = old
        return [x.clone() for x in new.split(per_rank)]
    qkv = Qkv(**rule)
    return qkv.split(qkv.merge(parts), tp)


def reshard(shards, spec, tp_dst):
    columns = {name: convert([s[name] for s in shards], spec[name], tp_dst) for name in shards[0]}
    return [{name: pieces[r] for name, pieces in columns.items()} for r in range(tp_dst)]
