"""A refusal is an exception and cannot be compared, so it becomes a truth value."""

import torch


def drive(entry, args):
    """Return gates and experts, or zeros and the note that the record was refused."""
    try:
        gates, experts = entry(**args)
    except ValueError:
        shape = (len(args["logits"]), args["k"])
        return {
            "gates": torch.zeros(shape, dtype=args["logits"].dtype, device=args["logits"].device),
            "experts": torch.zeros(shape, dtype=torch.long, device=args["logits"].device),
            "is_refused": True,
        }
    return {"gates": gates, "experts": experts, "is_refused": False}
