# expect: wrong
# mistake: The log-probabilities are the logarithm of the softmax, which underflows to 0 for very unlikely tokens, so loss, ratio and entropy become NaN or infinite.
import torch


def policy(logits, temperature):
    return torch.softmax(logits / temperature, dim=-1)


def chosen(probs, tokens):
    return probs.gather(-1, tokens[..., None])[..., 0]


def policy_loss(logits, engine_logits, tokens, advantages, mask, temperature, cap):
    probs = policy(logits, temperature)
    p = chosen(probs, tokens)
    with torch.no_grad():
        q = chosen(policy(engine_logits, temperature), tokens)
        ratio = p / q
        weight = ratio.clamp(max=cap)
        entropy = -(probs * probs.log()).sum(dim=-1)
    terms = -weight * advantages.detach() * p.log()
    return terms[mask].mean(), ratio[mask].mean(), entropy[mask].mean()
