# expect: wrong
# mistake: The token that has just been read is looked up instead of the one that comes next.
# mistake: The scores are multiplied by the temperature instead of divided.
import torch


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    scores = logits[:, :-1].float() * temperature
    shifted = scores - scores.max(dim=-1, keepdim=True).values.detach()
    log_total = shifted.exp().sum(dim=-1).log()
    chosen = shifted.gather(-1, tokens[:, :-1, None]).squeeze(-1)
    return chosen - log_total
