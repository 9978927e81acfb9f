# expect: wrong
# mistake: At the end of an episode only the value is set to 0, while the return of the next step, which belongs to a new episode, is still mixed in.
import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam) -> torch.Tensor:
    bootstrap = torch.where(done, 0.0, v_next).tolist()
    rewards = r.tolist()
    following = bootstrap[-1]
    result = []
    for reward, value in zip(reversed(rewards), reversed(bootstrap)):
        following = reward + gamma * ((1 - lam) * value + lam * following)
        result.append(following)
    return torch.tensor(result[::-1], dtype=r.dtype, device=r.device)
