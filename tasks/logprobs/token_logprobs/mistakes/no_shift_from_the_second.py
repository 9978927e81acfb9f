import torch


def token_logprobs(logits, tokens, temperature=1.0):
    logp = torch.log_softmax(logits[:, 1:].float() / temperature, dim=-1)
    return logp.gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
