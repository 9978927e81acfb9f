import torch


def answer_loss(policy, answers):
    tokens = answers["tokens"]
    logprobs = policy[tokens[:, :-1]].log_softmax(dim=-1)
    of_tokens = logprobs.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    per_token = -answers["advantages"][:, None] * of_tokens
    return per_token[answers["mask"][:, 1:]].sum()


def update(policy, microbatches, per_step, learning_rate):
    policy = policy.detach().clone().requires_grad_()
    optimizer = torch.optim.SGD([policy], lr=learning_rate)
    losses = []
    for start in range(0, len(microbatches), per_step):
        chunk = microbatches[start : start + per_step]
        tokens = sum(int(answers["mask"][:, 1:].sum()) for answers in chunk)
        step_loss = 0.0
        for answers in chunk:
            loss = answer_loss(policy, answers) / tokens
            loss.backward()
            step_loss += loss.item()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(step_loss)
    return policy.detach(), losses
