from dataclasses import dataclass
from fractions import Fraction

GB = 10**9


@dataclass
class Model:
    body: int
    head: int

    @property
    def size(self) -> int:
        return self.body + self.head


def divided(amount: int, opts, from_stage: int) -> Fraction:
    return Fraction(amount, opts["dp"] if opts["zero_stage"] >= from_stage else 1)


def rl_memory(params, opts):
    model = Model(params["body"], params["embedding"] * (2 - bool(params["tied"])))
    adapter = opts["lora"]
    trainable = adapter if adapter > 0 else model.size
    state_bytes = {"mixed": 12, "bf16": 4}[opts["optimizer"]]
    token = params["layers"] * params["kv_heads"] * params["head_dim"] * (4 if opts["kv_dtype"] == "bf16" else 2)

    exact = {
        "weights": divided(2 * (model.size + adapter), opts, 3),
        "grads": divided(2 * trainable, opts, 2),
        "optimizer": divided(state_bytes * trainable, opts, 1),
        "reference": 0,
        "reward_model": 0,
        "engine": 0,
        "kv_cache": 0,
    }
    if opts["beta"] > 0 and adapter == 0:
        exact["reference"] = 2 * model.size
    if opts["reward"] == "model":
        exact["reward_model"] = 2 * model.size
    if opts["engine"] == "colocated":
        exact["engine"] = (1 if opts["engine_dtype"] == "fp8" else 2) * model.body + 2 * model.head
        exact["kv_cache"] = token * opts["kv_tokens"]
    exact["total"] = sum(exact.values())
    return {item: float(amount / GB) for item, amount in exact.items()} | {"kv_bytes_per_token": token}
