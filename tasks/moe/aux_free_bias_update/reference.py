"""The bias decides which experts are chosen, but not how much weight they get."""

import torch


def aux_free_bias_update(scores, bias, k, u):
    """Return the gates and experts of one training step, and the biases for the next one.

    Shapes: scores [M, T, E]; bias, new_bias [E]; gates, experts [M, T, k].
    Source: arXiv:2408.15664, algorithm 1; arXiv:2412.19437, section 2.1.2.
    """
    scores = scores.to(torch.promote_types(scores.dtype, torch.float32))
    bias = bias.detach()
    experts = (scores + bias).topk(k).indices
    chosen = scores.gather(2, experts)
    gates = chosen / chosen.sum(dim=2, keepdim=True)
    load = torch.bincount(experts.flatten(), minlength=len(bias))
    # The comparison with the mean is multiplied by the number of experts, which keeps it in integers.
    return gates, experts, bias + u * (load.sum() - len(bias) * load).sign()
