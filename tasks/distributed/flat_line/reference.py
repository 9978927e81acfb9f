"""The reference has its own copy of the weights and shares no memory with tensors that the optimizer updates."""

import copy


def token_logprobs(model, tokens):
    """Return the log-probability of every token but the first, [B, T-1]."""
    logits = model(tokens[:, :-1])
    return logits.log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


def train(policy, batches, optimizer, kl_weight):
    """Take one step on each batch and return each step's loss and divergence, as Python floats.

    Shapes: each batch has tokens and mask [B, T] and advantages [B].
    Assumes: the reference is the policy before the first step; each batch has an unmasked token.
    Source: arXiv:2402.03300, eq. 4 (the estimate of the divergence).
    """
    # Not state_dict(), detach() or cpu(): on the CPU, all of them share the policy's memory.
    reference = copy.deepcopy(policy).requires_grad_(False)
    history = []
    for batch in batches:
        optimizer.zero_grad()
        mask = batch["mask"][:, 1:]
        logprobs = token_logprobs(policy, batch["tokens"])
        difference = token_logprobs(reference, batch["tokens"]) - logprobs
        kl = difference.exp() - 1 - difference
        loss = (kl_weight * kl - batch["advantages"][:, None] * logprobs)[mask].mean()
        loss.backward()
        optimizer.step()
        history.append({"loss": loss.item(), "kl": kl[mask].mean().item()})
    return history
