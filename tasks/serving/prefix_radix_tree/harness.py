"""Drives a tree through calls; the order of the prefixes does not matter, so they are sorted."""

import torch

NODES, LENGTH = 12, 24


def drive(entry, args):
    """Return for each call its result (-1 where there is none), the number of nodes, and their prefixes, padded."""
    tree = entry(args["page_size"], args["capacity"])
    hits, counts, prefixes = [], [], []
    for name, *rest in args["calls"]:
        result = getattr(tree, name)(*rest)
        hits.append(int(result) if name == "start" else -1)
        found = sorted([int(token) for token in prefix] for prefix in tree.prefixes())
        counts.append(len(found))
        rows = [(prefix + [-1] * LENGTH)[:LENGTH] for prefix in found]
        prefixes.append((rows + [[-1] * LENGTH] * NODES)[:NODES])
    return {"hits": torch.tensor(hits), "nodes": torch.tensor(counts), "prefixes": torch.tensor(prefixes)}
