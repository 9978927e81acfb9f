# expect: right
import torch


def rollout_stats(logits, ref_logits, tokens, mask, scores, kl_weight):
    """Return the reward of every token, the mean divergence of an answer, and the entropy estimate for the log."""
    batch, width = tokens.shape
    rewards = logits.new_zeros(batch, width)
    sums, surprises = [], []
    for i in range(batch):
        n = int(mask[i].sum())
        ids = tokens[i, :n, None]
        new = logits[i, :n].log_softmax(-1).gather(-1, ids)[:, 0]
        ref = ref_logits[i, :n].log_softmax(-1).gather(-1, ids)[:, 0]
        log_ratio = new - ref
        rewards[i, :n] = -kl_weight * log_ratio
        rewards[i, n - 1] = rewards[i, n - 1] + scores[i]
        sums.append(log_ratio.sum())
        surprises.append(-new)
    return rewards, torch.stack(sums).mean(), torch.cat(surprises).mean()
