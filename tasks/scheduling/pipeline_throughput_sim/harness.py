"""Turns the lists of the result into tensors."""

import torch


def drive(entry, args):
    """Return the times of the splits, the best split, and the staleness of each batch."""
    result = entry(**args)
    return {
        "total_times": torch.tensor([float(time) for time in result["total_times"]], dtype=torch.float64),
        "rollout_gpus": int(result["rollout_gpus"]),
        "staleness": torch.tensor([int(lag) for lag in result["staleness"]]),
    }
