"""Only the difference of the scores matters, and no probability is ever computed from it."""

import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    """Return the mean negative log-likelihood of the comparisons in nats, and the share of correctly ordered pairs.

    Shapes: r_chosen, r_rejected [B]; margin a number or [B]; both results 0-dim.
    Source: arXiv:2203.02155, section 3.5; margin: arXiv:2307.09288, eq. 2.
    """
    precise = torch.promote_types(r_chosen.dtype, torch.float32)
    lead = r_chosen.to(precise) - r_rejected.to(precise)
    # softplus instead of the log of a sigmoid, because the sigmoid of -200 is 0 in float32.
    loss = F.softplus(margin - lead).mean()
    return loss, (lead > 0).to(precise).mean()
