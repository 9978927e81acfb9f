"""Rows as small objects that grow turn by turn, scored together in a padded batch."""

import logging
import math
from dataclasses import dataclass, field

import torch
from torch.nn.utils.rnn import pad_sequence

EOS = 0


@dataclass
class Row:
    """The response of an episode."""

    tokens: list = field(default_factory=list)
    logprobs: list = field(default_factory=list)
    mask: list = field(default_factory=list)

    def add_sampled(self, tokens, logprobs):
        self.tokens += tokens
        self.logprobs += logprobs
        self.mask += [True] * len(tokens)

    def add_given(self, tokens):
        self.tokens += tokens
        self.logprobs += [0.0] * len(tokens)
        self.mask += [False] * len(tokens)

    def drop_end(self):
        """Remove the end token if the row has one as its last, sampled token."""
        if self.mask[-1] and self.tokens[-1] == EOS:
            for column in (self.tokens, self.logprobs, self.mask):
                column.pop()

    def rewards(self, reward):
        """Return zeros, except for the reward on the last sampled token."""
        place = max(place for place, is_sampled in enumerate(self.mask) if is_sampled)
        return [reward if other == place else 0.0 for other in range(len(self.mask))]


def build_row(episode):
    """Return the row of an episode."""
    row = Row()
    count = len(episode["turns"])
    for number, turn in enumerate(episode["turns"]):
        row.add_sampled(turn["tokens"], turn["logprobs"])
        if number < count - 1:
            row.drop_end()
            row.add_given(turn["observation"])
    if turn["stop_reason"] == "stop" and row.tokens[-1] != EOS:
        row.add_given([EOS])
    return row


def trainer_logprobs(policy, prompt, tokens):
    """Return the trainer's log-probability of each token, given the token before it."""
    before = torch.tensor([prompt[-1], *tokens[:-1]], device=policy.device)
    return policy.log_softmax(dim=-1)[before, torch.tensor(tokens, device=policy.device)]


def padded(columns, dtype, device):
    """Return the columns as one tensor, padded on the right with zeros."""
    return pad_sequence([torch.tensor(column, dtype=dtype, device=device) for column in columns], batch_first=True)


def build_batch(policy, episodes, log_bound):
    """Return the rows of all episodes, one after the other, and which of the episodes are kept."""
    rows = [build_row(episode) for episode in episodes]
    device = policy.device
    tokens = padded([row.tokens for row in rows], torch.int64, device)
    logprobs = padded([row.logprobs for row in rows], policy.dtype, device)
    mask = padded([row.mask for row in rows], torch.bool, device)
    rewards = [row.rewards(episode["reward"]) for row, episode in zip(rows, episodes, strict=True)]
    rewards = padded(rewards, policy.dtype, device)

    prompt_ends = torch.tensor([[episode["prompt"][-1]] for episode in episodes], device=device)
    before = torch.cat((prompt_ends, tokens[:, :-1]), dim=1)
    logits = policy.detach()[before]
    scored = logits.gather(-1, tokens[..., None]).squeeze(-1) - logits.logsumexp(dim=-1)
    log_ratios = (scored - logprobs).masked_fill(~mask, 0).sum(dim=1)

    lengths = torch.tensor([len(row.tokens) for row in rows], device=device)
    is_real = torch.arange(tokens.shape[1], device=device) < lengths[:, None]
    return *(x[is_real] for x in (tokens, logprobs, mask, rewards)), log_ratios.abs() <= log_bound


def sample_episode(rng, policy, prompt=1, limit=20):
    """Sample an answer of one turn from the policy, as the engine does."""
    chances = policy.softmax(dim=-1)
    tokens = [prompt]
    while len(tokens) <= limit and (len(tokens) == 1 or tokens[-1] != EOS):
        tokens.append(int(torch.multinomial(chances[tokens[-1]], 1, generator=rng)))
    logprobs = trainer_logprobs(policy, [prompt], tokens[1:]).tolist()
    reason = "stop" if tokens[-1] == EOS else "length"
    turn = {"tokens": tokens[1:], "logprobs": logprobs, "observation": [], "stop_reason": reason}
    return {"prompt": [prompt], "turns": [turn], "reward": 1.0}


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    rng = torch.Generator().manual_seed(0)
    policy = torch.randn(8, 8, generator=rng)
    episodes = [sample_episode(rng, policy) for _ in range(200)]
    for title, reason in (("finished", "stop"), ("cut off", "length")):
        chosen = [episode for episode in episodes if episode["turns"][-1]["stop_reason"] == reason]
        kept = build_batch(policy, chosen, math.log(8))[-1]
        logging.info("answers that were %s: %d of %d rejected", title, (~kept).sum(), len(kept))


if __name__ == "__main__":
    main()
