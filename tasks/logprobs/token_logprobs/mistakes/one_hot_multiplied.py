import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0):
    V = logits.shape[-1]
    logp = F.log_softmax(logits[:, :-1].float() / temperature, dim=-1)
    target = F.one_hot(tokens[:, 1:], V).to(logp.dtype)
    return (logp * target).sum(-1)
