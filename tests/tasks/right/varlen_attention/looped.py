import torch


def varlen_attention(q, k, v, mask, multiple=1):
    """Compute the output of every token by itself, from the tokens of its row so far."""
    batch, width, heads, size = q.shape
    outputs, indices, offsets, longest = [], [], [0], 0
    where = {}
    for b in range(batch):
        seen = []
        for s in range(width):
            if mask[b, s] == 0:
                continue
            seen.append(s)
            per_head = []
            for h in range(heads):
                weights = torch.softmax(k[b, seen, h] @ q[b, s, h] / size**0.5, dim=0)
                per_head.append(weights @ v[b, seen, h])
            where[b, s] = torch.stack(per_head)
            outputs.append(where[b, s])
            indices.append(b * width + s)
        offsets.append(len(outputs))
        longest = max(longest, len(seen))
    missing = 0
    nothing = torch.zeros(heads, size)
    while len(outputs) % multiple:
        outputs.append(nothing)
        missing += 1
    if missing:
        offsets.append(len(outputs))
    out = torch.stack([torch.stack([where.get((b, s), nothing) for s in range(width)]) for b in range(batch)])
    return (
        out,
        torch.stack(outputs),
        torch.tensor(indices),
        torch.tensor(offsets, dtype=torch.int32),
        max(longest, missing),
    )
