"""One loop over segments, in which a stateful policy for each side reads every token of the row exactly once."""

import logging

import torch

ROLES = {"user": "<user>", "assistant": "<assistant>", "tool": "<tool>"}
END = "<end>"


class Tokenizer:
    """Splits a text greedily, trying the longest pieces first."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.ids = {piece: token for token, piece in enumerate(vocabulary) if piece}
        self.longest_first = sorted(self.ids, key=len, reverse=True)

    def encode(self, text):
        tokens, place = [], 0
        while place < len(text):
            piece = next(piece for piece in self.longest_first if text.startswith(piece, place))
            tokens.append(self.ids[piece])
            place += len(piece)
        return tokens


class Policy:
    """A recurrent policy that remembers what it has read."""

    def __init__(self, weights):
        self.weights = weights
        self.state = torch.zeros_like(weights["mix"][0])
        self.logprobs = []

    def read(self, tokens, is_sampled):
        """Move on by these tokens; if they are sampled, note their log-probabilities."""
        for token in tokens:
            if is_sampled:
                logits = self.state @ self.weights["head"]
                self.logprobs.append(logits[token] - logits.logsumexp(dim=-1))
            self.state = torch.tanh(self.state @ self.weights["mix"] + self.weights["embed"][token])


def render_message(role, text):
    """Return one message and the tag with which the assistant goes on."""
    return ROLES[role] + text + END + ROLES["assistant"]


def segments_of(vocabulary, prompt, turns):
    """Yield the parts of the row, each with whether the engine sampled it."""
    tokenizer = Tokenizer(vocabulary)
    end = tokenizer.ids[END]
    yield tokenizer.encode(render_message("user", prompt)), False
    for sampled, observation in turns:
        yield list(sampled), True
        if observation is not None:
            if sampled[-1] != end:
                yield [end], False
            yield tokenizer.encode(render_message("tool", observation)), False


def run_episode(vocabulary, engine_weights, trainer_weights, prompt, turns):
    """Return the tokens and the loss mask of a row, and the log-probabilities of the sampled tokens."""
    engine, trainer = Policy(engine_weights), Policy(trainer_weights)
    tokens, mask = [], []
    for segment, is_sampled in segments_of(vocabulary, prompt, turns):
        engine.read(segment, is_sampled)
        trainer.read(segment, is_sampled)
        tokens.extend(segment)
        mask.extend([is_sampled] * len(segment))
    device = trainer_weights["embed"].device
    return (
        torch.tensor(tokens, dtype=torch.int64, device=device),
        torch.tensor(mask, dtype=torch.bool, device=device),
        torch.stack(engine.logprobs),
        torch.stack(trainer.logprobs),
    )


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
