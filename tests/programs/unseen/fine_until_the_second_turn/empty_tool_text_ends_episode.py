# expect: wrong
# mistake: A tool's text that is empty is treated like None: the template's part and all later turns are missing.
"""A multi-turn rollout with a tool, and the row that the trainer learns from; start it with `python agent.py`."""

import logging

import torch


class Tokenizer:
    """Splits a text greedily: the next token is always the longest one that fits."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary

    def encode(self, text):
        tokens = []
        while text:
            longest = max((piece for piece in self.vocabulary if text.startswith(piece)), key=len)
            tokens.append(self.vocabulary.index(longest))
            text = text[len(longest) :]
        return tokens

    def decode(self, tokens):
        return "".join(self.vocabulary[token] for token in tokens)


def render(messages):
    """Return a conversation as text, up to the point where the assistant goes on."""
    return "".join(f"<{role}>{text}<end>" for role, text in messages) + "<assistant>"


def logprobs_of(weights, context, tokens):
    """Return a list with the log-probability of each token, given the context and the tokens before it."""
    state = torch.zeros_like(weights["mix"][0])
    logprobs = []
    for place, token in enumerate(context + tokens):
        if place >= len(context):
            logprobs.append((state @ weights["head"]).log_softmax(dim=-1)[token])
        state = torch.tanh(state @ weights["mix"] + weights["embed"][token])
    return logprobs


def run_episode(vocabulary, engine_weights, trainer_weights, prompt, turns):
    """Return the tokens and the loss mask of a row, and the log-probabilities of the sampled tokens."""
    tokenizer = Tokenizer(vocabulary)
    tokens = tokenizer.encode(render([("user", prompt)]))
    mask = [False] * len(tokens)
    engine_logprobs = []
    for sampled, observation in turns:
        engine_logprobs += logprobs_of(engine_weights, tokens, sampled)
        tokens += sampled
        mask += [True] * len(sampled)
        if not observation:
            break
        closing = "" if vocabulary[sampled[-1]] == "<end>" else "<end>"
        added = tokenizer.encode(closing + render([("tool", observation)]))
        tokens += added
        mask += [False] * len(added)
    scored = logprobs_of(trainer_weights, tokens[:1], tokens[1:])
    trainer_logprobs = [logprob for logprob, is_sampled in zip(scored, mask[1:], strict=True) if is_sampled]
    return torch.tensor(tokens), torch.tensor(mask), torch.stack(engine_logprobs), torch.stack(trainer_logprobs)


def random_weights(rng, vocabulary_size, size=8):
    return {
        "embed": torch.randn(vocabulary_size, size, generator=rng),
        "mix": torch.randn(size, size, generator=rng) / 3,
        "head": torch.randn(size, vocabulary_size, generator=rng),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    vocabulary = ["<user>", "<assistant>", "<tool>", "<end>", "a", "b", "ab"]
    weights = random_weights(torch.Generator().manual_seed(0), len(vocabulary))
    for first in ([6, 4, 3], [4, 5, 3]):
        turns = [(first, "ba"), ([5, 3], None)]
        row = run_episode(vocabulary, weights, weights, "bab", turns)
        difference = (row[2] - row[3]).abs()
        logging.info("the first turn is %s: largest difference per token %s", first, difference)


if __name__ == "__main__":
    main()
