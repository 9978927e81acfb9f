"""A training step costs three forward passes; recomputation adds a fourth, or part of one, to HFU but not to MFU."""


def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    """Return the model and the hardware FLOPs utilization, as fractions of the dense peak.

    Units: tokens_per_s of all GPUs together; sheet_peak in FLOP/s of one GPU, twice its dense peak.
    Source: arXiv:2204.02311, appendix B; selective recomputation: arXiv:2205.05198, section 5.
    """
    idle_experts = model["experts"] - model["top_k"]
    active = model["params"] - model["embedding"] - idle_experts * model["expert_params"]
    # Two products per layer with s keys for each token, at 2 FLOPs per multiply-add.
    attention = 4 * s * model["layers"] * model["heads"] * model["head_dim"]
    if model["causal"]:
        attention /= 2
    # How often the phase runs a forward pass or its equal, and which parts of one are recomputed.
    passes, repeats = 1, (0, 0)
    if phase == "train":
        passes = 3
        repeats = {"none": (0, 0), "selective": (0, 1), "full": (1, 1)}[recompute]
    needed = passes * (2 * active + attention)
    recomputed = repeats[0] * 2 * active + repeats[1] * attention
    dense_peak = gpus * sheet_peak / 2
    return tokens_per_s * needed / dense_peak, tokens_per_s * (needed + recomputed) / dense_peak
