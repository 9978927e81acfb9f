"""Every sample is scored alone and without padding, so its positions are 0, 1, 2 and so on."""

import torch


def ratios(old_weights, weights, samples, chunk_size, batch_size):
    """Return the old and the new log-probabilities and their ratios, 1-dim each.

    Assumes: every prompt and every answer has at least one token. `chunk_size` and `batch_size` change no result.
    Source: https://github.com/CarperAI/trlx/issues/508 (ratios of 1 at a learning rate of 0, for any chunk size).
    """

    def score(policy):
        logprobs = []
        for prompt, answer in samples:
            tokens = torch.tensor(prompt + answer)
            hidden = policy["embed"][tokens] + policy["position"][: len(tokens)]
            scores = (hidden @ policy["query"]) @ (hidden @ policy["key"]).T
            future = torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1)
            attended = scores.masked_fill(future, float("-inf")).softmax(dim=1) @ hidden
            before = ((hidden + attended) @ policy["head"]).log_softmax(dim=1)[:-1]
            logprobs.append(before.gather(1, tokens[1:, None])[len(prompt) - 1 :, 0])
        return torch.cat(logprobs)

    old_logprobs, logprobs = score(old_weights), score(weights)
    return old_logprobs, logprobs, (logprobs - old_logprobs).exp()
