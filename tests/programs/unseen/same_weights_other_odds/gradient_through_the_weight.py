# expect: wrong
# mistake: The ratio is not detached, so the gradient of the loss also flows through the weights that are below the cap.
import torch


def logp(logits, tokens, temperature):
    scaled = logits / temperature
    picked = torch.gather(scaled, -1, tokens.unsqueeze(-1)).squeeze(-1)
    return picked - torch.logsumexp(scaled, dim=-1)


def policy_loss(logits, engine_logits, tokens, advantages, mask, temperature, cap):
    """Return the loss, the mean ratio and the mean entropy of one batch."""
    recorded = logp(engine_logits.detach(), tokens, temperature)
    logprobs = logp(logits, tokens, temperature)[mask]
    ratio = torch.exp(logprobs - recorded[mask])
    weight = torch.clamp(ratio, max=cap)
    loss = -(weight * advantages.detach()[mask] * logprobs).mean()
    with torch.no_grad():
        log_policy = torch.log_softmax(logits / temperature, dim=-1)
        entropy = torch.sum(-log_policy.exp() * log_policy, dim=-1)[mask].mean()
    return loss, ratio.detach().mean(), entropy
