"""The logits at position t score the token at t + 1; logsumexp subtracts the maximum before it exponentiates."""

import torch


def token_logprobs(logits, tokens, temperature=1.0):
    """Return the log-probability of each token given those before it, in nats.

    Shapes: logits [B, T, V]; tokens [B, T]; the result [B, T - 1].
    """
    precise = logits[:, :-1].to(torch.promote_types(logits.dtype, torch.float32))
    scores = precise / temperature
    # Gather first: log-probabilities of the whole vocabulary would need another tensor of shape [B, T, V].
    chosen = scores.gather(-1, tokens[:, 1:, None])[..., 0]
    return chosen - scores.logsumexp(dim=-1)
