import torch
import torch.distributed as dist

DECAY = 0.01


def seed_everything(seed):
    """Seed this rank; different ranks must not sample the same answers."""
    torch.manual_seed(seed + dist.get_rank())


def setup(make_model, seed, lr):
    """Return this rank's model and an optimizer of its parameters, ready for data-parallel training."""
    seed_everything(seed)
    model = make_model()
    for tensor in (*model.parameters(), *model.buffers()):
        dist.broadcast(tensor.detach(), src=0)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.SGD(trained, lr=lr, weight_decay=DECAY)
    return model, optimizer
