"""Conjugate gradient needs the Fisher matrix only in products with a vector, which two backward passes give."""

import torch


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    """Return the new weights [D, A], the number of the accepted try (-1 if none), and the measured KL divergence.

    Shapes: theta [D, A]; x [N, D]; actions and adv [N].
    Source: arXiv:1502.05477, appendix C.
    """
    theta = theta.detach()
    old = (x @ theta).log_softmax(dim=1)

    def measure(weights):
        """Return the surrogate objective and the mean KL divergence of the old policy from the new one."""
        new = (x @ weights).log_softmax(dim=1)
        ratio = (new - old).gather(1, actions[:, None])[:, 0].exp()
        return (ratio * adv).mean(), (old.exp() * (old - new)).sum(dim=1).mean()

    center = theta.clone().requires_grad_()
    surrogate, kl = measure(center)
    (gradient,) = torch.autograd.grad(surrogate, center, retain_graph=True)
    (kl_slope,) = torch.autograd.grad(kl, center, create_graph=True)

    def fisher_times(vector):
        (product,) = torch.autograd.grad((kl_slope * vector).sum(), center, retain_graph=True)
        return product

    direction = _conjugate_gradient(lambda vector: fisher_times(vector) + damping * vector, gradient, iters)
    curvature = (direction * fisher_times(direction)).sum()
    if curvature > 0:
        step = (2 * delta / curvature).sqrt() * direction
        with torch.no_grad():
            for k in range(tries):
                weights = theta + shrink**k * step
                gain, kl = measure(weights)
                if kl <= delta and gain > surrogate:
                    return weights, k, kl
    return theta.clone(), -1, x.new_zeros(())


def _conjugate_gradient(multiply, target, iters):
    solution = torch.zeros_like(target)
    residual, search = target, target
    squared = residual.square().sum()
    for _ in range(iters):
        if squared <= 1e-20:
            break
        product = multiply(search)
        length = squared / (search * product).sum()
        solution = solution + length * search
        residual = residual - length * product
        previous, squared = squared, residual.square().sum()
        search = residual + squared / previous * search
    return solution
