import torch
import torch.nn.functional as F


class Problem:
    def __init__(self, theta, x, actions, adv):
        self.shape = theta.shape
        self.x = x.detach()
        self.pick = actions.reshape(-1, 1)
        self.adv = adv.detach()
        self.flat = theta.detach().reshape(-1).clone().requires_grad_(True)
        with torch.no_grad():
            self.old = self.log_probs(self.flat)
        kl = self.kl(self.flat)
        (self.kl_grad,) = torch.autograd.grad(kl, self.flat, create_graph=True)

    def log_probs(self, flat):
        return F.log_softmax(self.x.mm(flat.view(self.shape)), dim=-1)

    def kl(self, flat):
        return F.kl_div(self.log_probs(flat), self.old, reduction="batchmean", log_target=True)

    def surrogate(self, flat):
        ratio = (self.log_probs(flat) - self.old).gather(1, self.pick).exp().squeeze(1)
        return torch.mean(ratio * self.adv)

    def gradient(self):
        (g,) = torch.autograd.grad(self.surrogate(self.flat), self.flat)
        return g

    def hvp(self, v):
        (out,) = torch.autograd.grad(self.kl_grad, self.flat, grad_outputs=v, retain_graph=True)
        return out


def conjugate_gradient(matvec, b, iters, tol=1e-20):
    sol = torch.zeros_like(b)
    residual, direction = b.clone(), b.clone()
    rho = residual.dot(residual)
    done = 0
    while done < iters and rho > tol:
        image = matvec(direction)
        a = rho / direction.dot(image)
        sol.add_(a * direction)
        residual.sub_(a * image)
        rho, previous = residual.dot(residual), rho
        direction.mul_(rho / previous).add_(residual)
        done += 1
    return sol


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    problem = Problem(theta, x, actions, adv)
    start = problem.flat.detach()
    nothing = (start.view(theta.shape).clone(), -1, torch.zeros((), dtype=theta.dtype))

    g = problem.gradient()
    if not torch.any(g):
        return nothing
    s = conjugate_gradient(lambda v: problem.hvp(v) + damping * v, g, iters)
    if not torch.any(s):
        return nothing
    step = s * torch.sqrt(2 * delta / s.dot(problem.hvp(s)))

    with torch.no_grad():
        before = problem.surrogate(start)
        for k in range(tries):
            trial = start + step * shrink**k
            kl = problem.kl(trial)
            if kl <= delta and problem.surrogate(trial) > before:
                return trial.view(theta.shape), k, kl
    return nothing
