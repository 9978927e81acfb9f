"""Each case has losses of one kind; the expected results follow from their names in harness.py."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def right(name, *losses):
    expected = {"accepted": torch.ones(len(losses), dtype=torch.float64)}
    return Case(name=name, args={"losses": list(losses)}, expected=expected, visible=True)


def wrong(name, *losses):
    expected = {"accepted": torch.zeros(len(losses), dtype=torch.float64)}
    return Case(name=name, args={"losses": list(losses)}, expected=expected, visible=True)


def cases(_: torch.Generator) -> Iterator[Case]:
    """Yield the cases; nothing is random."""
    yield right("right", "plain", "looped", "selected", "by_sign")
    yield right("right_in_float32", "in_float32")
    yield right("right_with_zero_gradients", "zero_gradients")
    yield wrong("objective", "max_for_min", "clip_only", "not_clipped")
    yield wrong("half_clipped", "lower_clip_missing", "upper_clip_missing")
    yield wrong("slightly_off", "wider_range", "second_order_ratio")
    yield wrong("further_limits", "dual_clip", "log_ratio_clamped", "advantages_clamped")
    yield wrong("ratio", "old_over_new", "log_ratio_as_ratio", "opposite_sign")
    yield wrong("row_means", "mean_of_rows", "all_positions")
    yield wrong("micro_batches", "own_tokens", "not_divided")
    yield wrong("padding", "mask_ignored", "masked_by_product")
    yield wrong("padding_in_gradient", "masked_after_exp")
    yield wrong("empty", "nan_if_empty", "raises_if_empty", "no_graph_if_empty")
    yield wrong("all_zero", "nan_if_all_zero")
    yield wrong("no_gradient", "detached", "gradient_missing")
    yield wrong("gradient", "gradient_of_unclipped", "gradient_negated", "gradient_doubled", "gradient_spread")
    yield wrong("value_only", "constant_added")
    yield wrong("constants", "old_with_gradient", "advantages_with_gradient")
    yield wrong("advantages_changed", "whitened")
    yield wrong("order", "last_row_dropped", "last_step_dropped", "weighted_by_row")
    yield wrong("single_row", "single_row_averaged", "single_row_squeezed")
    yield wrong("overwritten", "inputs_overwritten")
