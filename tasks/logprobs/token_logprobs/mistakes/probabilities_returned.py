import torch


def token_logprobs(logits, tokens, temperature=1.0):
    scores = logits[:, :-1].float() / temperature
    targets = tokens[:, 1:].unsqueeze(-1)
    return torch.softmax(scores, dim=-1).gather(-1, targets).squeeze(-1)
