# expect: wrong
# mistake: The margin gamma is added to the difference of the rewards instead of subtracted from it.
import torch
import torch.nn.functional as F


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0) -> torch.Tensor:
    reward_w = beta * avg_logp_w
    reward_l = beta * avg_logp_l
    logits = reward_w - reward_l + gamma
    return -F.logsigmoid(logits).mean()
