import torch


def token_logprobs(logits, tokens):
    """Return the log-probability of every token, [B, T]."""
    return logits.log_softmax(dim=-1).gather(-1, tokens[..., None]).squeeze(-1)


def engine_logprobs(logits, tokens, temperature):
    """Return what the rollout engine records for its sampled tokens, [B, T]."""
    return token_logprobs(logits / temperature, tokens)


def trainer_logprobs(logits, tokens, temperature):
    """Return the trainer's log-probabilities of the same tokens, [B, T]."""
    return token_logprobs(logits / temperature, tokens)


def mean_entropy(logits, mask, temperature):
    """Return the mean entropy of the distributions that the trainer's policy samples from."""
    logprobs = (logits / temperature).log_softmax(dim=-1)
    return -(logprobs.exp() * logprobs).sum(dim=-1)[mask].mean()


def policy_loss(logits, engine_logits, tokens, advantages, mask, temperature, cap):
    """Return the loss, the mean ratio and the mean entropy of one batch."""
    with torch.no_grad():
        recorded = engine_logprobs(engine_logits, tokens, temperature)
    logprobs = trainer_logprobs(logits, tokens, temperature)
    ratio = (logprobs - recorded).exp()
    weight = ratio.clamp(max=cap)
    loss = -(weight * advantages.detach() * logprobs)[mask].mean()
    return loss, ratio.detach()[mask].mean(), mean_entropy(logits.detach(), mask, temperature)
