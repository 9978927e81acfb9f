"""Flat columns for the whole batch, one gather of trainer log-probabilities and a segment sum per episode."""

import logging
import math

import torch

EOS = 0


def trainer_logprobs(policy, prompt, tokens):
    """Return the trainer's log-probability of each token, given the token before it."""
    text = torch.tensor([prompt[-1], *tokens], device=policy.device)
    return policy.log_softmax(dim=-1)[text[:-1], text[1:]]


def entries_of(episode):
    """Yield the tokens of a row as (token, the engine's log-probability or None if it is not sampled)."""
    *earlier, last = episode["turns"]
    for turn in earlier:
        for token, logprob in zip(turn["tokens"], turn["logprobs"], strict=True):
            if token != EOS:
                yield token, logprob
        for token in turn["observation"]:
            yield token, None
    yield from zip(last["tokens"], last["logprobs"], strict=True)
    if last["stop_reason"] == "stop" and last["tokens"][-1] != EOS:
        yield EOS, None


def build_batch(policy, episodes, log_bound):
    """Return the rows of all episodes, one after the other, and which of the episodes are kept."""
    tokens, before, logprobs, mask, rewards, owners = [], [], [], [], [], []
    for number, episode in enumerate(episodes):
        previous, last_sampled = episode["prompt"][-1], None
        for token, logprob in entries_of(episode):
            if logprob is not None:
                last_sampled = len(tokens)
            tokens.append(token)
            before.append(previous)
            logprobs.append(0.0 if logprob is None else logprob)
            mask.append(logprob is not None)
            rewards.append(0.0)
            owners.append(number)
            previous = token
        rewards[last_sampled] = episode["reward"]

    device = policy.device
    tokens, before, owners = (torch.tensor(x, dtype=torch.int64, device=device) for x in (tokens, before, owners))
    logprobs, rewards = (torch.tensor(x, dtype=policy.dtype, device=device) for x in (logprobs, rewards))
    mask = torch.tensor(mask, dtype=torch.bool, device=device)
    differences = policy.detach().log_softmax(dim=-1)[before, tokens] - logprobs
    log_ratios = torch.zeros(len(episodes), dtype=policy.dtype, device=device)
    log_ratios.index_add_(0, owners[mask], differences[mask])
    return tokens, logprobs, mask, rewards, log_ratios.abs() <= log_bound


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
