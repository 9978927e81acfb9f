"""Builds the losses under test, right ones and wrong ones, and passes them to the candidate's test one by one.

Every loss is called as fn(logp, old_logp, advantages, mask, num_tokens).
"""

import torch


def surrogate(ratio, advantages):
    return torch.minimum(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages)


def masked(logp, old_logp, advantages, mask):
    """Return the log ratio and the advantages, both 0 at masked positions; only `logp` keeps its gradient."""
    logp, old_logp, advantages = (torch.where(mask, x, 0.0) for x in (logp, old_logp.detach(), advantages.detach()))
    return logp - old_logp, advantages


def with_objective(objective):
    """Return a loss with another objective per token, a function of the log ratio and the advantage."""

    def loss(logp, old_logp, advantages, mask, num_tokens):
        return -torch.where(mask, objective(*masked(logp, old_logp, advantages, mask)), 0.0).sum() / num_tokens

    return loss


def with_inputs(change):
    """Return the right loss of changed inputs."""
    return lambda *inputs: plain(*change(*inputs))


def with_total(reduce):
    """Return a loss with another reduction, a function of the terms, the mask and num_tokens."""

    def loss(logp, old_logp, advantages, mask, num_tokens):
        log_ratio, constants = masked(logp, old_logp, advantages, mask)
        return -reduce(surrogate(log_ratio.exp(), constants), mask, num_tokens)

    return loss


plain = with_objective(lambda log_ratio, advantages: surrogate(log_ratio.exp(), advantages))


def looped(logp, old_logp, advantages, mask, num_tokens):
    total = 0.0 * torch.where(mask, logp, 0.0).sum()
    for row, step in mask.nonzero().tolist():
        ratio = (logp[row, step] - old_logp[row, step].detach()).exp()
        total = total - surrogate(ratio, advantages[row, step].detach())
    return total / num_tokens


def selected(logp, old_logp, advantages, mask, num_tokens):
    ratio = (logp[mask] - old_logp[mask].detach()).exp()
    return -(surrogate(ratio, advantages[mask].detach()) / num_tokens).sum()


def in_float32(logp, old_logp, advantages, mask, num_tokens):
    return plain(logp.float(), old_logp.float(), advantages.float(), mask, num_tokens)


def by_sign(log_ratio, advantages):
    ratio = log_ratio.exp()
    return advantages * torch.where(advantages > 0, ratio.clamp(max=1.2), ratio.clamp(min=0.8))


def zero_gradients(logp, old_logp, advantages, mask, num_tokens):
    zeros = 0.0 * (torch.where(mask, old_logp, 0.0).sum() + torch.where(mask, advantages, 0.0).sum())
    return plain(logp, old_logp, advantages, mask, num_tokens) + zeros


def with_gradient(gradient):
    """Return a loss with the right value and another gradient, the one of a second loss."""

    def loss(*inputs):
        other = gradient(*inputs)
        return plain(*inputs).detach() + other - other.detach()

    return loss


def unclipped(log_ratio, advantages):
    return log_ratio.exp() * advantages


def gradient_missing(logp, old_logp, advantages, mask, num_tokens):
    """Return a loss with a graph that does not contain `logp`."""
    loss = plain(logp, old_logp, advantages, mask, num_tokens)
    return loss.detach() + 0.0 * torch.where(mask, old_logp, 0.0).sum()


def evenly_spread(logp, old_logp, advantages, mask, num_tokens):
    """Return a loss whose gradient has the right sum, but the same size at every unmasked token."""
    leaf = logp.detach().requires_grad_()
    (slope,) = torch.autograd.grad(plain(leaf, old_logp, advantages, mask, num_tokens), leaf)
    return slope.sum() / mask.sum().clamp(min=1) * torch.where(mask, logp, 0.0).sum()


