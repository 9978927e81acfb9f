# expect: wrong
# mistake: The reference point is not detached, so kl receives a gradient.
import torch


def kto_loss(logratio, desirable, kl, beta, w_d=1.0, w_u=1.0) -> torch.Tensor:
    """Return the KTO loss, a 0-dim tensor to minimize."""
    reference_point = torch.relu(kl)
    distance = logratio - reference_point
    total = logratio.new_zeros(())
    if desirable.any():
        total = total + w_d * torch.sigmoid(-beta * distance[desirable]).sum()
    if (~desirable).any():
        total = total + w_u * torch.sigmoid(beta * distance[~desirable]).sum()
    return total / logratio.numel()
