"""Drives a replay buffer through a list of calls and records what each call returned and the probabilities after it."""

import torch


def drive(entry, args):
    """Return for each call its slots (-1 where there are none), its weights, and the probabilities of all slots."""
    buffer = entry(args["capacity"], args["alpha"], args["eps"])
    width = max((len(call[1]) for call in args["calls"] if call[0] == "sample"), default=1)
    slots, weights, probabilities = [], [], []
    for name, *rest in args["calls"]:
        # Copies, so that a buffer cannot change the later calls.
        result = getattr(buffer, name)(*(list(value) if isinstance(value, list) else value for value in rest))
        given, weighed = result if name == "sample" else ([result] if name == "add" else [], [])
        slots.append(padded([int(slot) for slot in given], width, -1))
        weights.append(padded([float(weight) for weight in weighed], width, 0.0))
        shares = [float(share) for share in buffer.probabilities()]
        probabilities.append(padded(shares, args["capacity"], -1.0))
    return {
        "slots": torch.tensor(slots),
        "weights": torch.tensor(weights, dtype=torch.float64),
        "probabilities": torch.tensor(probabilities, dtype=torch.float64),
    }


def padded(values, width, filler):
    """Return a list of exactly this length; values beyond it are reported by a last entry of -2."""
    return [*values, *[filler] * (width - len(values))] if len(values) <= width else [*values[: width - 1], -2]
