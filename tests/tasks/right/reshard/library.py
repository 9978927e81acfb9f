from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F


class Layout(ABC):
    """Knows how one kind of tensor lies on ranks: `join` and `split` undo each other."""

    def __init__(self, rule):
        self.rule = rule

    @abstractmethod
    def join(self, parts): ...

    @abstractmethod
    def split(self, whole, tp): ...


class Replicated(Layout):
    def join(self, parts):
        return parts[-1]

    def split(self, whole, tp):
        return [whole.clone() for _ in range(tp)]


class Even(Layout):
    dim = 0

    def join(self, parts):
        return torch.cat(parts, self.dim)

    def split(self, whole, tp):
        return torch.tensor_split(whole, tp, self.dim)


class Row(Even):
    dim = 1


class GateUp(Layout):
    def join(self, parts):
        return torch.stack([part.unflatten(0, (2, -1)) for part in parts], 1).flatten(1, 2)  # [2, I, ...]

    def split(self, whole, tp):
        return [part.flatten(0, 1) for part in whole.chunk(tp, 1)]


class Heads(Layout):
    def counts(self, tp):
        return self.rule["heads"] // tp, max(1, self.rule["kv_heads"] // tp)

    def join(self, parts):
        queries, keys = self.counts(len(parts))
        by_head = [part.unflatten(0, (-1, self.rule["head_dim"])).split([queries, keys, keys]) for part in parts]
        q, k, v = (torch.cat(section) for section in zip(*by_head, strict=True))
        copies = len(k) // self.rule["kv_heads"]
        return q, k[::copies], v[::copies]

    def split(self, whole, tp):
        copies = max(1, tp // self.rule["kv_heads"])
        spread = (whole[0], whole[1].repeat_interleave(copies, 0), whole[2].repeat_interleave(copies, 0))
        return [torch.cat(own).flatten(0, 1) for own in zip(*(section.chunk(tp) for section in spread), strict=True)]


class Vocabulary(Layout):
    def join(self, parts):
        return torch.cat(parts).narrow(0, 0, self.rule["rows"])

    def split(self, whole, tp):
        short = (tp - self.rule["rows"] % tp) % tp
        return F.pad(whole, (0, 0, 0, short)).unflatten(0, (tp, -1)).unbind(0)


LAYOUTS = {
    "replicated": Replicated,
    "column": Even,
    "row": Row,
    "gate_up": GateUp,
    "qkv": Heads,
    "vocab": Vocabulary,
}


def reshard(shards, spec, tp_dst):
    columns = {}
    for name, rule in spec.items():
        layout = LAYOUTS[rule["kind"]](rule)
        columns[name] = layout.split(layout.join([shard[name] for shard in shards]), tp_dst)
    return [{name: parts[rank] for name, parts in columns.items()} for rank in range(tp_dst)]
