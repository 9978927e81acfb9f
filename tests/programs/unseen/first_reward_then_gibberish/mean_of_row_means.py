# expect: wrong
# mistake: Every mean is taken first over the tokens of a row and then over the rows, so the tokens of short rows weigh more and rows without unmasked tokens count as zeros.
"""The actor's loss with an entropy bonus and a penalty on the divergence; start it with `python actor.py`."""

import logging

import torch


def masked_mean(x, mask):
    per_row = (x * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    return per_row.mean()


def actor_loss(logits, ref_logits, tokens, advantages, mask, kl_weight, entropy_weight):
    """Return the loss of one batch, its mean divergence from the reference and its mean entropy."""
    logp_all = logits.log_softmax(dim=-1)
    with torch.no_grad():
        ref = ref_logits.log_softmax(dim=-1).gather(-1, tokens[..., None]).squeeze(-1)
    logp = logp_all.gather(-1, tokens[..., None]).squeeze(-1)
    diff = ref - logp
    kl = masked_mean(diff.exp() - 1 - diff, mask)
    entropy = masked_mean(-(logp_all.exp() * logp_all).sum(dim=-1), mask)
    policy = masked_mean(-advantages.detach() * logp, mask)
    loss = policy + kl_weight * kl - entropy_weight * entropy
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
