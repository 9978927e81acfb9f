"""The batches and the loss of supervised fine-tuning on conversations; start it with `python tune.py`."""

import logging

import torch

IGNORED = -100


def tuning_loss(model, rows, pad_id, max_length):
    """Return the loss of a batch, and the attention and the labels that it was computed with."""
    lengths = [min(len(row["tokens"]), max_length) for row in rows]
    shape = (len(rows), max(lengths))
    tokens = torch.full(shape, pad_id, dtype=torch.int64)
    labels = torch.full(shape, IGNORED, dtype=torch.int64)
    attention = torch.zeros(shape, dtype=torch.bool)
    for i, (row, length) in enumerate(zip(rows, lengths, strict=True)):
        tokens[i, :length] = row["tokens"][:length]
        attention[i, :length] = True
        ours = row["from_assistant"][:length].nonzero().squeeze(1)
        labels[i, ours] = row["tokens"][ours]
    row, position = (labels[:, 1:] != IGNORED).nonzero(as_tuple=True)
    logprobs = model.log_softmax(dim=-1)
    loss = -logprobs[tokens[row, position], labels[row, position + 1]].mean()
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
