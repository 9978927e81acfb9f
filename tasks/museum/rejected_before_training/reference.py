"""Only tokens that the engine sampled and that stay in the row are trained; an end that was not sampled is not."""

import torch

EOS = 0


def build_batch(policy, episodes, log_bound):
    """Return the rows of all episodes, [N] each, and which episodes are kept, [episodes].

    Assumes: every turn has a token, and the last turn has no observation.
    Source: https://github.com/NovaSky-AI/SkyRL/pull/2148 (a sampled end keeps its log-probability).
    """
    columns, kept = [], []
    for episode in episodes:
        *inner, last = episode["turns"]
        places = []
        for turn in inner:
            sampled = zip(turn["tokens"], turn["logprobs"], strict=True)
            places += [(token, logprob, True) for token, logprob in sampled if token != EOS]
            places += [(token, 0.0, False) for token in turn["observation"]]
        places += [(token, logprob, True) for token, logprob in zip(last["tokens"], last["logprobs"], strict=True)]
        if last["stop_reason"] == "stop" and last["tokens"][-1] != EOS:
            places.append((EOS, 0.0, False))
        context = [episode["prompt"][-1], *(token for token, _, _ in places)]
        log_ratio = sum(
            policy[before].log_softmax(dim=0)[token] - logprob
            for before, (token, logprob, is_sampled) in zip(context[:-1], places, strict=True)
            if is_sampled
        )
        rewarded = max(place for place, (_, _, is_sampled) in enumerate(places) if is_sampled)
        columns += [(*place, episode["reward"] * (number == rewarded)) for number, place in enumerate(places)]
        kept.append(bool(abs(log_ratio) <= log_bound))
    tokens, logprobs, mask, rewards = zip(*columns, strict=True)
    logprobs, rewards = (torch.tensor(column, dtype=policy.dtype) for column in (logprobs, rewards))
    return torch.tensor(tokens), logprobs, torch.tensor(mask), rewards, torch.tensor(kept)
