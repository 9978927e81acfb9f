import torch


def token_logprobs(logits, tokens, temperature=1.0):
    B, T, V = logits.shape
    logp = torch.log_softmax(logits.view(B * T, V).float() / temperature, dim=-1)
    targets = tokens.roll(-1, dims=1).reshape(B * T)
    return logp[torch.arange(B * T, device=logp.device), targets].view(B, T)[:, :-1]
