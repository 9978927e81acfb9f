import torch


def answer_logprob(model, sequence, begin, end):
    total = model.new_zeros(())
    for t in range(begin, end):
        row = model[sequence[t - 1]]
        total = total + row[sequence[t]] - row.logsumexp(dim=0)
    return total


def dpo_loss(policy, reference, batch, beta):
    losses, chosen_rewards, rejected_rewards = [], [], []
    for row, begin in enumerate(batch["prompt_lengths"].tolist()):
        pair = []
        for side in ("chosen", "rejected"):
            given = batch[side][row], begin, int(batch[f"{side}_lengths"][row])
            with torch.no_grad():
                ref = answer_logprob(reference, *given)
            pair.append(beta * (answer_logprob(policy, *given) - ref))
        losses.append(torch.logaddexp(pair[1] - pair[0], torch.zeros_like(pair[0])))
        chosen_rewards.append(pair[0].detach())
        rejected_rewards.append(pair[1].detach())
    return torch.stack(losses).mean(), torch.stack(chosen_rewards), torch.stack(rejected_rewards)
