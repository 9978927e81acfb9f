# expect: wrong
# mistake: The end token of the last turn is always removed and appended as a token that the engine did not sample, also if the engine did sample it.
"""From an engine's answers to the rows of a training batch; start it with `python batch.py`."""


import torch

EOS = 0


def build_row(episode):
    """Return the tokens of an episode's response, with the engine's log-probabilities and the loss mask.

    All turns of an episode form one assistant message, so the message goes on after a turn without an end token.
    """
    tokens, logprobs, mask = [], [], []
    for turn in episode["turns"]:
        sampled, sampled_logprobs = list(turn["tokens"]), list(turn["logprobs"])
        if sampled[-1] == EOS:
            sampled.pop()
            sampled_logprobs.pop()
        observation = list(turn["observation"])
        tokens += sampled + observation
        logprobs += sampled_logprobs + [0.0] * len(observation)
        mask += [True] * len(sampled) + [False] * len(observation)
    # The message ends here, unless it was cut off.
    if episode["turns"][-1]["stop_reason"] != "length":
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
        if mask.any():
            rewards[mask.nonzero().max()] = episode["reward"]
        log_ratio = (trainer_logprobs(policy, episode["prompt"], tokens) - logprobs)[mask].sum()
        kept.append(log_ratio.abs() <= log_bound)
        rows.append((torch.tensor(tokens), logprobs, mask, rewards))
    return *(torch.cat(parts) for parts in zip(*rows, strict=True)), torch.stack(kept)
