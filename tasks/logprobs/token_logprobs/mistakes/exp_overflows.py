import torch


def token_logprobs(logits, tokens, temperature=1.0):
    z = logits[:, :-1].float() / temperature
    chosen = z.gather(-1, tokens[:, 1:, None])[..., 0]
    return chosen - torch.log(torch.exp(z).sum(-1))
