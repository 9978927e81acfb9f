# expect: wrong
# mistake: The result is the logarithm of the softmax probability plus 1e-10, so tokens of tiny probability get about -23 instead of their true log-probability.
import torch


def token_logprobs(logits, tokens, temperature=1.0):
    probs = torch.softmax(logits[:, :-1].float() / temperature, dim=-1)
    idx = tokens[:, 1:, None]
    p_tok = torch.take_along_dim(probs, idx, dim=-1)[..., 0]
    return torch.log(p_tok + 1e-10)
