import torch


def token_logprobs(logits, tokens):
    return logits.log_softmax(dim=-1).gather(-1, tokens[..., None]).squeeze(-1)


def sampled_logprobs(logits, tokens, temperature):
    return token_logprobs(logits / temperature, tokens)


def mean_entropy(logits, mask, temperature):
    logprobs = (logits / temperature).log_softmax(dim=-1)
    return -(logprobs.exp() * logprobs).sum(dim=-1)[mask].mean()


def policy_loss(logits, engine_logits, tokens, advantages, mask, temperature, cap):
    with torch.no_grad():
        recorded = sampled_logprobs(engine_logits, tokens, temperature)
    logprobs = sampled_logprobs(logits, tokens, temperature)
    ratio = (logprobs.detach() - recorded).exp()
    loss = -(ratio.clamp(max=cap) * advantages.detach() * logprobs)[mask].mean()
    return loss, ratio[mask].mean(), mean_entropy(logits.detach(), mask, temperature)
