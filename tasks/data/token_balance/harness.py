"""The order in a microbatch does not matter, and a refusal cannot be compared, so a plan becomes numbers per sample."""

import operator

import torch

MISSING, TWICE, UNKNOWN = -1, -2, -3


def drive(entry, args):
    """Return where each sample is, the number of microbatches of each rank, and whether the batch was refused."""
    samples = len(args["lengths"])
    rank, microbatch = torch.full((2, samples), MISSING)
    try:
        plan = entry(**args)
    except ValueError:
        counts = torch.zeros(args["ranks"], dtype=torch.long)
        return {"rank": rank, "microbatch": microbatch, "microbatches": counts, "is_refused": True}
    for place, held in enumerate(plan):
        for number, micro in enumerate(held):
            for sample in map(operator.index, micro):
                if not 0 <= sample < samples:
                    # An index that does not exist is reported with the first sample.
                    rank[0] = microbatch[0] = UNKNOWN
                elif rank[sample] == MISSING:
                    rank[sample], microbatch[sample] = place, number
                else:
                    rank[sample] = microbatch[sample] = TWICE
    counts = torch.tensor([len(held) for held in plan])
    return {"rank": rank, "microbatch": microbatch, "microbatches": counts, "is_refused": False}
