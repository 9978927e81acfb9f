# expect: wrong
# mistake: For float64 inputs the loss and the gradient must agree to 1e-9 of S, so a right loss that computes in float32 is judged wrong.
import torch

NAN, INF = float("nan"), float("inf")


def ppo_numbers(logp, old_logp, advantages, mask, num_tokens):
    ratio = torch.where(mask, logp - old_logp, 0.0).double().exp()
    adv = torch.where(mask, advantages, 0.0).double()
    unclipped = ratio * adv
    clipped = ratio.clamp(0.8, 1.2) * adv
    objective = torch.minimum(unclipped, clipped)
    grad = torch.where(unclipped <= clipped, -unclipped, 0.0) / num_tokens
    return -objective.sum() / num_tokens, grad, objective.abs().sum() / num_tokens


def close(x, y, scale, dtype):
    rel = 1e-4 if dtype == torch.float32 else 1e-9
    return bool(((x.double() - y).abs() <= rel * scale).all())


def unchanged(x, y):
    return torch.equal(torch.isnan(x), torch.isnan(y)) and torch.equal(x.nan_to_num(), y.nan_to_num())


def trial(fn, tensors, mask, num_tokens, requires):
    xs = [t.clone().requires_grad_(r) for t, r in zip(tensors, requires)]
    m = mask.clone()
    loss = fn(*xs, m, num_tokens)
    want, grad, scale = ppo_numbers(*tensors, mask, num_tokens)
    dtype = tensors[0].dtype
    assert loss.ndim == 0
    assert close(loss.detach(), want, scale, dtype)
    assert torch.equal(m, mask)
    if requires[0]:
        loss.backward()
        assert xs[0].grad is not None
        assert close(xs[0].grad, grad, scale, dtype)
        for x in xs[1:]:
            assert x.grad is None or not x.grad.any()
    for x, t in zip(xs, tensors):
        assert unchanged(x.detach(), t)


def loss_aggregation_invariance_test(fn) -> bool:
    gen = torch.Generator().manual_seed(2024)

    def rnd(shape, low, high):
        return torch.rand(shape, generator=gen, dtype=torch.float64) * (high - low) + low

    try:
        for i in range(180):
            shape = [(1, 1), (1, 4), (5, 1), (3, 7), (2, 50)][i % 5]
            dtype = [torch.float32, torch.float64][(i // 5) % 2]
            spread = [0.1, 0.5, 2.9][(i // 10) % 3]
            scale = [1.0, 20.0, 0.0][i % 3]
            old = rnd(shape, -17, -3)
            diff = rnd(shape, -spread, spread)
            r = diff.exp()
            diff[((r - 0.8).abs() < 1e-3) | ((r - 1.2).abs() < 1e-3)] = 0.01
            adv = rnd(shape, -scale, scale)
            mask = rnd(shape, 0, 1) < [2.0, 0.5, 0.8, -1.0][i % 4]
            logp = old + diff
            if i % 3:
                for x in (logp, old, adv):
                    values = torch.tensor([NAN, INF, -INF, 0.0, 99.0], dtype=torch.float64)
                    noise = values[torch.randint(5, shape, generator=gen)]
                    x[~mask] = noise[~mask]
            n = max(1, int(mask.sum())) + [0, 0, 3, 500][(i // 4) % 4]
            tensors = [x.to(dtype) for x in (logp, old, adv)]
            trial(fn, tensors, mask, n, (True, False, False))
            trial(fn, tensors, mask, n, (True, True, True))
            trial(fn, tensors, mask, n, (False, False, False))
    except Exception:
        return False
    return True
