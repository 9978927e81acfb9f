from dataclasses import asdict, dataclass, fields
from fractions import Fraction


@dataclass
class Rollout:
    rollout: float
    kv_pool: float


@dataclass
class Train:
    weights: float
    grads: float
    optimizer: float
    ref: float
    rm: float


def total(phase):
    return sum(getattr(phase, field.name) for field in fields(phase))


def grpo_memory_estimate(
    n_params, bytes_per_param, roles, zero_stage=0, dp=1, offload=(), kv_pool_gb=0.0, colocate_phases=True
):
    def gb(role, *keys, item="", stage=4):
        if role not in roles or item in offload:
            return 0.0
        size = sum(Fraction(bytes_per_param[key]) for key in keys) * Fraction(n_params) / 10**9
        return float(size / dp if zero_stage >= stage else size)

    rollout = Rollout(gb("rollout", "rollout"), float(kv_pool_gb) if "rollout" in roles else 0.0)
    train = Train(
        weights=gb("actor", "train", stage=3),
        grads=gb("actor", "grad", stage=2),
        optimizer=gb("actor", "master", "m", "v", item="optimizer", stage=1),
        ref=gb("ref", "ref", item="ref"),
        rm=gb("rm", "rm", item="rm"),
    )
    combine = max if colocate_phases else lambda left, right: left + right
    return {
        "phases": {"rollout": asdict(rollout), "train": asdict(train)},
        "peak_gb": combine(total(rollout), total(train)),
    }
