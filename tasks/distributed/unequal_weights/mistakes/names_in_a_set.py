import torch
import torch.distributed as dist

DECAY = 0.01


def seed_everything(seed):
    """Seed this rank; different ranks must not sample the same answers."""
    torch.manual_seed(seed + dist.get_rank())


def weight_decay_groups(model):
    """Return parameter groups for the optimizer: matrices decay, vectors do not."""
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return [
        {"params": [parameter for parameter in parameters if parameter.dim() >= 2], "weight_decay": DECAY},
        {"params": [parameter for parameter in parameters if parameter.dim() < 2], "weight_decay": 0.0},
    ]


def setup(make_model, seed, lr):
    """Return this rank's model and an optimizer of its parameters, ready for data-parallel training."""
    seed_everything(seed)
    model = make_model()
    tensors = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    for name in set(tensors):
        dist.broadcast(tensors[name].data, src=0)
    optimizer = torch.optim.SGD(weight_decay_groups(model), lr=lr)
    return model, optimizer
