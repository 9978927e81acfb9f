# expect: wrong
# mistake: The last token of a truncated row is replaced by pad_id as an end, in the labels and in the loss.
"""The batches and the loss of supervised fine-tuning on conversations; start it with `python tune.py`."""

import logging

import torch
from torch.nn.functional import cross_entropy

IGNORED = -100


def collate(rows, pad_id, max_length):
    """Return token ids, attention and labels of rows of different lengths, [B, T] each."""
    kept = []
    for row in rows:
        x = row["tokens"][:max_length].clone()
        if len(row["tokens"]) > max_length:
            x[-1] = pad_id
        kept.append(x)
    width = max(len(tokens) for tokens in kept)
    tokens = torch.stack([torch.cat([x, x.new_full((width - len(x),), pad_id)]) for x in kept])
    labels = tokens.clone()
    for label, row in zip(labels, rows, strict=True):
        from_assistant = row["from_assistant"][:width]
        label[: len(from_assistant)][~from_assistant] = IGNORED
    lengths = torch.tensor([len(x) for x in kept])
    attention = torch.arange(width)[None] < lengths[:, None]
    labels[~attention] = IGNORED
    return tokens, attention, labels


def tuning_loss(model, rows, pad_id, max_length):
    """Return the loss of a batch, and the attention and the labels that it was computed with.

    Row i of the model's table has the logits of the token after token i.
    """
    tokens, attention, labels = collate(rows, pad_id, max_length)
    logits = model[tokens[:, :-1]]
    loss = cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten(), ignore_index=IGNORED)
    return loss, attention, labels


def conversations(count, vocabulary, eos_id):
    """Return synthetic conversations with two turns each, as a tokenizer and a chat template would."""
    rng = torch.Generator().manual_seed(0)
    rows = []
    for _ in range(count):
        tokens, from_assistant = [], []
        for is_assistant in (False, True, False, True):
            length = int(torch.randint(1, 4, (), generator=rng))
            turn = torch.randint(0, vocabulary - 1, (length,), generator=rng).tolist()
            tokens += [*turn, eos_id]
            from_assistant += [is_assistant] * (length + 1)
        rows.append({"tokens": torch.tensor(tokens), "from_assistant": torch.tensor(from_assistant)})
    return rows


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    vocabulary = 8
    eos_id = vocabulary - 1
    rows = conversations(64, vocabulary, eos_id)
    # The tokenizer has no padding token, so padding uses the end-of-sequence token, as in many recipes.
    model = torch.zeros(vocabulary, vocabulary, requires_grad=True)
    optimizer = torch.optim.SGD([model], lr=5.0)
    for step in range(101):
        loss, _, _ = tuning_loss(model, rows, pad_id=eos_id, max_length=16)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            ends = model.detach().softmax(dim=-1)[:-1, eos_id].mean()
            logging.info("step %d: loss %.3f, probability of the end %.3f", step, loss.item(), ends)


if __name__ == "__main__":
    main()
