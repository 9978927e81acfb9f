"""Drives a buffer through calls and turns what each take returned into tensors of fixed shapes."""

import torch

NOBODY = -9
EVICTED_MAX = 8


def padded(values, length):
    return (list(values) + [NOBODY] * length)[:length]


def drive(entry, args):
    """Return for each take the number of groups in the batch (-1 for no batch) and everything in the dict."""
    width, size = args["batch_groups"], args["group_size"]
    buffer = entry(size, width, args["max_staleness"], args["strategy"])
    counts, batches, advantages, evicted = [], [], [], []
    for name, *rest in args["calls"]:
        result = getattr(buffer, name)(*rest)
        if name != "take":
            continue
        batch = result["batch"]
        length = -1 if batch is None else len(batch)
        counts.append([length, *(int(result[key]) for key in ("stale", "filtered", "refill"))])
        batches.append(padded([int(group) for group, _ in batch or []], width))
        rows = [padded(map(float, values), size) for _, values in batch or []]
        advantages.append((rows + [[0.0] * size] * width)[:width])
        evicted.append(padded(map(int, result["evicted"]), EVICTED_MAX))
    return {
        "counts": torch.tensor(counts),
        "batches": torch.tensor(batches),
        "advantages": torch.tensor(advantages, dtype=torch.get_default_dtype()),
        "evicted": torch.tensor(evicted),
    }
