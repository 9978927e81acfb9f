# expect: wrong
# mistake: Each microbatch enters as its token mean times its share of the tokens, so that a microbatch without an unmasked token turns the loss of its step into NaN.
"""Policy updates from a batch of answers that were generated at once; start it with `python update.py`."""

import logging

import torch


def answer_loss(policy, answers):
    """Return the mean of the token losses of one microbatch.

    Row i of the policy's table has the logits of the token after token i. The first token of a row is the prompt.
    """
    tokens = answers["tokens"]
    logprobs = policy[tokens[:, :-1]].log_softmax(dim=-1)
    of_tokens = logprobs.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    per_token = -answers["advantages"][:, None] * of_tokens
    return per_token[answers["mask"][:, 1:]].mean()


def count_tokens(microbatches):
    """Return the number of tokens that have a loss."""
    return sum(int(answers["mask"][:, 1:].sum()) for answers in microbatches)


def update(policy, microbatches, per_step, learning_rate):
    """Take one step of gradient descent for every `per_step` microbatches; return the new table and the losses."""
    policy = policy.detach().clone().requires_grad_()
    optimizer = torch.optim.SGD([policy], lr=learning_rate)
    losses = []
    for start in range(0, len(microbatches), per_step):
        step_loss = 0.0
        group = microbatches[start : start + per_step]
        tokens = count_tokens(group)
        for answers in group:
            # Weight each microbatch by its share of the step's tokens.
            loss = answer_loss(policy, answers) * (count_tokens([answers]) / tokens)
            loss.backward()
            step_loss += loss.item()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(step_loss)
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
