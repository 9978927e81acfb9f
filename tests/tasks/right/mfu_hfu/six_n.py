import numpy as np

# Multiples of N and of L * h * s per token, for attention in both directions.
TRAIN = np.array([6.0, 12.0])
EXTRA = {"none": np.array([0.0, 0.0]), "selective": np.array([0.0, 4.0]), "full": np.array([2.0, 4.0])}


def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    n = model["params"] - model["embedding"] - model["experts"] * model["expert_params"]
    n += model["top_k"] * model["expert_params"]
    lhs = model["layers"] * (model["heads"] * model["head_dim"]) * s * (0.5 if model["causal"] else 1.0)
    sizes = np.array([n, lhs], dtype=np.float64)
    counts = {"train": TRAIN, "forward": TRAIN / 3}[phase]
    spent = counts + (EXTRA[recompute] if phase == "train" else 0)
    per_token = np.stack([counts, spent]) @ sizes
    mfu, hfu = per_token * (tokens_per_s / gpus) / (sheet_peak / 2)
    return float(mfu), float(hfu)
