"""Ranks draw apart from each other, so what must be equal on all of them is handed out by one."""

import torch
import torch.distributed as dist

DECAY = 0.01


def setup(make_model, seed, lr):
    """Return this rank's model, with the state that rank 0 drew, and an SGD optimizer of its trainable parameters.

    Assumes: a default process group; make_model draws from torch's random generator.
    Source: arXiv:2006.15704, section 3.2.1 (all replicas start from the same state).
    """
    torch.manual_seed(seed + dist.get_rank())
    model = make_model()
    # In place, and all buffers, of which state_dict() lists only the persistent ones.
    for tensor in (*model.parameters(), *model.buffers()):
        dist.broadcast(tensor.data, src=0)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {"params": [parameter for parameter in trained if parameter.dim() >= 2], "weight_decay": DECAY},
        {"params": [parameter for parameter in trained if parameter.dim() < 2], "weight_decay": 0.0},
    ]
    return model, torch.optim.SGD(groups, lr=lr)
