# expect: wrong
# mistake: Besides the right sign of the penalty, the estimate uses the ratio of the policy's probability to the reference's instead of the reverse.
"""The actor's loss with an entropy bonus and a penalty on the divergence; start it with `python actor.py`."""

import logging

import torch


def of_tokens(logprobs, tokens):
    """Return the entry of every token, [B, T]."""
    return logprobs.gather(-1, tokens[..., None]).squeeze(-1)


def kl_estimate(logprobs, ref_logprobs):
    """Return an estimate of the divergence from the reference for each token, never negative."""
    difference = logprobs - ref_logprobs
    return difference.exp() - 1 - difference


def actor_loss(logits, ref_logits, tokens, advantages, mask, kl_weight, entropy_weight):
    """Return the loss of one batch, its mean divergence from the reference and its mean entropy."""
    logprobs = logits.log_softmax(dim=-1)
    with torch.no_grad():
        ref_logprobs = of_tokens(ref_logits.log_softmax(dim=-1), tokens)
    chosen = of_tokens(logprobs, tokens)
    policy = -(advantages.detach() * chosen)[mask].mean()
    entropy = -(logprobs.exp() * logprobs).sum(dim=-1)[mask].mean()
    kl = kl_estimate(chosen, ref_logprobs)[mask].mean()
    loss = policy - entropy_weight * entropy + kl_weight * kl
    return loss, kl.detach(), entropy.detach()


def sample_batch(logits, right, rows=64, steps=8):
    """Return answers sampled from one distribution per position; a token equal to `right` is worth 1."""
    chances = logits.detach().softmax(dim=-1).expand(rows, -1, -1)
    tokens = torch.multinomial(chances.flatten(0, 1), 1).reshape(rows, steps)
    rewards = (tokens == right).float()
    return {
        "tokens": tokens,
        "advantages": rewards - rewards.mean(dim=0),
        "mask": torch.ones(rows, steps, dtype=torch.bool),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for kl_weight in (0.0, 0.5, 2.0):
        torch.manual_seed(0)
        reference = torch.randn(8, 16)
        policy = reference.clone().requires_grad_()
        optimizer = torch.optim.SGD([policy], lr=4.0)
        for step in range(61):
            batch = sample_batch(policy, right=3)
            shown = {"logits": policy.expand(64, -1, -1), "ref_logits": reference.expand(64, -1, -1), **batch}
            loss, kl, entropy = actor_loss(**shown, kl_weight=kl_weight, entropy_weight=0.001)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % 20 == 0:
                reward = (batch["tokens"] == 3).float().mean()
                told = (kl_weight, step, reward, kl, entropy)
                logging.info("kl_weight %.1f, step %d: reward %.2f, kl %.2f, entropy %.2f", *told)


if __name__ == "__main__":
    main()
