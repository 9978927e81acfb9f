import torch


def token_objective(ratio, advantages, clip, dual_clip):
    plain = ratio * advantages
    clipped = ratio.clamp(1 - clip, 1 + clip) * advantages
    objective = torch.minimum(plain, clipped)
    if dual_clip is not None:
        limited = torch.maximum(objective, dual_clip * advantages)
        objective = torch.where(advantages < 0, limited, objective)
    return objective


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    ratio = (logprobs - old_logprobs.detach())[mask].exp()
    return -token_objective(ratio, advantages.detach()[mask], clip, dual_clip).mean()
