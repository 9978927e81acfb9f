"""A function cannot cross the sandbox's border, so the score of a problem is looked up in a table."""

import torch


def drive(entry, args):
    """Return the scores of all ranks' problems and what the table of results shows of them."""
    table = args["table"]
    torch.set_default_dtype(table.dtype)
    return entry(list(args["problems"]), lambda problem: table[problem].clone(), table.shape[1])
