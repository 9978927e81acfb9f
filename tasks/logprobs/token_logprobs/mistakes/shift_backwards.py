import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0):
    scores = logits[:, 1:].float() / temperature
    logp = F.log_softmax(scores, dim=-1)
    return logp.gather(-1, tokens[:, :-1].unsqueeze(-1)).squeeze(-1)
