"""A fused tensor is split section by section; splitting its rows as a whole would mix the sections."""

import torch
from torch.nn import functional as F


def reshard(shards, spec, tp_dst):
    """Return the tensors of each of the `tp_dst` ranks, given those of each source rank.

    Source: arXiv:1909.08053, section 3 (columns, rows, vocabulary); arXiv:2305.13245 (shared key heads).
    """
    ranks = [{} for _ in range(tp_dst)]
    for name, rule in spec.items():
        parts = _resharded([shard[name] for shard in shards], rule, tp_dst)
        for rank, part in zip(ranks, parts, strict=True):
            rank[name] = part
    return ranks


def _resharded(parts, rule, tp_dst):
    """Return the parts of one tensor on the new ranks."""
    if rule["kind"] == "replicated":
        return parts[:1] * tp_dst
    if rule["kind"] == "vocab":
        table = torch.cat(parts)[: rule["rows"]]
        return F.pad(table, (0, 0, 0, -len(table) % tp_dst)).chunk(tp_dst)
    dim = 1 if rule["kind"] == "row" else 0
    rows, copies = _sections(rule, parts[0].shape[dim], len(parts))
    held = zip(*(part.split(rows, dim) for part in parts), strict=True)
    _, new_copies = _sections(rule, 0, tp_dst)
    divided = []
    for sections, old, new in zip(held, copies, new_copies, strict=True):
        pieces = torch.cat(sections[::old], dim).chunk(tp_dst // new, dim)
        divided.append([piece for piece in pieces for _ in range(new)])
    return [torch.cat(sections, dim) for sections in zip(*divided, strict=True)]


def _sections(rule, size, tp):
    """Return the rows of each section in one of `tp` shards, and the number of consecutive ranks that share them."""
    if rule["kind"] == "gate_up":
        return [size // 2] * 2, [1, 1]
    if rule["kind"] == "qkv":
        copies = max(1, tp // rule["kv_heads"])
        query, key = rule["heads"] // tp * rule["head_dim"], rule["kv_heads"] * copies // tp * rule["head_dim"]
        return [query, key, key], [1, copies, copies]
    return [size], [1]
