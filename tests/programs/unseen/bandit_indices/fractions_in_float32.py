# expect: wrong
# mistake: The fractions of epsilon-greedy are compared after rounding counts and quotient to float32, so with large counts a slightly larger fraction ties with a smaller one of a lower index.
import torch


def bandit_indices(wins, pulls, eps, u, v):
    wins_f = wins.to(torch.float32)
    pulls_f = pulls.to(torch.float32)
    num_arms = wins.shape[1]

    mean = torch.where(pulls > 0, wins_f / pulls_f, torch.zeros_like(wins_f))
    log_n = torch.log(pulls.sum(dim=1, keepdim=True).to(torch.float32))
    index = mean + torch.sqrt(2.0 * log_n / pulls_f)
    index = torch.where(pulls > 0, index, torch.full_like(index, torch.inf))

    best = mean.max(dim=1, keepdim=True).values
    greedy = (mean == best).to(torch.uint8).argmax(dim=1)
    random_arm = torch.clamp((v * num_arms).to(torch.int64), max=num_arms - 1)
    choice = torch.where(u < eps, random_arm, greedy)

    posterior = torch.stack((wins_f + 1, (pulls - wins).to(torch.float32) + 1), dim=-1)
    return index, choice, posterior
