import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0):
    logp = F.log_softmax(logits[:, :-1] / temperature, dim=-1)
    return logp.gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1).float()
