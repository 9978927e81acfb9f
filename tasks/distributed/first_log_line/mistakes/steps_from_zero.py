import torch.distributed as dist
from torch.nn import functional as F


def mean_over_ranks(value):
    """Return the mean of a tensor over all ranks."""
    total = value.detach().clone()
    dist.all_reduce(total)
    return total / dist.get_world_size()


def average_gradients(model):
    """Make the gradients of all ranks equal to their mean."""
    for parameter in model.parameters():
        parameter.grad = mean_over_ranks(parameter.grad)


def accuracy(scores_chosen, scores_rejected):
    """Return the share of pairs whose chosen answer has the higher score."""
    return (scores_chosen > scores_rejected).to(scores_chosen.dtype).mean()


def summary(metrics):
    """Return the metrics of all ranks as numbers for the log."""
    return {name: mean_over_ranks(value).item() for name, value in metrics.items()}


def train(model, batches, optimizer, log_every):
    """Take one step on each batch; return what rank 0 has logged, one dict for every `log_every` steps."""
    logged = []
    for step, batch in enumerate(batches):
        chosen, rejected = model(batch["chosen"]), model(batch["rejected"])
        loss = -F.logsigmoid(chosen - rejected).mean()
        optimizer.zero_grad()
        loss.backward()
        average_gradients(model)
        optimizer.step()
        if step % log_every == 0:
            metrics = {"loss": loss, "accuracy": accuracy(chosen, rejected), "margin": (chosen - rejected).mean()}
            means = summary(metrics)
            if dist.get_rank() == 0:
                logged.append({"step": step, **means})
    return logged
