from fractions import Fraction


def mfu_hfu(model, tokens_per_s, gpus, sheet_peak, s, phase="train", recompute="none"):
    multiplied = model["params"] - model["embedding"] - (model["experts"] - model["top_k"]) * model["expert_params"]
    pairs = Fraction(s, 2 if model["causal"] else 1)
    dot_products = 2 * pairs * model["layers"] * model["heads"]
    macs_attention = dot_products * model["head_dim"]
    macs = multiplied + macs_attention
    repeated = 0
    if phase == "train":
        match recompute:
            case "selective":
                repeated = macs_attention
            case "full":
                repeated = macs
        macs = macs + macs + macs
    seconds = lambda count: 2 * count / (Fraction(sheet_peak) / 2)
    share = Fraction(tokens_per_s) / gpus
    return float(share * seconds(macs)), float(share * seconds(macs + repeated))
