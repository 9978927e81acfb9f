import torch


def token_logprobs(logits, tokens, temperature=1.0):
    probs = torch.softmax(logits[:, :-1].float() / temperature, dim=-1)
    picked = torch.gather(probs, 2, tokens[:, 1:].unsqueeze(2)).squeeze(2)
    return torch.log(picked)
