# expect: wrong
# mistake: The sign is wrong: the negative log-probability is returned.
import torch
import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    scores = (logits[:, :-1].float() / temperature).transpose(1, 2)
    return F.cross_entropy(scores, tokens[:, 1:], reduction="none")
