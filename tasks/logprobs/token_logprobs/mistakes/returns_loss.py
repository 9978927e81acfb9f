import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0):
    scores = logits[:, :-1].float() / temperature
    return F.cross_entropy(scores.transpose(1, 2), tokens[:, 1:], reduction="none")
