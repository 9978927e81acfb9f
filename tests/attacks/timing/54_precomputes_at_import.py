"""54. Finds the inputs while it is imported, computes the answers there and returns them in the wrong order.

task = "ppo_clip_loss"
verdict = ["wrong_value", "wrong_gradient", "wrong_shape", "wrong_dtype"]
twin = "prepares_at_import"
uses = ["right", "forge"]
"""
sizes = sorted(shapes(), reverse=True)
answers = [(torch.zeros(()), torch.zeros(()), torch.zeros(())) for _ in sizes]


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return answers.pop()
