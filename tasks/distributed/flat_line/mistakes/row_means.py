import torch
from torch.func import functional_call


def token_logprobs(logits, tokens):
    """Return the log-probability of every token but the first, [B, T-1]."""
    return logits[:, :-1].log_softmax(dim=-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)


def snapshot(policy):
    """Return the policy's weights as they are now, away from the GPU's memory."""
    return {name: tensor.detach().to("cpu", copy=True) for name, tensor in policy.state_dict().items()}


def reference_logprobs(policy, weights, tokens):
    """Return the log-probabilities of the tokens under other weights of the policy, without a gradient."""
    on_device = {name: tensor.to(tokens.device) for name, tensor in weights.items()}
    with torch.no_grad():
        return token_logprobs(functional_call(policy, on_device, (tokens,)), tokens)


def kl_estimate(logprobs, ref_logprobs):
    """Return the per-token estimate of the divergence from the reference, never negative."""
    difference = ref_logprobs - logprobs
    return difference.exp() - 1 - difference


def policy_loss(policy, reference, batch, kl_weight):
    """Return the loss of one batch and its mean divergence from the reference."""
    logprobs = token_logprobs(policy(batch["tokens"]), batch["tokens"])
    kl = kl_estimate(logprobs, reference_logprobs(policy, reference, batch["tokens"]))
    mask = batch["mask"][:, 1:]
    per_token = kl_weight * kl - batch["advantages"][:, None] * logprobs
    per_row = torch.where(mask, per_token, 0.0).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    return per_row.mean(), kl[mask].mean()


def train(policy, batches, optimizer, kl_weight):
    """Take one step on each batch and return each step's loss and divergence."""
    reference = snapshot(policy)
    history = []
    for batch in batches:
        optimizer.zero_grad()
        loss, kl = policy_loss(policy, reference, batch, kl_weight)
        loss.backward()
        optimizer.step()
        history.append({"loss": loss.item(), "kl": kl.item()})
    return history
