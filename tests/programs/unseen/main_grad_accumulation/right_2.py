# expect: right
import torch


def main_grad_accumulation(grads, scale):
    """Return the mean gradient from a 16-bit sum, a float32 sum, and a 16-bit Kahan sum, and their relative errors."""
    half = grads.dtype
    count, n = grads.shape
    rows = grads.detach().to(torch.float32)

    def rounded(x):
        return x.to(half).to(torch.float32)

    def plain(rounding):
        total = torch.zeros(n, dtype=torch.float32, device=grads.device)
        for row in rows:
            total = rounding(total + row)
        return total

    def compensated():
        total = torch.zeros(n, dtype=torch.float32, device=grads.device)
        lost = torch.zeros_like(total)
        for row in rows:
            y = rounded(row - lost)
            new = rounded(total + y)
            lost = rounded(rounded(new - total) - y)
            total = new
        return total

    divisor = torch.tensor(count * scale, dtype=torch.float32, device=grads.device)
    means = [total / divisor for total in (plain(rounded), plain(lambda x: x), compensated())]
    exact = grads.detach().to(torch.float64).mean(dim=0) / scale
    errors = []
    for mean in means:
        difference = mean.to(torch.float64) - exact
        errors.append(float(difference.square().sum().sqrt() / exact.square().sum().sqrt()))
    return means[0], means[1], means[2], errors
