"""Drives a rollout through calls and turns its books into tensors; lists of another length would not line up."""

import torch


def drive(entry, args):
    """Return what each resume said, padded with -1, and the books at the end."""
    rollout = entry(args["prompt"], args["max_new_tokens"], args["eos_id"], args["policy"], args["max_span"])
    sent, remaining = [], []
    for name, *rest in args["calls"]:
        result = getattr(rollout, name)(*rest)
        if name == "resume":
            tokens, left = result
            sent.append((list(tokens) + [-1] * 100)[:100])
            remaining.append(left)
    books = rollout.finalize(args["version"])
    return {
        "sent": torch.tensor(sent, dtype=torch.long),
        "remaining": torch.tensor(remaining, dtype=torch.long),
        "tokens": torch.tensor(books["tokens"], dtype=torch.long),
        "logps": torch.tensor(books["logps"], dtype=torch.get_default_dtype()),
        "versions": torch.tensor(books["versions"], dtype=torch.long),
        "loss_mask": torch.tensor(books["loss_mask"], dtype=torch.bool),
        "spans": torch.tensor(books["spans"], dtype=torch.long).reshape(-1, 3),
        "staleness": {name: float(books["staleness"][name]) for name in ("head", "tail", "mean")},
    }
