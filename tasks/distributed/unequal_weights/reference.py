"""Each rank draws different random numbers, so rank 0 broadcasts everything that must be equal on all ranks."""

import torch
import torch.distributed as dist

DECAY = 0.01


def setup(make_model, seed, lr):
    """Return this rank's model, with the state that rank 0 drew, and an SGD optimizer for its trainable parameters.

    Assumes: a default process group; make_model draws from torch's random generator.
    Source: arXiv:2006.15704, section 3.2.1 (all replicas start from the same state).
    """
    torch.manual_seed(seed + dist.get_rank())
    model = make_model()
    # In place, and for all buffers: state_dict() contains only the persistent ones.
    for tensor in (*model.parameters(), *model.buffers()):
        dist.broadcast(tensor.data, src=0)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {"params": [parameter for parameter in trained if parameter.dim() >= 2], "weight_decay": DECAY},
        {"params": [parameter for parameter in trained if parameter.dim() < 2], "weight_decay": 0.0},
    ]
    return model, torch.optim.SGD(groups, lr=lr)
