# expect: wrong
# mistake: A turn counts as the last one if its observation is empty, so the end token of an earlier turn without an observation stays in the row.
"""From an engine's answers to the rows of a training batch; start it with `python batch.py`."""

import logging
import math

import torch

EOS = 0


def build_row(episode):
    """Return the tokens of an episode's response, with the engine's log-probabilities and the loss mask.

    All turns of an episode form one assistant message, so the message goes on after a turn without an end token.
    """
    tokens, logprobs, mask = [], [], []
    for turn in episode["turns"]:
        sampled, sampled_logprobs = list(turn["tokens"]), list(turn["logprobs"])
        if sampled[-1] == EOS and turn["observation"]:
            sampled.pop()
            sampled_logprobs.pop()
        observation = list(turn["observation"])
        tokens += sampled + observation
        logprobs += sampled_logprobs + [0.0] * len(observation)
        mask += [True] * len(sampled) + [False] * len(observation)
    # The message ends here, unless it was cut off.
    if episode["turns"][-1]["stop_reason"] != "length" and tokens[-1] != EOS:
        tokens.append(EOS)
        logprobs.append(0.0)
        mask.append(False)
    return tokens, logprobs, mask


def trainer_logprobs(policy, prompt, tokens):
    """Return the trainer's log-probability of each token, given the token before it."""
    before = torch.tensor([prompt[-1], *tokens[:-1]])
    return policy.log_softmax(dim=-1)[before, torch.tensor(tokens)]


def build_batch(policy, episodes, log_bound):
    """Return the rows of all episodes, one after the other, and which of the episodes are kept."""
    rows, kept = [], []
    for episode in episodes:
        tokens, logprobs, mask = build_row(episode)
        logprobs, mask = torch.tensor(logprobs, dtype=policy.dtype), torch.tensor(mask)
        rewards = torch.zeros_like(logprobs)
        rewards[mask.nonzero().max()] = episode["reward"]
        log_ratio = (trainer_logprobs(policy, episode["prompt"], tokens) - logprobs)[mask].sum()
        kept.append(log_ratio.abs() <= log_bound)
        rows.append((torch.tensor(tokens), logprobs, mask, rewards))
    return *(torch.cat(parts) for parts in zip(*rows, strict=True)), torch.stack(kept)


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
