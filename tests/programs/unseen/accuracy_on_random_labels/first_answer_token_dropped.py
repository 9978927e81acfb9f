# expect: wrong
# mistake: The mask compares the index of the shifted log-probabilities with the prompt length, so the first token of every answer is not counted.
"""Direct preference optimization of a tiny model; start it with `python train.py`."""

import logging

import torch
from torch.nn.functional import logsigmoid


def answer_logprobs(model, sequences, lengths, prompt_lengths):
    """Return the log-probability of each sequence's answer given its prompt, one number per row."""
    logprobs = model[sequences[:, :-1]].log_softmax(dim=-1)
    of_tokens = logprobs.gather(-1, sequences[:, 1:, None]).squeeze(-1)
    steps = torch.arange(of_tokens.shape[1])
    counts = (steps >= prompt_lengths[:, None]) & (steps < lengths[:, None] - 1)
    return torch.where(counts, of_tokens, 0.0).sum(dim=1)


def dpo_loss(policy, reference, batch, beta):
    """Return the loss of a batch of pairs, and the rewards of the chosen and of the rejected answers."""
    # One forward pass for all sequences: first the chosen ones, then the rejected ones.
    sequences = torch.cat([batch["chosen"], batch["rejected"]])
    lengths = torch.cat([batch["chosen_lengths"], batch["rejected_lengths"]])
    prompt_lengths = torch.cat([batch["prompt_lengths"], batch["prompt_lengths"]])
    logprobs = answer_logprobs(policy, sequences, lengths, prompt_lengths)
    with torch.no_grad():
        ref_logprobs = answer_logprobs(reference, sequences, lengths, prompt_lengths)
    chosen, rejected = (beta * (logprobs - ref_logprobs)).chunk(2)
    return -logsigmoid(chosen - rejected).mean(), chosen.detach(), rejected.detach()


def load_pairs(rows=256, prompt=12, answer=4, vocabulary=32):
    """Return pairs with random labels, so there is nothing to learn about unseen pairs."""
    rng = torch.Generator().manual_seed(0)
    # Prompts use the first quarter of the vocabulary, and answers the rest.
    prompts = torch.randint(0, vocabulary // 4, (rows, prompt), generator=rng)
    answers = torch.randint(vocabulary // 4, vocabulary, (2, rows, answer), generator=rng)
    full = torch.full((rows,), prompt + answer)
    return {
        "chosen": torch.cat([prompts, answers[0]], dim=1),
        "rejected": torch.cat([prompts, answers[1]], dim=1),
        "chosen_lengths": full,
        "rejected_lengths": full,
        "prompt_lengths": torch.full((rows,), prompt),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    reference = torch.zeros(32, 32)
    policy = reference.clone().requires_grad_()
    optimizer = torch.optim.SGD([policy], lr=20.0)
    pairs = load_pairs()
    halves = [{name: x[half] for name, x in pairs.items()} for half in (slice(0, 128), slice(128, 256))]
    for step in range(11):
        loss, _, _ = dpo_loss(policy, reference, halves[0], beta=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        _, chosen, rejected = dpo_loss(policy, reference, halves[1], beta=0.1)
        accuracy = (chosen > rejected).float().mean()
        logging.info("step %d: loss %.4f, accuracy on unseen pairs %.2f", step, loss.item(), accuracy)


if __name__ == "__main__":
    main()
