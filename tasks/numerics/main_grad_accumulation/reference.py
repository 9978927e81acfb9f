"""In 16 bits, a term below half a unit in the last place of the sum is lost; float32 or a second buffer keeps it."""

import torch


def main_grad_accumulation(grads, scale):
    """Return the mean gradient from a 16-bit sum, a float32 sum, and a 16-bit Kahan sum, and their relative errors.

    Shapes: grads [M, N]; the three means [N].
    """
    low = torch.zeros_like(grads[0])
    main = torch.zeros_like(low, dtype=torch.float32)
    kahan, lost = torch.zeros_like(low), torch.zeros_like(low)
    for grad in grads:
        low = low + grad
        main = main + grad.float()
        term = grad - lost
        total = kahan + term
        lost = (total - kahan) - term
        kahan = total
    means = [total.float() / (len(grads) * scale) for total in (low, main, kahan)]
    exact = grads.double().sum(0) / (len(grads) * scale)
    errors = [float((mean.double() - exact).norm() / exact.norm()) for mean in means]
    return *means, errors
