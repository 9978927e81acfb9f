"""Every part of the row is tokenized once: the engine's own ids stay, and only the environment's text is encoded."""

import re

import torch


def run_episode(vocabulary, engine_weights, trainer_weights, prompt, turns):
    """Return the tokens and the mask, [N] each, and both policies' log-probabilities of the sampled tokens, [S] each.

    Assumes: texts have no tags in them, and there is at least one turn; the last one has no observation.
    Source: https://github.com/huggingface/trl/pull/5242 (prompt ids, sampled ids and the ids of the tool's part).
    """
    ids = {piece: number for number, piece in enumerate(vocabulary)}
    longest_first = re.compile("|".join(re.escape(piece) for piece in sorted(vocabulary, key=len, reverse=True)))

    def encode(text):
        return [ids[piece] for piece in longest_first.findall(text)]

    parts = [(encode(f"<user>{prompt}<end><assistant>"), False)]
    for sampled, observation in turns:
        parts.append((sampled, True))
        if observation is not None:
            ending = "" if sampled[-1] == ids["<end>"] else "<end>"
            parts.append((encode(f"{ending}<tool>{observation}<end><assistant>"), False))
    tokens = torch.tensor([token for part, _ in parts for token in part])
    mask = torch.tensor([is_sampled for part, is_sampled in parts for _ in part])

    def score(weights):
        state, logprobs = torch.zeros_like(weights["mix"][0]), []
        for token in tokens:
            logprobs.append((state @ weights["head"]).log_softmax(dim=0)[token])
            state = torch.tanh(state @ weights["mix"] + weights["embed"][token])
        return torch.stack(logprobs)[mask]

    return tokens, mask, score(engine_weights), score(trainer_weights)
