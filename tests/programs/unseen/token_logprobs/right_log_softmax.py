# expect: right
import torch


def token_logprobs(logits, tokens, temperature=1.0):
    scores = logits[:, :-1].float() / temperature
    logp = torch.log_softmax(scores, dim=-1)
    return logp.gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
