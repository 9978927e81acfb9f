import torch


def token_logprobs(logits, tokens, temperature=1.0):
    logp = torch.log_softmax(logits.float() / temperature, dim=1)
    return logp[:, :-1].gather(2, tokens[:, 1:].unsqueeze(2)).squeeze(2)
