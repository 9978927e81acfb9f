# expect: wrong
# mistake: At ZeRO stage 3 the weights of the reference and the reward model are divided by dp as well.
class _Estimator:
    def __init__(self, n_params, bpp, roles, stage, dp, offload):
        self.n, self.bpp, self.roles = n_params, bpp, roles
        self.stage, self.dp, self.offload = stage, dp, offload

    def size(self, keys, min_stage=None):
        total = sum(self.bpp[k] for k in keys) * self.n / 1e9
        if min_stage is not None and self.stage >= min_stage:
            total = total / self.dp
        return total

    def train(self):
        out = {"weights": 0.0, "grads": 0.0, "optimizer": 0.0, "ref": 0.0, "rm": 0.0}
        if "actor" in self.roles:
            out["weights"] = self.size(["train"], 3)
            out["grads"] = self.size(["grad"], 2)
            if "optimizer" not in self.offload:
                out["optimizer"] = self.size(["master", "m", "v"], 1)
        for name in ("ref", "rm"):
            if name in self.roles and name not in self.offload:
                out[name] = self.size([name], 3)
        return out


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    est = _Estimator(n_params, bytes_per_param, roles, zero_stage, dp, offload)
    train = est.train()
    rollout = {"rollout": 0.0, "kv_pool": 0.0}
    if "rollout" in roles:
        rollout = {"rollout": est.size(["rollout"]), "kv_pool": float(kv_pool_gb)}
    a, b = sum(rollout.values()), sum(train.values())
    peak = max(a, b) if colocate_phases else a + b
    return {"phases": {"rollout": rollout, "train": train}, "peak_gb": peak}
