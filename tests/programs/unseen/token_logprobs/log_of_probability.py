# expect: wrong
# mistake: The logarithm is taken of the softmax, so a token whose probability underflows gets the log of the smallest float and no gradient.
import torch


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    probs = torch.softmax(logits[:, :-1].float() / temperature, dim=-1)
    p = torch.gather(probs, 2, tokens[:, 1:, None])[..., 0]
    return torch.log(p.clamp_min(torch.finfo(torch.float32).tiny))
