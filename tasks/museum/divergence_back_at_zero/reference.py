"""The start model is the reference of every step, and all sessions are one run; the gradient is written out."""

import torch


def run(settings, sessions):
    """Return the logits after all sessions, [S, A], and the divergence at every step, [steps].

    Assumes: every session has at least one batch.
    Source: https://github.com/NVIDIA-NeMo/RL/pull/3722 (the reference comes from the weights before the resume).
    """
    start = settings["logits"].log_softmax(dim=1)
    logits, velocity, divergences = settings["logits"], 0, []
    batches = [batch for session in sessions for batch in session]
    for step, batch in enumerate(batches, start=1):
        logprobs = logits.log_softmax(dim=1)
        gradient, total = torch.zeros_like(logits), 0
        count = len(batch["answers"])
        for row in range(count):
            prompt, answer = batch["prompts"][row], batch["answers"][row]
            log_ratio = start[prompt, answer] - logprobs[prompt, answer]
            total = total + log_ratio.exp() - 1 - log_ratio
            # The derivative of the loss with respect to the log-probability, times that of the log-probability.
            slope = settings["kl_weight"] * (1 - log_ratio.exp()) - batch["advantages"][row]
            gradient[prompt] -= slope * logprobs[prompt].exp() / count
            gradient[prompt, answer] += slope / count
        divergences.append(total / count)
        velocity = settings["momentum"] * velocity + gradient
        logits = logits - settings["learning_rate"] * min(1, step / settings["warmup"]) * velocity
    return logits, torch.stack(divergences)
