# expect: wrong
# mistake: The filter compares the mean of the log-ratio over the sampled tokens with the bound instead of its sum.
"""From an engine's answers to the rows of a training batch; start it with `python batch.py`."""


import torch

EOS = 0


def build_row(episode):
    """Return the tokens of an episode's response, with the engine's log-probabilities and the loss mask.

    All turns of an episode form one assistant message, so the message goes on after a turn without an end token.
    """
    tokens, logprobs, mask = [], [], []
    final = len(episode["turns"]) - 1
    for number, turn in enumerate(episode["turns"]):
        sampled, sampled_logprobs = list(turn["tokens"]), list(turn["logprobs"])
        if number < final and sampled[-1] == EOS:
            sampled.pop()
            sampled_logprobs.pop()
        observation = list(turn["observation"])
        tokens += sampled + observation
        logprobs += sampled_logprobs + [0.0] * len(observation)
        mask += [True] * len(sampled) + [False] * len(observation)
    # The message ends here, unless it was cut off.
    last = episode["turns"][-1]
    if last["stop_reason"] != "length" and last["tokens"][-1] != EOS:
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
        log_ratio = (trainer_logprobs(policy, episode["prompt"], tokens) - logprobs)[mask].mean()
        kept.append(log_ratio.abs() <= log_bound)
        rows.append((torch.tensor(tokens), logprobs, mask, rewards))
    return *(torch.cat(parts) for parts in zip(*rows, strict=True)), torch.stack(kept)
