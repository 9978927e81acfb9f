import torch


def token_logprobs(logits, tokens, temperature=1.0):
    scores = logits[:, :-1].float() / temperature
    return torch.log_softmax(scores, dim=-1).max(dim=-1).values
