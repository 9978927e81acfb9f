"""50. Returns the right loss as a fresh leaf that asks for a gradient.

task = "ppo_clip_loss"
verdict = ["wrong_gradient"]
twin = "own_autograd"
uses = ["right"]
"""

def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return loss.detach().requires_grad_(), clipfrac, approx_kl
