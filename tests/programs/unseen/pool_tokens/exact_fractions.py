# expect: right
from fractions import Fraction


def _exact(value):
    return Fraction(str(value))


def _vllm(gpu, util, weight, overhead):
    return gpu * util - (weight + overhead)


def _sglang(gpu, util, weight, overhead):
    free_before = gpu - overhead
    reserved = free_before * (1 - util)
    return free_before - weight - reserved


_POOLS = {"vllm": _vllm, "sglang": _sglang}


def pool_tokens(gpu_gb, util, weight_gb, overhead_gb, kv_per_tok, engine="vllm"):
    pool = _POOLS[engine](_exact(gpu_gb), _exact(util), _exact(weight_gb), _exact(overhead_gb))
    if pool <= 0:
        return 0, 0
    tokens = int(pool * 1_000_000_000 // _exact(kv_per_tok))
    return tokens, tokens // 16
