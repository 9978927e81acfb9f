"""50. Returns the right loss without the way back to the weights.

task = "ppo_clip_loss"
verdict = ["wrong_gradient"]
twin = "own_autograd"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return tuple(value.detach() for value in right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction))
