from fractions import Fraction
from math import floor


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    total, share, weights, other = map(Fraction, (gpu_gb, util, weight_gb, overhead_gb))
    budget = {"vllm": share * total - other, "sglang": share * (total - other)}[engine]
    tokens = floor(max(Fraction(0), budget - weights) * 10**9 / kv_per_tok)
    return tokens, divmod(tokens, 16)[0]
