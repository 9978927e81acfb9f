"""Statuses become codes, and the positions of a delta may come in any order, so they become one entry per byte."""

import torch

STATUSES = ("applied", "duplicate", "wrong_base", "corrupt")
KINDS = ("full", "xor", "overwrite")
UNKNOWN, NOT_LISTED = -1, -1


def code(word, words):
    return words.index(word) if word in words else UNKNOWN


def drive(entry, args):
    """Return the weights as numbers and as bits, the statuses as codes, and the delta with one entry per byte."""
    # The reference is also run in float64, which is undone here, because bytes only exist in the dtype of the case.
    dtype = {"bfloat16": torch.bfloat16, "float32": torch.float32}[args["dtype"]]
    held = args["weights"].to(dtype)
    weights, version, statuses, delta = entry(held, args["version"], args["updates"], args["kind"])
    form = {torch.bfloat16: torch.int16, torch.float32: torch.int32}.get(weights.dtype)
    bits = weights.contiguous().view(form).long() if form else torch.zeros_like(weights, dtype=torch.long)
    size = held.nbytes
    times, data = torch.zeros(size, dtype=torch.long), torch.full((size,), NOT_LISTED)
    index, given = torch.as_tensor(delta["index"]).long(), torch.as_tensor(delta["data"]).long()
    if index.numel() and not (int(index.min()) >= 0 and int(index.max()) < size):
        # A position that does not exist is reported with the first byte.
        times[0] = UNKNOWN
    elif len(index) != len(given):
        data[0] = UNKNOWN - 1
    else:
        times.index_add_(0, index, torch.ones_like(index))
        data[index] = given
    return {
        "weights": weights,
        "bits": bits,
        "version": int(version),
        "statuses": torch.tensor([code(status, STATUSES) for status in statuses]),
        "delta_kind": code(delta["kind"], KINDS),
        "delta_base": int(delta["base"]),
        "delta_version": int(delta["version"]),
        "delta_checksum": int(delta["checksum"]),
        "delta_listed": times,
        "delta_data": data,
    }