def old_with_gradient(logp, old_logp, advantages, mask, num_tokens):
    ratio = (torch.where(mask, logp, 0.0) - torch.where(mask, old_logp, 0.0)).exp()
    return -surrogate(ratio, torch.where(mask, advantages.detach(), 0.0)).sum() / num_tokens


def advantages_with_gradient(logp, old_logp, advantages, mask, num_tokens):
    ratio = (torch.where(mask, logp, 0.0) - torch.where(mask, old_logp.detach(), 0.0)).exp()
    return -surrogate(ratio, torch.where(mask, advantages, 0.0)).sum() / num_tokens


def mask_ignored(logp, old_logp, advantages, mask, num_tokens):
    everywhere = torch.ones_like(mask)
    return plain(logp, old_logp, advantages, everywhere, num_tokens)


def masked_by_product(logp, old_logp, advantages, mask, num_tokens):
    terms = surrogate((logp - old_logp.detach()).exp(), advantages.detach())
    return -(terms * mask).sum() / num_tokens


def masked_after_exp(logp, old_logp, advantages, mask, num_tokens):
    terms = surrogate((logp - old_logp.detach()).exp(), advantages.detach())
    return -torch.where(mask, terms, 0.0).sum() / num_tokens


def mean_of_rows(terms, mask, num_tokens):
    counts = mask.sum(dim=1)
    means = terms.sum(dim=1) / counts.clamp(min=1)
    return means.sum() / (counts > 0).sum().clamp(min=1) * mask.sum() / num_tokens


def of_a_single_row(terms, mask, num_tokens):
    return terms.mean() if len(terms) == 1 else terms.sum() / num_tokens


def single_row_squeezed(logp, old_logp, advantages, mask, num_tokens):
    if len(logp) == 1:
        raise IndexError("Dimension out of range")
    return plain(logp, old_logp, advantages, mask, num_tokens)


def raises_if_empty(logp, old_logp, advantages, mask, num_tokens):
    if not mask.any():
        raise ZeroDivisionError("division by zero")
    return plain(logp, old_logp, advantages, mask, num_tokens)


def no_graph_if_empty(logp, old_logp, advantages, mask, num_tokens):
    loss = plain(logp, old_logp, advantages, mask, num_tokens)
    return loss if mask.any() else loss.detach()


def inputs_overwritten(logp, old_logp, advantages, mask, num_tokens):
    with torch.no_grad():
        advantages.mul_(2).sub_(1)
        unchanged = (advantages + 1) / 2
    return plain(logp, old_logp, unchanged, mask, num_tokens)


def whitened(logp, old_logp, advantages, mask, num_tokens):
    chosen = advantages[mask]
    scale = chosen.std() + 1e-4 if chosen.numel() > 1 else 1.0
    return logp, old_logp, (advantages - chosen.mean() if chosen.numel() else advantages) / scale, mask, num_tokens


def rescaled(logp, old_logp, advantages, mask, num_tokens):
    """Divide the advantages by their largest magnitude and multiply the result by it again: 0 / 0 if all are 0."""
    largest = torch.where(mask, advantages.detach(), 0.0).abs().max()
    return logp, old_logp, torch.where(mask.any(), advantages.detach() / largest * largest, 0.0), mask, num_tokens


def without(rows=0, steps=0):
    """Return a change that masks the last rows or steps."""

    def change(logp, old_logp, advantages, mask, num_tokens):
        kept = mask.clone()
        kept[len(kept) - rows :] = False
        kept[:, kept.shape[1] - steps :] = False
        return logp, old_logp, advantages, kept, num_tokens

    return change


def weighted_by_row(terms, mask, num_tokens):
    weights = torch.linspace(0.5, 1.5, len(terms), dtype=terms.dtype) if len(terms) > 1 else torch.ones(1)
    return (weights[:, None] * terms).sum() / num_tokens


