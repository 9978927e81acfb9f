# expect: wrong
# mistake: The log-probability is divided by the temperature instead of the logits, so it is not normalised.
import torch
import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    V = logits.shape[-1]
    nll = F.cross_entropy(
        logits[:, :-1].float().reshape(-1, V),
        tokens[:, 1:].reshape(-1),
        reduction="none",
    )
    logp = -nll.view(tokens.shape[0], -1)
    return logp / temperature
