"""The scores at place t judge the token at place t + 1; nothing is exponentiated before its maximum is gone."""

import torch


def token_logprobs(logits, tokens, temperature=1.0):
    """Return the log-probability of each token given those before it, in nats.

    Shapes: logits [B, T, V]; tokens [B, T]; the result [B, T - 1].
    """
    precise = logits[:, :-1].to(torch.promote_types(logits.dtype, torch.float32))
    scores = precise / temperature
    # Gather first: a table of all log-probabilities would be one more tensor of [B, T, V].
    chosen = scores.gather(-1, tokens[:, 1:, None])[..., 0]
    return chosen - scores.logsumexp(dim=-1)
