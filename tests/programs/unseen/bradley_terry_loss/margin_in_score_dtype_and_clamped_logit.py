# expect: wrong
# mistake: The margin is rounded to the dtype of the scores, and the logit is clamped to [-50, 50], so pairs that are further apart lose their loss and gradient.
import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    margin = torch.as_tensor(margin, dtype=r_chosen.dtype, device=r_chosen.device)
    diff = r_chosen.float() - r_rejected.float()
    # keep exp() in range for very large gaps
    logit = (diff - margin.float()).clamp(-50.0, 50.0)
    loss = F.softplus(-logit).mean()
    with torch.no_grad():
        acc = (r_chosen.float() > r_rejected.float()).float().mean()
    return loss, acc
