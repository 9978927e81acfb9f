# expect: wrong
# mistake: The logits at a token's own position are used instead of those at the position before it.
import torch


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    logp = torch.log_softmax(logits.float() / temperature, dim=-1)
    picked = logp.gather(dim=-1, index=tokens.unsqueeze(-1)).squeeze(-1)
    return picked[:, 1:]
