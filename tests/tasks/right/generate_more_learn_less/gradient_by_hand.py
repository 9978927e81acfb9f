import torch


def update(policy, microbatches, per_step, learning_rate):
    table, losses = policy.detach().clone(), []
    for start in range(0, len(microbatches), per_step):
        logprobs = table.log_softmax(dim=1)
        grad, total, count = torch.zeros_like(table), 0.0, 0
        for answers in microbatches[start : start + per_step]:
            tokens, mask = answers["tokens"], answers["mask"]
            for row, column in mask.nonzero().tolist():
                before, token = tokens[row, column - 1], tokens[row, column]
                advantage = answers["advantages"][row].detach()
                total += float(-advantage * logprobs[before, token])
                grad[before] += advantage * logprobs[before].exp()
                grad[before, token] -= advantage
                count += 1
        table = table - learning_rate * grad / count
        losses.append(total / count)
    return table, losses
