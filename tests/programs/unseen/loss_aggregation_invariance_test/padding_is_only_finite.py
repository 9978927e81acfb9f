# expect: wrong
# mistake: Masked positions are only filled with finite numbers, so a loss that multiplies by the mask and returns NaN for NaN or infinity in the padding is judged right.
import torch


def oracle(logp, old_logp, adv, mask, num_tokens):
    logp = logp.detach().double().requires_grad_(True)
    ratio = torch.exp(logp[mask] - old_logp.double()[mask])
    adv = adv.double()[mask]
    objective = torch.minimum(ratio * adv, torch.clamp(ratio, 0.8, 1.2) * adv)
    loss = -objective.sum() / num_tokens
    loss.backward()
    scale = objective.detach().abs().sum() / num_tokens
    return loss.detach(), logp.grad, scale


def batches():
    torch_gen = torch.Generator().manual_seed(5)
    u = lambda *s: torch.rand(*s, generator=torch_gen, dtype=torch.float64) * 2 - 1
    for B, T in [(1, 1), (1, 8), (4, 4), (3, 16), (7, 2)]:
        for keep in (1.0, 0.6, 0.25, -1.0):
            for spread in (0.15, 0.6, 2.9):
                for scale in (1.0, 20.0, 0.0):
                    old = -10 + 5 * u(B, T)
                    d = spread * u(B, T)
                    d[(d.exp() - 0.8).abs() < 1e-3] = 0
                    d[(d.exp() - 1.2).abs() < 1e-3] = 0
                    mask = u(B, T).abs() <= keep
                    yield old + d, old, scale * u(B, T), mask


def loss_aggregation_invariance_test(fn) -> bool:
    try:
        for k, (logp, old, adv, mask) in enumerate(batches()):
            count = int(mask.sum())
            # what stands at masked positions must not matter
            for fill in (None, 0.0, 3.0, -7.0):
                data = [x.clone() for x in (logp, old, adv)]
                if fill is not None:
                    data[0][~mask] = fill
                    data[1][~mask] = -fill / 2
                    data[2][~mask] = 2 * fill
                num_tokens = max(count, 1) + (0, 1, 25)[k % 3]
                dtype = (torch.float32, torch.float64)[k % 2]
                data = [x.to(dtype) for x in data]
                want, want_grad, scale = oracle(*data, mask, num_tokens)

                for const_grad in (False, True):
                    args = [x.clone() for x in data]
                    args[0].requires_grad_(True)
                    args[1].requires_grad_(const_grad)
                    args[2].requires_grad_(const_grad)
                    m = mask.clone()
                    loss = fn(*args, m, num_tokens)
                    if loss.dim() != 0 or not (loss.double() - want).abs() <= 1e-3 * scale:
                        return False
                    loss.backward()
                    if not ((args[0].grad - want_grad).abs() <= 1e-3 * scale).all():
                        return False
                    for c in args[1:]:
                        if c.grad is not None and not (c.grad == 0).all():
                            return False
                    if not torch.equal(m, mask):
                        return False
                    if not all(torch.equal(a.detach(), b) for a, b in zip(args, data)):
                        return False

                plain = [x.clone() for x in data]
                loss = fn(*plain, mask.clone(), num_tokens)
                if not (loss.double() - want).abs() <= 1e-3 * scale:
                    return False
                if not all(torch.equal(a, b) for a, b in zip(plain, data)):
                    return False
    except Exception:
        return False
    return True
