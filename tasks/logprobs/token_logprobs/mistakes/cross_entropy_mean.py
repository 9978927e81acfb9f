import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0):
    scores = logits[:, :-1].float() / temperature
    return F.cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())
