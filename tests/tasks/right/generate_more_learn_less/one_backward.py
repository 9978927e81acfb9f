import torch
from torch.nn.functional import cross_entropy


def update(policy, microbatches, per_step, learning_rate):
    """Gather the tokens of a step from all its microbatches, and take one mean."""
    table = policy.detach().clone()
    losses = []
    while microbatches:
        chunk, microbatches = microbatches[:per_step], microbatches[per_step:]
        before, after, weight = [], [], []
        for answers in chunk:
            keep = answers["mask"][:, 1:]
            before.append(answers["tokens"][:, :-1][keep])
            after.append(answers["tokens"][:, 1:][keep])
            weight.append(answers["advantages"][:, None].expand(keep.shape)[keep])
        leaf = table.clone().requires_grad_()
        nll = cross_entropy(leaf[torch.cat(before)], torch.cat(after), reduction="none")
        loss = (torch.cat(weight).detach() * nll).mean()
        (grad,) = torch.autograd.grad(loss, leaf)
        table = table - learning_rate * grad
        losses.append(loss.item())
    return table, losses
