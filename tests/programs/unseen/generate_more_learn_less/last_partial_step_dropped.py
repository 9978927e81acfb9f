# expect: wrong
# mistake: A last step with fewer than per_step microbatches is never taken, and its loss is missing from the list.
"""Policy updates from a batch of answers that were generated at once; start it with `python update.py`."""

import logging

import torch


def answer_loss(policy, answers):
    """Return the sum of the token losses of one microbatch.

    Row i of the policy's table has the logits of the token after token i. The first token of a row is the prompt.
    """
    tokens = answers["tokens"]
    logprobs = policy[tokens[:, :-1]].log_softmax(dim=-1)
    of_tokens = logprobs.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    per_token = -answers["advantages"][:, None] * of_tokens
    return per_token[answers["mask"][:, 1:]].sum()


def count_tokens(microbatches):
    """Return the number of tokens that have a loss."""
    return sum(int(answers["mask"][:, 1:].sum()) for answers in microbatches)


def update(policy, microbatches, per_step, learning_rate):
    """Take one step of gradient descent for every `per_step` microbatches; return the new table and the losses."""
    policy = policy.detach().clone().requires_grad_()
    optimizer = torch.optim.SGD([policy], lr=learning_rate)
    losses = []
    group, step_loss = [], 0.0
    for index, answers in enumerate(microbatches):
        group.append(answers)
        if (index + 1) % per_step:
            continue
        tokens = count_tokens(group)
        for part in group:
            loss = answer_loss(policy, part) / tokens
            loss.backward()
            step_loss += loss.item()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(step_loss)
        group, step_loss = [], 0.0
    return policy.detach(), losses


def generate(count, rows=4, width=12, vocabulary=8):
    """Return synthetic answers in microbatches; a real trainer would get them from its rollout engine."""
    rng = torch.Generator().manual_seed(0)
    position = torch.arange(width)
    return [
        {
            "tokens": torch.randint(0, vocabulary, (rows, width), generator=rng),
            "mask": (position > 0) & (position < torch.randint(3, width + 1, (rows, 1), generator=rng)),
            "advantages": torch.ones(rows),
        }
        for _ in range(count)
    ]


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    policy = torch.zeros(8, 8)
    for generated in (2, 4, 8):
        _, losses = update(policy, generate(generated), per_step=2, learning_rate=0.1)
        logging.info("%d microbatches generated at once: loss of the first step %.3f", generated, losses[0])


if __name__ == "__main__":
    main()
