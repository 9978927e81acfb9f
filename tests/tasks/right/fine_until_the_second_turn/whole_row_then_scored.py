"""The whole row is built first; then both policies score it with one vectorized pass and the mask selects."""

import logging
import re

import torch


class Tokenizer:
    """Splits a text greedily with a regular expression, whose alternatives are sorted from long to short."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.ids = {piece: token for token, piece in enumerate(vocabulary)}
        pieces = sorted(filter(None, vocabulary), key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, pieces)))

    def encode(self, text):
        return [self.ids[piece] for piece in self.pattern.findall(text)]

    def decode(self, tokens):
        return "".join(self.vocabulary[token] for token in tokens)


def render(messages):
    """Return a conversation as text, up to the point where the assistant goes on."""
    return "".join(f"<{role}>{text}<end>" for role, text in messages) + "<assistant>"


def build_row(vocabulary, prompt, turns):
    """Return the tokens of the row and the places of those that the engine sampled."""
    tokenizer = Tokenizer(vocabulary)
    row, sampled_places = tokenizer.encode(render([("user", prompt)])), []
    for sampled, observation in turns:
        sampled_places += range(len(row), len(row) + len(sampled))
        row += sampled
        if observation is None:
            continue
        bridge = render([("tool", observation)])
        if not tokenizer.decode(sampled).endswith("<end>"):
            bridge = "<end>" + bridge
        row += tokenizer.encode(bridge)
    return row, sampled_places


def logprobs_of(weights, tokens):
    """Return the log-probability of every token of the row but the first."""
    inputs = weights["embed"][tokens[:-1]]
    states = [torch.zeros_like(inputs[0])]
    for x in inputs:
        states.append(torch.tanh(states[-1] @ weights["mix"] + x))
    logits = torch.stack(states[1:]) @ weights["head"]
    return logits.log_softmax(dim=-1).gather(-1, tokens[1:, None]).squeeze(-1)


def run_episode(vocabulary, engine_weights, trainer_weights, prompt, turns):
    """Return the tokens and the loss mask of a row, and the log-probabilities of the sampled tokens."""
    row, sampled_places = build_row(vocabulary, prompt, turns)
    tokens = torch.tensor(row, device=trainer_weights["embed"].device)
    mask = torch.zeros_like(tokens, dtype=torch.bool)
    mask[sampled_places] = True
    engine_logprobs = logprobs_of(engine_weights, tokens)[mask[1:]]
    trainer_logprobs = logprobs_of(trainer_weights, tokens)[mask[1:]]
    return tokens, mask, engine_logprobs, trainer_logprobs


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
