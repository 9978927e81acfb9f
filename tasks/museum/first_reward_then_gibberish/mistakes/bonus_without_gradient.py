import torch


def of_tokens(logprobs, tokens):
    """Return the entry of every token, [B, T]."""
    return logprobs.gather(-1, tokens[..., None]).squeeze(-1)


def kl_estimate(logprobs, ref_logprobs):
    """Return an estimate of the divergence from the reference for each token, never negative."""
    difference = ref_logprobs - logprobs
    return difference.exp() - 1 - difference


def actor_loss(logits, ref_logits, tokens, advantages, mask, kl_weight, entropy_weight):
    """Return the loss of one batch, its mean divergence from the reference and its mean entropy."""
    logprobs = logits.log_softmax(dim=-1)
    with torch.no_grad():
        ref_logprobs = of_tokens(ref_logits.log_softmax(dim=-1), tokens)
    chosen = of_tokens(logprobs, tokens)
    policy = -(advantages.detach() * chosen)[mask].mean()
    with torch.no_grad():
        entropy = -(logprobs.exp() * logprobs).sum(dim=-1)[mask].mean()
    kl = kl_estimate(chosen, ref_logprobs)[mask].mean()
    loss = policy - entropy_weight * entropy + kl_weight * kl
    return loss, kl.detach(), entropy.detach()
