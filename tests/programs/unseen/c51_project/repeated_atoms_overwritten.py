# expect: wrong
# mistake: Probabilities that reach the same atom do not add up, because indexed += keeps only one of several contributions with the same index.
import torch


def c51_project(next_p, r, done, support, gamma) -> torch.Tensor:
    with torch.no_grad():
        B, N = next_p.shape
        rows = torch.arange(B, device=next_p.device)[:, None].expand(B, N)
        delta = (support[-1] - support[0]) / (N - 1)

        # One-hot for terminal transitions, so that the content of next_p does not matter.
        probs = next_p.clone()
        probs[done] = 0
        probs[done, 0] = 1
        z = r[:, None] + torch.where(done[:, None], torch.zeros_like(next_p), gamma * support.expand(B, N))
        b = (z.clamp(support[0], support[-1]) - support[0]) / delta
        b = b.clamp(0, N - 1)
        low = b.floor().long()
        high = (low + 1).clamp(max=N - 1)

        target = torch.zeros_like(probs)
        target[rows, low] += probs * (1 - (b - low))
        target[rows, high] += probs * (b - low)
        return target
