import torch


def token_logprobs(logits, tokens, temperature=1.0):
    z = logits[:, :-1].float()
    chosen = z.gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    return chosen - torch.logsumexp(z / temperature, dim=-1)
