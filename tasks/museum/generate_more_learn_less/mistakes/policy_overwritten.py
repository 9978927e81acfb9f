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
    policy = policy.detach().requires_grad_()
    optimizer = torch.optim.SGD([policy], lr=learning_rate)
    losses = []
    for start in range(0, len(microbatches), per_step):
        tokens = count_tokens(microbatches[start : start + per_step])
        step_loss = 0.0
        for answers in microbatches[start : start + per_step]:
            # The gradients of a step's microbatches add up.
            loss = answer_loss(policy, answers) / tokens
            loss.backward()
            step_loss += loss.item()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(step_loss)
    return policy.detach(), losses
