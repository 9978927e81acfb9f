# expect: wrong
# mistake: Ratios stay between 0.6 and 1.6 and advantages below 3, so that extra limits on large ones go unnoticed, and the test does not check whether the inputs were changed.
import torch


def _reference_loss(logp, old_logp, advantages, mask, num_tokens):
    logp = torch.where(mask, logp, torch.zeros_like(logp))
    old_logp = torch.where(mask, old_logp, torch.zeros_like(old_logp))
    advantages = torch.where(mask, advantages, torch.zeros_like(advantages))
    ratio = torch.exp(logp - old_logp)
    surr1 = ratio * advantages
    surr2 = torch.clamp(ratio, 0.8, 1.2) * advantages
    objective = torch.min(surr1, surr2)
    return -objective.sum() / num_tokens, objective.detach().abs().sum() / num_tokens


def _random_batch(gen, B, T, dtype, p_keep, poison):
    old = -torch.rand(B, T, generator=gen, dtype=dtype) * 6 - 1
    # ratios on both sides of both bounds
    ratios = torch.tensor([0.6, 0.7, 0.78, 0.82, 0.95, 1.0, 1.1, 1.18, 1.22, 1.4, 1.6], dtype=dtype)
    pick = torch.randint(len(ratios), (B, T), generator=gen)
    logp = old + ratios[pick].log()
    adv = torch.randn(B, T, generator=gen, dtype=dtype).clamp(-2.9, 2.9)
    mask = torch.rand(B, T, generator=gen) < p_keep
    if poison is not None:
        logp = logp.masked_fill(~mask, poison)
        old = old.masked_fill(~mask, -poison)
        adv = adv.masked_fill(~mask, poison)
    return logp, old, adv, mask


def loss_aggregation_invariance_test(fn) -> bool:
    gen = torch.Generator().manual_seed(0)
    poisons = [None, float("nan"), float("inf"), float("-inf"), 1e6]
    try:
        for i in range(200):
            B, T = [(1, 1), (2, 3), (4, 8), (1, 20), (6, 1)][i % 5]
            dtype = torch.float32 if i % 2 else torch.float64
            p_keep = [1.0, 0.7, 0.3, 0.0][(i // 5) % 4]
            logp, old, adv, mask = _random_batch(gen, B, T, dtype, p_keep, poisons[(i // 3) % 5])
            num_tokens = max(1, int(mask.sum())) + [0, 2, 64][i % 3]

            ref_logp = logp.clone().requires_grad_(True)
            ref, scale = _reference_loss(ref_logp, old.clone(), adv.clone(), mask.clone(), num_tokens)
            ref.backward()
            tol = 1e-3 * scale

            a = logp.clone().requires_grad_(True)
            b = old.clone().requires_grad_(i % 4 < 2)
            c = adv.clone().requires_grad_(i % 4 < 2)
            out = fn(a, b, c, mask.clone(), num_tokens)
            if out.dim() != 0:
                return False
            if not (out.detach() - ref.detach()).abs() <= tol:
                return False
            out.backward()
            if a.grad is None or not ((a.grad - ref_logp.grad).abs() <= tol).all():
                return False
            for const in (b, c):
                if const.grad is not None and (const.grad != 0).any():
                    return False
        return True
    except Exception:
        return False
