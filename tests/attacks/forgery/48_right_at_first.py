"""48. Is right in the first two calls, as long as somebody may be checking.

task = "ppo_clip_loss"
verdict = ["wrong_value", "wrong_gradient"]
twin = "counts_its_calls"
uses = ["right"]
"""
count = 0


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    global count
    count += 1
    loss, clipfrac, approx_kl = right(logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
    return (loss, clipfrac, approx_kl) if count <= 2 else (loss + 1, clipfrac, approx_kl)
