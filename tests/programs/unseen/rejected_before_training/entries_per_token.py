# expect: right
import torch

EOS = 0


def entries(episode):
    """Yield (token, engine log-probability or None) for each token of the row; None if it was not sampled."""
    *earlier, last = episode["turns"]
    for turn in earlier:
        cut = len(turn["tokens"]) - (turn["tokens"][-1] == EOS)
        yield from zip(turn["tokens"][:cut], turn["logprobs"][:cut])
        for token in turn["observation"]:
            yield token, None
    yield from zip(last["tokens"], last["logprobs"])
    if last["stop_reason"] == "stop" and last["tokens"][-1] != EOS:
        yield EOS, None


def build_batch(policy, episodes, log_bound):
    log_policy = policy.log_softmax(dim=-1)
    tokens, logprobs, mask, rewards, kept = [], [], [], [], []
    for episode in episodes:
        previous = episode["prompt"][-1]
        log_ratio = log_policy.new_zeros(())
        final = 0
        for token, logprob in entries(episode):
            if logprob is not None:
                log_ratio = log_ratio + log_policy[previous, token] - logprob
                final = len(tokens)
            tokens.append(token)
            logprobs.append(0.0 if logprob is None else logprob)
            mask.append(logprob is not None)
            rewards.append(0.0)
            previous = token
        rewards[final] = episode["reward"]
        kept.append(bool(log_ratio.abs() <= log_bound))
    return (
        torch.tensor(tokens, dtype=torch.int64),
        torch.tensor(logprobs, dtype=policy.dtype),
        torch.tensor(mask, dtype=torch.bool),
        torch.tensor(rewards, dtype=policy.dtype),
        torch.tensor(kept, dtype=torch.bool),
    )
