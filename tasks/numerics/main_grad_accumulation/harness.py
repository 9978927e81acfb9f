"""The reference is also run in float64, but its 16-bit sums need the dtype of the case, which is restored here."""

import torch


def drive(entry, args):
    """Return the three means, and the errors as a tensor."""
    dtype = {"bfloat16": torch.bfloat16, "float16": torch.float16}[args["dtype"]]
    low, main, kahan, errors = entry(args["grads"].to(dtype), args["scale"])
    return {"low": low, "main": main, "kahan": kahan, "errors": torch.tensor(list(map(float, errors))).double()}
