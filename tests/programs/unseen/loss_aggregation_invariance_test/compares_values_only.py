# expect: wrong
# mistake: Only the loss value is compared with the formula; of the gradient the test checks merely that it exists and is finite, so a wrong gradient is judged right.
import math
import random

import torch


def _loss_by_hand(logp, old, adv, mask, num_tokens):
    total = size = 0.0
    for row in range(len(mask)):
        for col in range(len(mask[row])):
            if not mask[row][col]:
                continue
            ratio = math.exp(logp[row][col] - old[row][col])
            a = adv[row][col]
            value = min(ratio * a, min(max(ratio, 0.8), 1.2) * a)
            total -= value
            size += abs(value)
    return total / num_tokens, size / num_tokens


def _same(a, b):
    return bool(torch.all((a == b) | (a.isnan() & b.isnan())))


def loss_aggregation_invariance_test(fn) -> bool:
    rng = random.Random(3)
    for trial in range(200):
        B, T = rng.choice([(1, 1), (1, 5), (3, 4), (2, 12), (6, 1)])
        dtype = rng.choice([torch.float32, torch.float64])
        share = rng.choice([0.0, 0.3, 0.7, 1.0])
        mask = [[rng.random() < share for _ in range(T)] for _ in range(B)]
        spread = rng.choice([0.15, 0.5, 2.9])
        scale = rng.choice([0.01, 1.0, 20.0])
        old = [[rng.uniform(-15, -4) for _ in range(T)] for _ in range(B)]
        logp = [[o + rng.uniform(-spread, spread) for o in row] for row in old]
        adv = [[rng.uniform(-scale, scale) for _ in range(T)] for _ in range(B)]
        count = sum(map(sum, mask))
        num_tokens = max(1, count) + rng.choice([0, 0, 1, 17, 400])
        if trial % 2:
            for table in (logp, old, adv):
                for i in range(B):
                    for j in range(T):
                        if not mask[i][j]:
                            table[i][j] = rng.choice([math.nan, math.inf, -math.inf, 1e4])

        tensors = [torch.tensor(x, dtype=dtype) for x in (logp, old, adv)]
        want, size = _loss_by_hand(*(t.tolist() for t in tensors), mask, num_tokens)
        m = torch.tensor(mask)
        with_grad = trial % 4 < 2
        args = [t.clone() for t in tensors]
        args[0].requires_grad_(trial % 5 != 0)
        if with_grad:
            args[1].requires_grad_(True)
            args[2].requires_grad_(True)
        m_arg = m.clone()
        try:
            loss = fn(*args, m_arg, num_tokens)
            if loss.dim() != 0:
                return False
            if not abs(loss.item() - want) <= 1e-3 * size:
                return False
            if args[0].requires_grad:
                loss.backward()
                if args[0].grad is None or not args[0].grad.isfinite().all():
                    return False
                for t in args[1:]:
                    if t.grad is not None and t.grad.count_nonzero() > 0:
                        return False
        except Exception:
            return False
        if not torch.equal(m, m_arg) or not all(_same(x.detach(), y) for x, y in zip(args, tensors)):
            return False
    return True
