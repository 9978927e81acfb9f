# expect: wrong
# mistake: The mask is false on the <end> tokens that the engine sampled, as if the template had added them.
import torch

END = "<end>"


def encode(vocabulary, text):
    index = {piece: i for i, piece in enumerate(vocabulary)}
    longest = max(len(piece) for piece in vocabulary)
    ids, start = [], 0
    while start < len(text):
        for size in range(longest, 0, -1):
            piece = text[start : start + size]
            if len(piece) == size and piece in index:
                ids.append(index[piece])
                start += size
                break
    return ids


def score(weights, row):
    """Log-probability of every token of the row but the first one."""
    state = torch.zeros_like(weights["mix"][0])
    out = []
    for place, token in enumerate(row):
        if place > 0:
            out.append((state @ weights["head"]).log_softmax(dim=-1)[token])
        state = torch.tanh(state @ weights["mix"] + weights["embed"][token])
    return out


def run_episode(vocabulary, engine_weights, trainer_weights, prompt, turns):
    end = vocabulary.index(END)
    row = encode(vocabulary, f"<user>{prompt}<end><assistant>")
    mask = [False] * len(row)
    places = []
    engine = []
    for sampled, observation in turns:
        start = len(row)
        row = row + list(sampled)
        mask += [token != end for token in sampled]
        places += range(start, len(row))
        engine += score(engine_weights, row)[start - 1 :]
        if observation is None:
            continue
        part = f"<tool>{observation}<end><assistant>"
        if sampled[-1] != end:
            part = END + part
        ids = encode(vocabulary, part)
        row = row + ids
        mask += [False] * len(ids)
    trainer = score(trainer_weights, row)
    trainer = torch.stack([trainer[place - 1] for place in places])
    return torch.tensor(row), torch.tensor(mask), torch.stack(engine), trainer
