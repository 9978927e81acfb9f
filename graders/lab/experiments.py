"""Runs small real models for the estimation tasks and prints their memory use as JSON; runs in its own process.

There is one experiment for each entry of `EXPERIMENTS`. Each experiment runs several setups; the arguments of a setup
describe the same configuration to the task's function, so an estimate can be compared with the measurement. No
submission code runs here.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import torch
from torch.nn.functional import cross_entropy, gelu, scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop

from graders.lab.meter import AllocationCounter, CudaMeter, Meter

GB = 1e9
RANKS = 4
DROPOUT = 0.1
BLOCK_TOKENS = 16


class Sample(NamedTuple):
    """One measured amount. The estimate is `scale` times the sum of these `outputs` from the task's function."""

    phase: str
    measured: int
    outputs: tuple[str, ...] = ()
    scale: float = 1.0


@dataclass
class Measured:
    """One setup: its name, the arguments that describe it to the task's function, its samples, and a note."""

    name: str
    args: dict[str, Any]
    samples: list[Sample] = field(default_factory=list)
    note: str = ""


class FlatModel:
    """A two-layer MLP whose weights share one flat buffer; the buffer size is not divisible by the number of ranks.

    If `shards` > 1, only the first shard of the buffer, padded as in ZeRO, is stored.
    """

    inner, outer = 1023, 255
    size = 2 * inner * outer + outer

    def __init__(self, meter: Meter, dtype: torch.dtype, shards: int = 1) -> None:
        self.shard = -(-self.size // shards)
        self.flat = torch.full((self.shard,), 0.01, dtype=dtype, device=meter.device)

    def gathered(self) -> torch.Tensor:
        """Return the full weights. The other ranks' shards are zeros, because those ranks do not run."""
        whole = torch.zeros(self.size, dtype=self.flat.dtype, device=self.flat.device)
        whole[: self.shard] = self.flat
        return whole

    def forward(self, weights: torch.Tensor, rows: int = 4) -> torch.Tensor:
        """Return the outputs for a small batch of constant inputs."""
        size = self.inner * self.outer
        up, down, bias = torch.split(weights, [size, size, self.outer])
        inputs = torch.ones(rows, self.outer, dtype=weights.dtype, device=weights.device)
        hidden = gelu(inputs @ up.view(self.outer, self.inner))
        return torch.addmm(bias, hidden, down.view(self.inner, self.outer))

    def gradient(self, weights: torch.Tensor) -> torch.Tensor:
        """Return the gradient of all weights."""
        weights = weights.detach().requires_grad_()
        (gradient,) = torch.autograd.grad(self.forward(weights).float().square().sum(), weights)
        return gradient


class Regime(NamedTuple):
    """How a model is trained: dtypes of weights and gradients, the optimizer, and whether master weights are kept."""

    name: str
    weights: torch.dtype
    gradients: torch.dtype
    has_master: bool
    optimizer: str
    optimizer_bytes: int


BF16, FP32 = torch.bfloat16, torch.float32
REGIMES = (
    Regime("fp32, AdamW", FP32, FP32, False, "adamw", 8),
    Regime("fp32, SGD with momentum", FP32, FP32, False, "momentum", 4),
    Regime("bf16 without a master copy, AdamW", BF16, BF16, False, "adamw", 4),
    Regime("bf16 with fp32 master weights, AdamW", BF16, BF16, True, "adamw", 12),
    Regime("bf16 with fp32 master weights and fp32 gradients, AdamW", BF16, FP32, True, "adamw", 12),
)


def make_optimizer(regime: Regime, parameter: torch.Tensor) -> torch.optim.Optimizer:
    """Return the regime's optimizer. AdamW is fused, because otherwise it allocates a temporary copy of the weights."""
    if regime.optimizer == "adamw":
        return torch.optim.AdamW([parameter], fused=True)
    return torch.optim.SGD([parameter], lr=0.1, momentum=0.9)


class Training:
    """One rank's weights, gradients and optimizer state, created in the same order as in a real training step."""

    def __init__(self, meter: Meter, regime: Regime, stage: int = 0, ranks: int = 1) -> None:
        self._meter, self._regime, self._stage, self._ranks = meter, regime, stage, ranks
        self.model = FlatModel(meter, regime.weights, ranks if stage >= 3 else 1)
        self.gradients: torch.Tensor | None = None
        self._master: torch.Tensor | None = None
        self._optimizer: torch.optim.Optimizer | None = None

    def backward(self) -> None:
        """Compute the gradients, and keep this rank's shard in the regime's dtype for gradients."""
        model = self.model
        whole = model.gradient(model.gathered() if self._stage >= 3 else model.flat)
        kept = self._own(whole).clone() if self._stage >= 2 and self._ranks > 1 else whole
        del whole
        self.gradients = kept.to(self._regime.gradients)

    def step(self) -> None:
        """Run one optimizer step, which creates the optimizer's state the first time."""
        assert self.gradients is not None
        weights = self.model.flat if self._stage >= 3 else self._own(self.model.flat)
        if self._optimizer is None:
            is_own = self._regime.has_master
            self._master = weights.to(FP32, copy=True) if is_own else weights
            self._optimizer = make_optimizer(self._regime, self._master)
        assert self._master is not None
        gradients = self.gradients if self._stage >= 2 or self._ranks == 1 else self._own(self.gradients)
        self._master.grad = gradients.to(self._master.dtype)
        self._optimizer.step()
        self._master.grad = None
        if self._regime.has_master:
            weights.copy_(self._master[: weights.numel()])

    def _own(self, whole: torch.Tensor) -> torch.Tensor:
        """Return this rank's shard of a whole tensor; the first rank's shard contains no padding."""
        return whole[: -(-FlatModel.size // self._ranks)] if self._stage else whole


def zero_shard_bytes(meter: Meter) -> Iterator[Measured]:
    """Measure the model states with each optimizer, and then one rank's share at each ZeRO stage on four ranks."""
    yield from (_training_states(meter, regime, 0, 1) for regime in REGIMES)
    mixed = REGIMES[-1]
    yield from (_training_states(meter, mixed, stage, RANKS) for stage in (1, 2, 3))


def _training_states(meter: Meter, regime: Regime, stage: int, ranks: int) -> Measured:
    name = regime.name + (f", ZeRO stage {stage} on {ranks} ranks" if stage else "")
    args = {
        "psi": FlatModel.size,
        "N": ranks,
        "stage": stage,
        "p_bytes": regime.weights.itemsize,
        "g_bytes": regime.gradients.itemsize,
        "opt_bytes": regime.optimizer_bytes,
    }
    note = "The other ranks do not run; this rank stores its own shard." if stage else ""
    measured = Measured(name, args, note=note)
    before = meter.live_bytes()
    meter.reset_peak()
    training = Training(meter, regime, stage, ranks)
    after_weights = meter.live_bytes()
    training.backward()
    after_backward = meter.live_bytes()
    training.step()
    after_step = meter.live_bytes()
    parts = (("weights", "params", after_weights - before), ("gradients", "grads", after_backward - after_weights))
    measured.samples = [Sample(phase, size, (output,)) for phase, output, size in parts]
    measured.samples += [
        Sample("optimizer state after a step", after_step - after_backward, ("opt",)),
        Sample("all states after a step", after_step - before, ("params", "grads", "opt")),
    ]
    measured.samples.append(Sample("peak of the step, with temporary buffers", meter.peak_bytes() - before))
    return measured


class Layer(torch.nn.Module):
    """One layer of the classic transformer of arXiv:2205.05198, for a single sequence: [s, h] in, [s, h] out."""

    def __init__(self, hidden: int, heads: int, recompute: str, is_fused: bool) -> None:
        super().__init__()
        self.heads, self.recompute, self.is_fused = heads, recompute, is_fused
        self.before_attention, self.before_mlp = torch.nn.LayerNorm(hidden), torch.nn.LayerNorm(hidden)
        self.qkv, self.projection = torch.nn.Linear(hidden, 3 * hidden), torch.nn.Linear(hidden, hidden)
        self.up, self.down = torch.nn.Linear(hidden, 4 * hidden), torch.nn.Linear(4 * hidden, hidden)
        self.after_recompute: Callable[[], None] = lambda: None

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the layer's output; if `recompute` is "full", only its input is kept for the backward pass."""
        return self._again(self._whole, inputs) if self.recompute == "full" else self._whole(inputs)

    def _again(self, function: Callable[[torch.Tensor], torch.Tensor], inputs: torch.Tensor) -> torch.Tensor:
        calls = []

        def watched(inputs: torch.Tensor) -> torch.Tensor:
            result = function(inputs)
            calls.append(0)
            if len(calls) == 2:  # the first call is the forward pass, the second is the recomputation
                self.after_recompute()
            return result

        result: torch.Tensor = checkpoint(watched, inputs, use_reentrant=False)
        return result

    def _whole(self, inputs: torch.Tensor) -> torch.Tensor:
        qkv = self.qkv(self.before_attention(inputs))
        attended = self._again(self._attention, qkv) if self.recompute == "selective" else self._attention(qkv)
        # native_dropout saves a mask with one byte per element; on a CPU, nn.Dropout saves a mask in its input's dtype.
        inputs = inputs + torch.native_dropout(self.projection(attended), DROPOUT, True)[0]
        inner: torch.Tensor = self.down(gelu(self.up(self.before_mlp(inputs))))
        return torch.add(inputs, torch.native_dropout(inner, DROPOUT, True)[0])

    def _attention(self, qkv: torch.Tensor) -> torch.Tensor:
        length = qkv.shape[0]
        query, key, value = qkv.view(length, self.heads, -1).transpose(0, 1).chunk(3, dim=-1)  # [a, s, h / a] each
        if self.is_fused:
            # The fused CPU kernel does not support attention dropout.
            (fused,) = scaled_dot_product_attention(query[None], key[None], value[None])
            return torch.transpose(fused, 0, 1).reshape(length, -1)
        scores = torch.bmm(query, key.transpose(1, 2)).mul_(query.shape[-1] ** -0.5)
        weights = torch.native_dropout(scores.softmax(-1), DROPOUT, True)[0]
        return torch.bmm(weights, value).transpose(0, 1).reshape(length, -1)


class Shape(NamedTuple):
    """How the layers of one pipeline stage are run; `vocabulary` is 0 if there is no output projection."""

    name: str
    recompute: str = "none"
    is_fused: bool = False
    stages: int = 1
    vocabulary: int = 0


SHAPES = (
    Shape("everything kept"),
    Shape("fused attention", is_fused=True),
    Shape("selective recomputation", recompute="selective"),
    Shape("full recomputation", recompute="full"),
    Shape("full recomputation, fused attention", recompute="full", is_fused=True),
    Shape("first of two pipeline stages, fused attention", is_fused=True, stages=2),
    Shape("fused attention, with logits", is_fused=True, vocabulary=8192),
)
LENGTH, HIDDEN, HEADS, LAYERS = 256, 256, 8, 4


def activation_memory(meter: Meter) -> Iterator[Measured]:
    """Measure the activations that a bf16 transformer's forward pass keeps, and those added by recomputation."""
    yield from (_activations(meter, shape) for shape in SHAPES)


def _activations(meter: Meter, shape: Shape) -> Measured:
    sizes = {"s": LENGTH, "b": 1, "h": HIDDEN, "a": HEADS, "L": LAYERS, "t": 1, "p": shape.stages}
    modes = {"recompute": shape.recompute, "flash": shape.is_fused, "sp": False, "cp": 1}
    measured = Measured(shape.name, {**sizes, **modes, "V": shape.vocabulary, "stage": 0})
    layers = [Layer(HIDDEN, HEADS, shape.recompute, shape.is_fused) for _ in range(LAYERS // shape.stages)]
    head = [torch.nn.Linear(HIDDEN, shape.vocabulary, bias=False)] if shape.vocabulary else []
    model = torch.nn.ModuleList([*layers, *head]).to(meter.device, BF16)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    before = meter.live_bytes()
    meter.reset_peak()
    recomputed = [0]
    for layer in layers:
        layer.after_recompute = lambda: recomputed.append(meter.live_bytes() - before)
    with set_checkpoint_early_stop(False):
        running = [_forward(meter, layers, head) for _ in range(shape.stages)]
        kept = meter.live_bytes() - before
        while running:
            logits, loss = running.pop(0)
            del logits
            loss.backward()  # type: ignore[no-untyped-call]
            del loss
    is_recomputing = shape.recompute != "none"
    estimate = ("memory_bytes",)
    measured.samples.append(Sample("kept after the forward pass", kept, () if is_recomputing else estimate))
    if is_recomputing:
        measured.samples.append(Sample("while a layer is recomputed", max(recomputed), estimate))
    measured.samples.append(Sample("peak, with gradients and temporary buffers", meter.peak_bytes() - before))
    if shape.recompute == "selective":
        measured.note = (
            "When the last layer recomputes its attention, its backward pass has already freed the activations of its "
            "MLP. The task's rule does not subtract them."
        )
    if shape.vocabulary:
        measured.note = (
            "cross_entropy frees the fp32 copy of the logits but keeps its log-softmax, which is the same size."
        )
    return measured


def _forward(
    meter: Meter, layers: list[Layer], head: list[torch.nn.Linear]
) -> tuple[torch.Tensor | None, torch.Tensor]:
    """Run the forward pass of one microbatch; return its logits, if any, and its loss."""
    hidden = torch.randn(LENGTH, HIDDEN, device=meter.device, dtype=BF16, requires_grad=True)
    for layer in layers:
        hidden = layer(hidden)
    if not head:
        return None, hidden.sum()
    logits = head[0](hidden)
    return logits, cross_entropy(logits.float(), torch.zeros(LENGTH, dtype=torch.int64, device=meter.device))


class Cache(NamedTuple):
    """What one layer caches per token on one rank: the number of vectors, and their size and dtype."""

    name: str
    vectors: int
    size: int
    dtype: torch.dtype
    args: dict[str, Any]


HEAD_SIZE, QUERY_HEADS = 32, 8
CACHES = (
    Cache("8 key-value heads, bf16", 16, HEAD_SIZE, BF16, {"n_kv": 8, "bytes": 2}),
    Cache("2 key-value heads, bf16", 4, HEAD_SIZE, BF16, {"n_kv": 2, "bytes": 2}),
    Cache("2 key-value heads, fp8", 4, HEAD_SIZE, torch.float8_e4m3fn, {"n_kv": 2, "bytes": 1}),
    Cache("8 key-value heads on one of 4 ranks, bf16", 4, HEAD_SIZE, BF16, {"n_kv": 8, "bytes": 2, "tp": 4}),
    Cache("2 key-value heads on one of 4 ranks, bf16", 2, HEAD_SIZE, BF16, {"n_kv": 2, "bytes": 2, "tp": 4}),
    Cache("latent of 64 and rotary key of 16, bf16", 1, 80, BF16, {"n_kv": 0, "bytes": 2, "mla": (64, 16)}),
)
CACHE_LAYERS, SEQUENCES, PROMPT_TOKENS, ANSWER_TOKENS = 3, 4, 64, 16


def kv_bytes(meter: Meter) -> Iterator[Measured]:
    """Measure a cache that grows token by token while a batch of sequences is decoded."""
    for cache in CACHES:
        tokens = SEQUENCES * (PROMPT_TOKENS + ANSWER_TOKENS)
        head_size = 0 if "mla" in cache.args else HEAD_SIZE
        measured = Measured(cache.name, {"L": CACHE_LAYERS, "d_h": head_size, "tokens": tokens, **cache.args})
        before = meter.live_bytes()
        meter.reset_peak()
        layers = [_new_tokens(meter, cache, PROMPT_TOKENS) for _ in range(CACHE_LAYERS)]
        for _ in range(ANSWER_TOKENS):
            for place, cached in enumerate(layers):
                # Copy the cache to append to it; fp8 tensors cannot be concatenated on every device, but their bytes
                # can.
                parts = [cached.view(torch.uint8), _new_tokens(meter, cache, 1).view(torch.uint8)]
                layers[place] = torch.cat(parts, dim=1).view(cache.dtype)
                del cached, parts
                _attend(layers[place])
        measured.samples = [
            Sample("cache after the last token", meter.live_bytes() - before, ("memory_bytes",)),
            Sample("peak while decoding, with temporary buffers", meter.peak_bytes() - before),
        ]
        measured.note = "Each token is appended by copying the layer's cache."
        yield measured
        del layers


def _new_tokens(meter: Meter, cache: Cache, count: int) -> torch.Tensor:
    """Return what a layer caches for `count` new tokens of each sequence: [sequences, tokens, vectors, size]."""
    return torch.randn(SEQUENCES, count, cache.vectors, cache.size, device=meter.device).to(cache.dtype)


def _attend(cached: torch.Tensor) -> torch.Tensor:
    """Return the attention output of one new token.

    The first half of the cached vectors are the keys, and the second half are the values. A single cached vector serves
    as both.
    """
    vectors = cached.float()
    keys, values = vectors.chunk(2, dim=2) if vectors.shape[2] > 1 else (vectors, vectors)
    query = torch.ones(keys.shape[0], 1, *keys.shape[2:], device=keys.device)
    weights = (query * keys).sum(-1, keepdim=True).softmax(1)
    return (weights * values).sum(1)


TOTAL_BYTES, OTHER_BYTES = 24_000_700, 1_500_000
POOL_LAYERS, POOL_HEADS, POOL_HEAD_SIZE = 2, 4, 32


def pool_tokens(meter: Meter) -> Iterator[Measured]:
    """Fill the KV cache of a small engine, block by block, until its share of a small memory budget is used up."""
    for engine, util in (("vllm", 0.9), ("sglang", 0.8)):
        before = meter.live_bytes()
        other = torch.zeros(OTHER_BYTES if engine == "sglang" else 0, dtype=torch.uint8, device=meter.device)
        loaded = meter.live_bytes()
        model = FlatModel(meter, BF16)
        weights = meter.live_bytes() - loaded
        meter.reset_peak()
        model.forward(model.flat, rows=256)
        activations = meter.peak_bytes() - loaded - weights
        per_token = 2 * POOL_LAYERS * POOL_HEADS * POOL_HEAD_SIZE * BF16.itemsize
        if engine == "sglang":
            overhead, room = OTHER_BYTES, int(util * (TOTAL_BYTES - (loaded - before))) - weights
        else:
            overhead, room = activations, int(util * TOTAL_BYTES) - weights - activations
        tokens = _fill(meter, room, per_token)
        args = {"gpu_gb": TOTAL_BYTES / GB, "util": util, "weight_gb": weights / GB, "overhead_gb": overhead / GB}
        measured = Measured(f"{engine}, 24 MB of memory", {**args, "kv_per_tok": per_token, "engine": engine})
        measured.samples = [
            Sample("tokens cached", tokens, ("tokens",)),
            Sample("full blocks of 16 tokens", tokens // BLOCK_TOKENS, ("blocks",)),
        ]
        yield measured
        del other, model


def _fill(meter: Meter, room: int, per_token: int) -> int:
    """Return how many tokens fit in `room` bytes, measured by allocating whole blocks and then single tokens."""
    before, count, kept = meter.live_bytes(), 0, []
    for tokens in (BLOCK_TOKENS, 1):
        while meter.live_bytes() - before + tokens * per_token <= room:
            kept.append(torch.empty(tokens * per_token, dtype=torch.uint8, device=meter.device))
            count += tokens
    return count


class Plan(NamedTuple):
    """A GRPO step: which models this device holds, what is offloaded, and whether the phases run one after the other.

    `scorer` is the dtype of the reward model. If `stage` is not 0, the actor's states are sharded across four ranks.
    """

    name: str
    regime: Regime
    roles: tuple[str, ...] = ("actor", "rollout", "ref", "rm")
    offload: tuple[str, ...] = ()
    is_colocated: bool = True
    pool_bytes: int = 3_000_000
    stage: int = 0
    scorer: torch.dtype = BF16


PLANS = (
    Plan("phases take turns", REGIMES[-1]),
    Plan("nothing is released", REGIMES[-1], is_colocated=False),
    Plan("reference and reward model offloaded", REGIMES[-1], offload=("ref", "rm")),
    Plan("bf16 without a master copy", REGIMES[2]),
    Plan("verifier rewards, no KL term", REGIMES[-1], roles=("actor", "rollout")),
    Plan("large KV cache", REGIMES[-1], pool_bytes=24_000_000),
    Plan("trainer without an engine", REGIMES[-1], roles=("actor", "ref")),
    Plan("engine without a trainer", REGIMES[-1], roles=("rollout",)),
    Plan("ZeRO stage 1 on 4 ranks, reward model in fp32", REGIMES[-1], stage=1, scorer=FP32),
    Plan("ZeRO stage 2 on 4 ranks, nothing is released", REGIMES[-1], stage=2, is_colocated=False),
    Plan("ZeRO stage 3 on 4 ranks", REGIMES[-1], stage=3),
)


def grpo_memory_estimate(meter: Meter) -> Iterator[Measured]:
    """Measure both phases of a GRPO step with small models: generation, then scoring and the actor's update."""
    yield from (_grpo_step(meter, plan) for plan in PLANS)


def _grpo_step(meter: Meter, plan: Plan) -> Measured:
    regime = plan.regime
    master, moment = (4, 4) if regime.has_master else (0, 2)
    actor = {"train": regime.weights.itemsize, "grad": regime.gradients.itemsize, "master": master}
    args = {
        "n_params": FlatModel.size,
        "bytes_per_param": {**actor, "m": moment, "v": moment, "ref": 2, "rm": plan.scorer.itemsize, "rollout": 2},
        "roles": plan.roles,
        "zero_stage": plan.stage,
        "dp": RANKS if plan.stage else 1,
        "offload": plan.offload,
        "kv_pool_gb": plan.pool_bytes / GB,
        "colocate_phases": plan.is_colocated,
    }
    measured = Measured(plan.name, args)
    before = meter.live_bytes()
    meter.reset_peak()
    rollout = Phase(meter, "rollout")
    if "rollout" in plan.roles:
        engine = rollout.hold("rollout", lambda: FlatModel(meter, BF16))
        rollout.hold("kv_pool", lambda: torch.zeros(plan.pool_bytes, dtype=torch.uint8, device=meter.device))
        engine.forward(engine.flat)
        del engine
    else:
        rollout.hold("kv_pool", lambda: None)
    generating = meter.live_bytes() - before
    if plan.is_colocated:
        rollout.release()
    train = Phase(meter, "train")
    training = None
    if "actor" in plan.roles:
        ranks = RANKS if plan.stage else 1
        training = train.hold("weights", lambda: Training(meter, regime, plan.stage, ranks))
    for role, dtype in (("ref", BF16), ("rm", plan.scorer)):
        if role in plan.roles and role not in plan.offload:
            scorer = train.hold(role, partial(FlatModel, meter, dtype))
            scorer.forward(scorer.flat)
            del scorer
        elif role in plan.roles:
            visitor = FlatModel(meter, dtype)  # the model is copied to the device, used, and freed
            visitor.forward(visitor.flat)
            del visitor
    if training is not None:
        train.hold("grads", training.backward)
        train.hold("optimizer", training.step)
    training_bytes = meter.live_bytes() - before
    measured.samples = [*rollout.samples, *train.samples]
    held = max(generating, training_bytes)
    measured.samples.append(Sample("peak memory, over all phases", held, ("peak_gb",), GB))
    measured.samples.append(Sample("peak, with activations and temporary buffers", meter.peak_bytes() - before))
    return measured


class Phase:
    """The items that a phase of a GRPO step holds in memory, with the number of bytes that each item added."""

    def __init__(self, meter: Meter, name: str) -> None:
        self.samples: list[Sample] = []
        self._meter, self._name, self._held = meter, name, list[Any]()

    def hold(self, item: str, make: Callable[[], Any]) -> Any:
        """Create an item, hold it until `release`, and record how many bytes it added."""
        before = self._meter.live_bytes()
        made = make()
        self._held.append(made)
        added = self._meter.live_bytes() - before
        self.samples.append(Sample(f"{self._name}: {item}", added, (f"phases.{self._name}.{item}",), GB))
        return made

    def release(self) -> None:
        """Free all items."""
        self._held.clear()


EXPERIMENTS: dict[str, Callable[[Meter], Iterator[Measured]]] = {
    "activation_memory": activation_memory,
    "grpo_memory_estimate": grpo_memory_estimate,
    "kv_bytes": kv_bytes,
    "pool_tokens": pool_tokens,
    "zero_shard_bytes": zero_shard_bytes,
}


@contextmanager
def open_meter(device: str) -> Iterator[Meter]:
    """Yield a running meter for "cpu", "cuda", or "auto" (prefers a GPU). Raises LookupError for a missing GPU."""
    if device == "cuda" and not torch.cuda.is_available():
        raise LookupError("torch sees no CUDA device")
    meter = CudaMeter() if device != "cpu" and torch.cuda.is_available() else AllocationCounter()
    with meter:
        yield meter


def measure(task: str, device: str) -> dict[str, Any]:
    """Return all measurements for a task as plain data. Raises KeyError for a task without an experiment."""
    torch.manual_seed(0)
    with open_meter(device) as meter:
        setups = [
            {"name": setup.name, "args": repr(setup.args), "note": setup.note, "samples": setup.samples}
            for setup in EXPERIMENTS[task](meter)
        ]
        return {"device": meter.device, "method": meter.method, "torch": torch.__version__, "setups": setups}


def main(task: str, device: str) -> None:
    """Print the measurements, or the reason why no measurements were made, as one JSON object."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # all other output goes to standard error, so it does not mix with the answer
    with contextlib.closing(answers):
        try:
            answer: dict[str, Any] = measure(task, device)
        except LookupError as error:
            answer = {"lacks": str(error)}
        json.dump(answer, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
