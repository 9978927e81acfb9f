# expect: wrong
# mistake: The two all-reduces per layer are added to the step time even with a single GPU, instead of only with more than one.
class _Roofline:
    def __init__(self, model, hw, ctx):
        self.m, self.hw, self.ctx = model, hw, ctx

    def mem(self, b):
        m = self.m
        size = m["weight_bytes"] + m["kv_per_tok"] * self.ctx * b
        if m["experts"]:
            prob_hit = 1 - (1 - m["top_k"] / m["experts"]) ** b
            size += prob_hit * m["experts"] * m["expert_bytes"]
        return size / self.hw["bw"] / self.hw["tp"]

    def comp(self, b):
        return 2 * b * self.m["active_params"] / self.hw["flops"] / self.hw["tp"]

    def bound(self, b):
        return self.comp(b) > self.mem(b)

    def ridge(self):
        per_tok_c = 2 * self.m["active_params"] / self.hw["flops"]
        per_tok_m = self.m["kv_per_tok"] * self.ctx / self.hw["bw"]
        if per_tok_c <= per_tok_m:
            return -1
        hi = 1
        while not self.bound(hi):
            hi *= 2
        lo = 1
        while lo < hi:
            mid = (lo + hi) // 2
            if self.bound(mid):
                hi = mid
            else:
                lo = mid + 1
        return lo


def decode_roofline(model, hardware, batch, ctx):
    r = _Roofline(model, hardware, ctx)
    allreduce = 2 * model["layers"] * hardware["alpha"]
    t = max(r.mem(batch), r.comp(batch)) + allreduce
    return {
        "ms": t * 1e3,
        "tok_s": batch / t,
        "compute_bound": r.bound(batch),
        "ridge_batch": r.ridge(),
    }
