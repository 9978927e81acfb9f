"""Drives two controllers in turn, so that shared state shows; the second one gets the batches in reverse order."""

import torch


def drive(entry, args):
    """Return the coefficients that both controllers returned, and the ones that were read after each update."""
    first = entry(args["init"], args["target"], args["horizon"])
    second = entry(2 * args["init"], args["target"], args["horizon"])
    returned, read, other = [], [first.beta], [second.beta]
    batches = list(zip(args["kls"], args["counts"], strict=True))
    for batch, reverse in zip(batches, reversed(batches), strict=True):
        returned.append(first.update(*batch))
        second.update(*reverse)
        read.append(first.beta)
        other.append(second.beta)
    trace = {"returned": returned, "read": read, "other": other}
    return {name: torch.tensor([float(beta) for beta in betas], dtype=torch.float64) for name, betas in trace.items()}