LOSSES = {
    "plain": plain,
    "looped": looped,
    "selected": selected,
    "in_float32": in_float32,
    "by_sign": with_objective(by_sign),
    "zero_gradients": zero_gradients,
    "max_for_min": with_objective(lambda x, a: torch.maximum(x.exp() * a, x.exp().clamp(0.8, 1.2) * a)),
    "clip_only": with_objective(lambda x, a: x.exp().clamp(0.8, 1.2) * a),
    "not_clipped": with_objective(unclipped),
    "lower_clip_missing": with_objective(lambda x, a: torch.minimum(x.exp() * a, x.exp().clamp(max=1.2) * a)),
    "upper_clip_missing": with_objective(lambda x, a: torch.minimum(x.exp() * a, x.exp().clamp(min=0.8) * a)),
    "wider_range": with_objective(lambda x, a: torch.minimum(x.exp() * a, x.exp().clamp(0.7, 1.3) * a)),
    "dual_clip": with_objective(lambda x, a: torch.where(a < 0, surrogate(x.exp().clamp(max=3.0), a), by_sign(x, a))),
    "log_ratio_clamped": with_objective(lambda x, a: surrogate(x.clamp(-1.0, 1.0).exp(), a)),
    "old_over_new": with_objective(lambda x, a: surrogate((-x).exp(), a)),
    "log_ratio_as_ratio": with_objective(lambda x, a: surrogate(1 + x, a)),
    "opposite_sign": lambda *inputs: -plain(*inputs),
    "second_order_ratio": with_objective(lambda x, a: surrogate(1 + x + x**2 / 2, a)),
    "mean_of_rows": with_total(mean_of_rows),
    "all_positions": with_total(lambda terms, mask, num_tokens: terms.mean() * mask.sum() / num_tokens),
    "not_divided": with_total(lambda terms, mask, num_tokens: terms.sum()),
    "own_tokens": with_total(lambda terms, mask, num_tokens: terms.sum() / mask.sum().clamp(min=1)),
    "mask_ignored": mask_ignored,
    "masked_by_product": masked_by_product,
    "masked_after_exp": masked_after_exp,
    "nan_if_empty": with_total(lambda terms, mask, num_tokens: terms.sum() / mask.sum() * mask.sum() / num_tokens),
    "raises_if_empty": raises_if_empty,
    "no_graph_if_empty": no_graph_if_empty,
    "nan_if_all_zero": with_inputs(rescaled),
    "detached": lambda *inputs: plain(*inputs).detach(),
    "gradient_missing": gradient_missing,
    "gradient_of_unclipped": with_gradient(with_objective(unclipped)),
    "gradient_negated": with_gradient(lambda *inputs: -plain(*inputs)),
    "gradient_doubled": with_gradient(lambda *inputs: 2 * plain(*inputs)),
    "gradient_spread": with_gradient(evenly_spread),
    "constant_added": lambda *inputs: plain(*inputs) + 0.7,
    "old_with_gradient": old_with_gradient,
    "advantages_with_gradient": advantages_with_gradient,
    "whitened": with_inputs(whitened),
    "advantages_clamped": with_inputs(lambda x, old, a, mask, count: (x, old, a.clamp(-3.0, 3.0), mask, count)),
    "last_row_dropped": with_inputs(without(rows=1)),
    "last_step_dropped": with_inputs(without(steps=1)),
    "weighted_by_row": with_total(weighted_by_row),
    "single_row_averaged": with_total(of_a_single_row),
    "single_row_squeezed": single_row_squeezed,
    "inputs_overwritten": inputs_overwritten,
}


def hidden(loss):
    """Return a function that does not carry the loss's name."""

    def fn(logp, old_logp, advantages, mask, num_tokens):
        return loss(logp, old_logp, advantages, mask, num_tokens)

    return fn


def drive(entry, args):
    """Return for each loss 1 if the candidate's test returned True, 0 for False, and -1 for anything else."""
    results = [entry(hidden(LOSSES[name])) for name in args["losses"]]
    codes = [1.0 if result is True else 0.0 if result is False else -1.0 for result in results]
    return {"accepted": torch.tensor(codes, dtype=torch.float64)}
