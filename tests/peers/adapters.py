"""Calls functions of public trainers with the arguments of our tasks.

An adapter maps names, shapes and options, so what the grader says about an adapter is true of the library's function.
It adds only results that the function does not return: an accuracy, or the two metrics beside a PPO loss. `takes` skips
cases that need an option that the library does not have. If a function is a method of a trainer, the adapter builds an
object with the attributes that the method reads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from openrlhf.models.loss import DPOLoss as OpenRlhfDpoLoss
from openrlhf.models.loss import LogExpLoss, PairWiseLoss, aggregate_loss
from openrlhf.models.loss import PolicyLoss as OpenRlhfPolicyLoss
from openrlhf.models.loss import ValueLoss as OpenRlhfValueLoss
from openrlhf.models.utils import compute_approx_kl, compute_entropy, log_probs_from_logits, masked_normalize
from openrlhf.trainer.ppo_utils.experience_maker import RemoteExperienceMaker
from openrlhf.trainer.ppo_utils.length_penalty import apply_overlong_penalty
from stable_baselines3.common.buffers import RolloutBuffer
from tianshou.algorithm.algorithm_base import Algorithm
from tianshou.algorithm.modelfree.dqn import DQN
from tianshou.data import Batch
from torch import Tensor
from torchrl.objectives.llm.distillation import k3_kl_token_estimate
from torchrl.objectives.llm.grpo import CISPOLoss, GRPOLoss
from torchrl.objectives.value.functional import generalized_advantage_estimate, vec_generalized_advantage_estimate
from torchtune import rlhf
from torchtune.rlhf.loss import DPOLoss as TorchtuneDpoLoss
from torchtune.rlhf.loss import PPOLoss as TorchtunePpoLoss
from trl.rewards.other_rewards import get_soft_overlong_punishment
from trl.trainer import utils as trl_utils
from trl.trainer.grpo_trainer import GRPOTrainer
from verl.trainer.ppo import core_algos
from verl.trainer.ppo.rollout_corr_helper import compute_rollout_correction_weights
from verl.utils import torch_functional
from verl.workers.config import ActorConfig

Args = dict[str, Any]
NO_DUAL_CLIP = 1e6
AGGREGATION = {
    "token": "token-mean",
    "seq": "seq-mean-token-mean",
    "seq_sum": "seq-mean-token-sum",
    "dr": "seq-mean-token-sum-norm",
}


@dataclass(frozen=True)
class Adapter:
    """One function of a library, the task that it fits, and a filter for the cases whose options it supports."""

    name: str
    task: str
    function: str
    takes: Callable[[Args], bool]

    @property
    def library(self) -> str:
        """Return the package that contains the function."""
        return self.function.partition(".")[0]


ADAPTERS: dict[str, Adapter] = {}


def peer(
    task: str, function: str, takes: Callable[[Args], bool] = lambda args: True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated adapter under its own name."""

    def register(adapter: Callable[..., Any]) -> Callable[..., Any]:
        ADAPTERS[adapter.__name__] = Adapter(adapter.__name__, task, function, takes)
        return adapter

    return register


def without_row_sums(args: Args) -> bool:
    """Return whether the reduction is a mean over tokens or over rows of token means."""
    return args.get("reduction", args.get("mode")) in (None, "token", "seq")


def is_one_answer_a_column(args: Args) -> bool:
    """Return whether every column is one episode that ends in the last row, like a language model's answer."""
    ends = args["terminated"] | args["truncated"]
    return bool(args["terminated"][-1].all()) and not bool(ends[:-1].any())


def is_of_equal_groups(args: Args) -> bool:
    """Return whether all groups have the same size, and more than one member."""
    sizes = set(torch.unique(args["group_id"], return_counts=True)[1].tolist())
    return len(sizes) == 1 and sizes != {1}


# --- verl


def verl_config(eps_low: float, eps_high: float, dual_c: float) -> Any:
    """Return an actor's configuration with these clip bounds."""
    return ActorConfig(
        strategy="fsdp",
        rollout_n=1,
        ppo_micro_batch_size_per_gpu=1,
        clip_ratio_low=eps_low,
        clip_ratio_high=eps_high,
        clip_ratio_c=dual_c,
    )


@peer("ppo_clip_loss", "verl.trainer.ppo.core_algos.compute_policy_loss_vanilla")
def verl_ppo(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    config = verl_config(eps_low, eps_high, dual_c or NO_DUAL_CLIP)
    mode = AGGREGATION[reduction]
    loss, metrics = core_algos.compute_policy_loss_vanilla(old_logp, logp, adv, mask.long(), mode, config)
    clipfrac, kl = metrics["actor/pg_clipfrac"], metrics["actor/ppo_kl"]
    return loss, logp.new_tensor(clipfrac), logp.new_tensor(kl)


@peer("grpo_loss", "verl.trainer.ppo.core_algos.compute_policy_loss_vanilla + kl_penalty")
def verl_grpo(logp, old_logp, ref_logp, adv, mask, eps, beta):
    advantages = adv[:, None].expand_as(logp)
    config, mode = verl_config(eps, eps, 3.0), AGGREGATION["seq"]
    loss, _ = core_algos.compute_policy_loss_vanilla(old_logp, logp, advantages, mask.long(), mode, config)
    if not beta:
        return loss
    penalty = core_algos.kl_penalty(logp, ref_logp, "low_var_kl")
    return loss + beta * core_algos.agg_loss(penalty, mask.long(), mode)


@peer("gspo_loss", "verl.trainer.ppo.core_algos.compute_policy_loss_gspo")
def verl_gspo(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    advantages = adv if adv.dim() == 2 else adv[:, None].expand_as(logp)
    config = verl_config(eps_low, eps_high, 3.0)
    return core_algos.compute_policy_loss_gspo(old_logp, logp, advantages, mask.long(), config=config)[0]


@peer("cispo_loss", "verl.trainer.ppo.core_algos.compute_policy_loss_cispo")
def verl_cispo(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    config = verl_config(1.0 if eps_low is None else eps_low, eps_high, 3.0)
    return core_algos.compute_policy_loss_cispo(old_logp, logp, adv, mask.long(), config=config)[0]


@peer("dppo_mask_loss", "verl.trainer.ppo.core_algos.compute_policy_loss_dppo_tv, ..._dppo_kl")
def verl_dppo(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    loss = core_algos.compute_policy_loss_dppo_tv if kind == "tv" else core_algos.compute_policy_loss_dppo_kl
    return loss(mu_logp, logp, adv, mask.long(), config=verl_config(delta, delta, C))[0]


@peer("reinforce_loss", "verl.trainer.ppo.core_algos.compute_policy_loss_reinforce")
def verl_reinforce(logp, adv, mask, reduction):
    advantages = adv if adv.dim() == 2 else adv[:, None].expand_as(logp)
    config, mode = verl_config(0.2, 0.2, 3.0), AGGREGATION[reduction]
    return core_algos.compute_policy_loss_reinforce(logp.detach(), logp, advantages, mask.long(), mode, config)[0]


@peer("value_loss_clipped", "verl.trainer.ppo.core_algos.compute_value_loss")
def verl_value(v, v_old, returns, mask, eps=0.2):
    return core_algos.compute_value_loss(v, returns, v_old, mask.long(), eps)[0]


@peer("kl_estimator", "verl.trainer.ppo.core_algos.kl_penalty")
def verl_kl(logp, ref_logp, kind):
    return core_algos.kl_penalty(logp, ref_logp, kind)


@peer("masked_reduce", "verl.trainer.ppo.core_algos.agg_loss")
def verl_reduce(x, mask, mode, L_const=None):
    return core_algos.agg_loss(x, mask.long(), AGGREGATION[mode], loss_scale_factor=L_const)


@peer(
    "group_advantage",
    "verl.trainer.ppo.core_algos.compute_grpo_outcome_advantage",
    lambda args: args.get("scale", "std") != "batch" and args.get("unbiased", True),
)
def verl_group(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    scores, mask = rewards[:, None], torch.ones_like(rewards[:, None])
    divides = scale == "std"
    return core_algos.compute_grpo_outcome_advantage(scores, mask, group_id.numpy(), eps, divides)[0][:, 0]


def verl_ids(rewards: Tensor) -> Any:
    """Return the row index of each reward."""
    return np.repeat(np.arange(len(rewards)), rewards.shape[1])


@peer("rloo_advantage", "verl.trainer.ppo.core_algos.compute_rloo_outcome_advantage")
def verl_rloo(rewards):
    scores = rewards.reshape(-1, 1)
    adv = core_algos.compute_rloo_outcome_advantage(scores, torch.ones_like(scores), verl_ids(rewards))[0]
    return adv.reshape(rewards.shape)


@peer("rloo_advantage", "verl.trainer.ppo.core_algos.compute_rloo_vectorized_outcome_advantage")
def verl_rloo_vectorized(rewards):
    scores = rewards.reshape(-1, 1)
    adv = core_algos.compute_rloo_vectorized_outcome_advantage(scores, torch.ones_like(scores), verl_ids(rewards))[0]
    return adv.reshape(rewards.shape)


@peer("gae", "verl.trainer.ppo.core_algos.compute_gae_advantage_return", is_one_answer_a_column)
def verl_gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    mask = torch.ones_like(rewards.T)
    adv, targets = core_algos.compute_gae_advantage_return(rewards.T, values.T, mask, gamma, lam)
    return adv.T, targets.T


@peer(
    "masked_whiten",
    "verl.utils.torch_functional.masked_whiten",
    lambda args: args.get("unbiased", True) and args.get("eps", 1e-8) == 1e-8,
)
def verl_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    return torch_functional.masked_whiten(x, mask.long(), shift_mean)


@peer(
    "entropy_from_logits",
    "verl.utils.torch_functional.entropy_from_logits + verl.trainer.ppo.core_algos.compute_entropy_loss",
    lambda args: args.get("mask") is not None,
)
def verl_entropy(logits, mask):
    return core_algos.compute_entropy_loss(logits, mask.long()), torch_functional.entropy_from_logits(logits)


@peer("token_logprobs", "verl.utils.torch_functional.logprobs_from_logits")
def verl_logprobs(logits, tokens, temperature=1.0):
    return torch_functional.logprobs_from_logits(logits[:, :-1] / temperature, tokens[:, 1:])


@peer(
    "rollout_correction",
    "verl.trainer.ppo.rollout_corr_helper.compute_rollout_correction_weights",
    lambda args: args["mode"] != "geo" and (args["kind"] == "tis" or args["lo"] > 0),
)
def verl_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    level = {"token": "token", "seq": "sequence"}[mode]
    threshold = hi if kind == "tis" else f"{lo}_{hi}"
    return compute_rollout_correction_weights(train_logp - rollout_logp, mask.long(), level, threshold)[0]


# --- TRL


def trl_loss(logp: Tensor, inputs: dict[str, Any], mask: Tensor, **options: Any) -> Tensor:
    """Return the loss of GRPOTrainer for log-probabilities that a model is assumed to have returned."""
    trainer = SimpleNamespace(
        _get_per_token_logps_and_entropies=lambda *_, **__: (logp, torch.zeros_like(logp), None),
        aux_loss_enabled=False,
        top_entropy_quantile=1.0,
        off_policy_mask_threshold=None,
        use_vllm=False,
        _entropy_bonus_enabled=False,
        current_gradient_accumulation_steps=1,
        model=SimpleNamespace(training=True),
        args=SimpleNamespace(use_bias_correction_kl=False, delta=None, steps_per_generation=1),
        accelerator=SimpleNamespace(num_processes=1, gather=lambda x: x, reduce=lambda x, reduction: x),
        _metrics=defaultdict(lambda: defaultdict(list)),
        **{"beta": 0.0, "importance_sampling_level": "token", **options},
    )
    tokens = {"completion_ids": torch.zeros_like(mask, dtype=torch.long), "completion_mask": mask.long()}
    prompt = torch.zeros(len(logp), 0, dtype=torch.long)
    tokens |= {"prompt_ids": prompt, "prompt_mask": prompt, "num_items_in_batch": mask.sum()}
    loss: Tensor = GRPOTrainer._compute_loss(trainer, trainer.model, {**tokens, **inputs})
    return loss


@peer("grpo_loss", "trl.GRPOTrainer._compute_loss, loss_type='grpo'")
def trl_grpo(logp, old_logp, ref_logp, adv, mask, eps, beta):
    inputs = {"advantages": adv, "old_per_token_logps": old_logp, "ref_per_token_logps": ref_logp}
    return trl_loss(logp, inputs, mask, loss_type="grpo", epsilon_low=eps, epsilon_high=eps, beta=beta)


@peer("gspo_loss", "trl.GRPOTrainer._compute_loss, loss_type='grpo', importance_sampling_level='sequence'",
      lambda args: args["adv"].dim() == 1)  # fmt: skip
def trl_gspo(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    options = {"epsilon_low": eps_low, "epsilon_high": eps_high, "importance_sampling_level": "sequence"}
    return trl_loss(logp, {"advantages": adv, "old_per_token_logps": old_logp}, mask, loss_type="grpo", **options)


@peer("cispo_loss", "trl.GRPOTrainer._compute_loss, loss_type='cispo'", lambda args: args.get("eps_low") is None)
def trl_cispo(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    inputs = {"advantages": adv, "old_per_token_logps": old_logp}
    return trl_loss(logp, inputs, mask, loss_type="cispo", epsilon_high=1 + eps_high)


@peer("cispo_loss", "trl.GRPOTrainer._compute_loss, loss_type='cispo', epsilon_high=eps_high",
      lambda args: args.get("eps_low") is None)  # fmt: skip
def trl_cispo_same_epsilon(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    inputs = {"advantages": adv, "old_per_token_logps": old_logp}
    return trl_loss(logp, inputs, mask, loss_type="cispo", epsilon_high=eps_high)


@peer("ppo_clip_loss", "trl.GRPOTrainer._compute_loss, loss_type='bnpo'",
      lambda args: args.get("reduction", "token") == "token" and args.get("dual_c") is None)  # fmt: skip
def trl_ppo(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    inputs = {"advantages": adv, "old_per_token_logps": old_logp}
    loss = trl_loss(logp, inputs, mask, loss_type="bnpo", epsilon_low=eps_low, epsilon_high=eps_high)
    return loss, *ours_beside_the_loss(logp, old_logp, adv, mask, eps_low, eps_high)


@peer("entropy_from_logits", "trl.trainer.utils.entropy_from_logits", lambda args: args.get("mask") is None)
def trl_entropy(logits, mask):
    entropy = trl_utils.entropy_from_logits(logits)
    return entropy.mean(), entropy


@peer("token_logprobs", "trl.trainer.utils.selective_log_softmax")
def trl_logprobs(logits, tokens, temperature=1.0):
    return trl_utils.selective_log_softmax(logits[:, :-1], tokens[:, 1:], temperature)


@peer("overlong_reward", "trl.rewards.get_soft_overlong_punishment")
def trl_overlong(len, L_max, L_cache):
    return torch.tensor(get_soft_overlong_punishment(L_max, L_cache)([range(count) for count in len.tolist()]))


def ours_beside_the_loss(logp, old_logp, adv, mask, eps_low, eps_high):
    """Return the task's two metrics, for libraries that compute the loss without them."""
    with torch.no_grad():
        log_ratio = torch.where(mask, logp - old_logp, 0.0)
        ratio = log_ratio.exp()
        is_clipped = -adv * ratio.clamp(1 - eps_low, 1 + eps_high) > -adv * ratio
        count = mask.sum().clamp(min=1)
        return (is_clipped & mask).sum().to(logp.dtype) / count, (ratio - 1 - log_ratio).sum() / count


# --- OpenRLHF


@peer("ppo_clip_loss", "openrlhf.models.loss.PolicyLoss")
def openrlhf_ppo(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    module = OpenRlhfPolicyLoss(eps_low, eps_high, dual_c, token_level_loss=reduction == "token")
    return module(logp, old_logp, adv, mask)[:3]


@peer("grpo_loss", "openrlhf.models.loss.PolicyLoss + openrlhf.models.utils.compute_approx_kl")
def openrlhf_grpo(logp, old_logp, ref_logp, adv, mask, eps, beta):
    loss = OpenRlhfPolicyLoss(eps, eps, token_level_loss=False)(logp, old_logp, adv[:, None], mask)[0]
    if not beta:
        return loss
    return loss + beta * aggregate_loss(compute_approx_kl(logp, ref_logp, kl_estimator="k3"), mask, False)


@peer("gspo_loss", "openrlhf.models.loss.PolicyLoss, policy_loss_type='gspo'")
def openrlhf_gspo(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    advantages = adv if adv.dim() == 2 else adv[:, None]
    return OpenRlhfPolicyLoss(eps_low, eps_high, policy_loss_type="gspo")(logp, old_logp, advantages, mask)[0]


@peer("value_loss_clipped", "openrlhf.models.loss.ValueLoss")
def openrlhf_value(v, v_old, returns, mask, eps=0.2):
    return OpenRlhfValueLoss(eps)(v, v_old, returns, mask)


@peer("masked_reduce", "openrlhf.models.loss.aggregate_loss", without_row_sums)
def openrlhf_reduce(x, mask, mode, L_const=None):
    return aggregate_loss(x, mask, mode == "token")


@peer("bradley_terry_loss", "openrlhf.models.loss.PairWiseLoss")
def openrlhf_pairwise(r_chosen, r_rejected, margin=0.0):
    return PairWiseLoss()(r_chosen, r_rejected, margin), (r_chosen > r_rejected).float().mean()


@peer(
    "bradley_terry_loss",
    "openrlhf.models.loss.LogExpLoss",
    lambda args: not torch.as_tensor(args.get("margin", 0.0)).any(),
)
def openrlhf_logexp(r_chosen, r_rejected, margin=0.0):
    return LogExpLoss()(r_chosen, r_rejected), (r_chosen > r_rejected).float().mean()


@peer("dpo_loss", "openrlhf.models.loss.DPOLoss")
def openrlhf_dpo(pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0):
    return OpenRlhfDpoLoss(beta, label_smoothing)(pi_w, pi_l, ref_w, ref_l)


@peer("kl_estimator", "openrlhf.models.utils.compute_approx_kl")
def openrlhf_kl(logp, ref_logp, kind):
    return compute_approx_kl(logp, ref_logp, kl_estimator=kind)


@peer("token_logprobs", "openrlhf.models.utils.log_probs_from_logits")
def openrlhf_logprobs(logits, tokens, temperature=1.0):
    return log_probs_from_logits(logits[:, :-1], tokens[:, 1:], temperature)


@peer("entropy_from_logits", "openrlhf.models.utils.compute_entropy", lambda args: args.get("mask") is None)
def openrlhf_entropy(logits, mask):
    entropy = compute_entropy._torchdynamo_orig_callable(logits)
    return entropy.mean(), entropy


@peer("masked_whiten", "openrlhf.models.utils.masked_normalize, dim=None",
      lambda args: not args.get("unbiased", True) and args.get("shift_mean", True))  # fmt: skip
def openrlhf_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    return masked_normalize(x, mask, dim=None, eps=eps)


@peer("overlong_reward", "openrlhf.trainer.ppo_utils.length_penalty.apply_overlong_penalty")
def openrlhf_overlong(len, L_max, L_cache):
    batch = SimpleNamespace(response_length=len, rewards=torch.zeros(len.shape))
    apply_overlong_penalty([batch], L_max, L_cache)
    return batch.rewards


def openrlhf_advantages(rewards: Tensor, order: Tensor, size: int, estimator: str) -> Tensor:
    """Return the advantages of one-token answers; `order` is the position of each answer among its prompt's answers."""
    algo = SimpleNamespace(advantage=SimpleNamespace(estimator=estimator, gamma=1.0, no_std_norm=False))
    reward = SimpleNamespace(clip_range=None)
    args = SimpleNamespace(rollout=SimpleNamespace(n_samples_per_prompt=size), reward=reward, algo=algo)
    maker = SimpleNamespace(
        strategy=SimpleNamespace(args=args), kl_ctl=SimpleNamespace(value=0.0), advantage_estimator=estimator
    )
    maker.get_cumulative_returns = lambda *given: RemoteExperienceMaker.get_cumulative_returns(maker, *given)
    mask = torch.ones(len(rewards), 1, dtype=torch.bool)
    batch = SimpleNamespace(rewards=rewards, index=order.tolist(), kl=torch.zeros(len(rewards), 1), info={})
    batch.action_mask = mask
    RemoteExperienceMaker.compute_advantages_and_returns(maker, [batch])
    advantages: Tensor = batch.advantages[:, 0]
    return advantages


@peer(
    "group_advantage",
    "openrlhf.trainer.ppo_utils.experience_maker.RemoteExperienceMaker.compute_advantages_and_returns",
    lambda args: args.get("scale", "std") != "batch" and args.get("unbiased", True) and is_of_equal_groups(args),
)
def openrlhf_group(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    order = torch.argsort(torch.argsort(group_id, stable=True))
    size = int((group_id == group_id[0]).sum())
    return openrlhf_advantages(rewards, order, size, {"std": "group_norm", "none": "dr_grpo"}[scale])


@peer(
    "rloo_advantage",
    "openrlhf.trainer.ppo_utils.experience_maker.RemoteExperienceMaker.compute_advantages_and_returns",
)
def openrlhf_rloo(rewards):
    flat = rewards.reshape(-1)
    return openrlhf_advantages(flat, torch.arange(len(flat)), rewards.shape[1], "rloo").reshape(rewards.shape)


@peer(
    "gae",
    "openrlhf.trainer.ppo_utils.experience_maker.RemoteExperienceMaker.get_advantages_and_returns",
    is_one_answer_a_column,
)
def openrlhf_gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    mask = torch.ones_like(rewards.T, dtype=torch.bool)
    adv, targets = RemoteExperienceMaker.get_advantages_and_returns(None, values.T, rewards.T, mask, gamma, lam)
    return adv.T, targets.T


# --- torchrl


def torchrl_losses(kind: Any, logp: Tensor, old_logp: Tensor, adv: Tensor, low: float, high: float) -> Tensor:
    """Return the per-token losses of one of the LLM losses of torchrl."""
    low_bound, high_bound = torch.tensor(low), torch.tensor(high)
    loss = SimpleNamespace(_clip_bounds=((-low_bound).log1p(), high_bound.log1p()))
    losses: Tensor = kind._compute_policy_objective(loss, (logp - old_logp)[..., None], adv[..., None])[0]
    return losses


def torchrl_reduced(losses: Tensor, mask: Tensor, is_by_row: bool) -> Tensor:
    """Return the loss that torchrl computes from per-token losses."""
    loss = SimpleNamespace(aggregation="prompt_mean" if is_by_row else "token_mean", reduction="mean")
    loss._loss_mask_keys = tuple
    loss._expand_loss_mask = GRPOLoss._expand_loss_mask
    loss._reduce_loss = lambda *given, **named: GRPOLoss._reduce_loss(loss, *given, **named)
    reduced: Tensor = GRPOLoss._aggregate_loss_value(loss, losses, mask).squeeze()
    return reduced


@peer("ppo_clip_loss", "torchrl.objectives.llm.GRPOLoss", lambda args: args.get("dual_c") is None)
def torchrl_ppo(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    losses = torchrl_losses(GRPOLoss, logp, old_logp, adv, eps_low, eps_high)
    loss = torchrl_reduced(losses, mask, reduction == "seq")
    return loss, *ours_beside_the_loss(logp, old_logp, adv, mask, eps_low, eps_high)


@peer("cispo_loss", "torchrl.objectives.llm.CISPOLoss")
def torchrl_cispo(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    losses = torchrl_losses(CISPOLoss, logp, old_logp, adv, 1.0 if eps_low is None else eps_low, eps_high)
    return torchrl_reduced(losses, mask, False)


@peer("masked_reduce", "torchrl.objectives.llm.GRPOLoss._aggregate_loss_value", without_row_sums)
def torchrl_reduce(x, mask, mode, L_const=None):
    return torchrl_reduced(x[..., None], mask, mode == "seq")


@peer("kl_estimator", "torchrl.objectives.llm.k3_kl_token_estimate", lambda args: args["kind"] == "k3")
def torchrl_kl(logp, ref_logp, kind):
    return k3_kl_token_estimate(ref_logp, logp)


def next_values_of(values: Tensor, next_value: Tensor, truncated: Tensor, final_values: Tensor) -> Tensor:
    """Return the value of the state after each step, in an environment that resets automatically."""
    return torch.where(truncated, final_values, torch.cat((values[1:], next_value[None])))


@peer("gae", "torchrl.objectives.value.functional.generalized_advantage_estimate")
def torchrl_gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    following = next_values_of(values, next_value, truncated, final_values)
    return generalized_advantage_estimate(gamma, lam, values, following, rewards, terminated | truncated, terminated)


@peer("gae", "torchrl.objectives.value.functional.vec_generalized_advantage_estimate")
def torchrl_gae_vectorized(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    following = next_values_of(values, next_value, truncated, final_values)
    done = terminated | truncated
    return vec_generalized_advantage_estimate(gamma, lam, values, following, rewards, done, terminated)


# --- torchtune


@peer(
    "ppo_clip_loss",
    "torchtune.rlhf.loss.PPOLoss",
    lambda args: (
        args.get("eps_low", 0.2) == args.get("eps_high", 0.2)
        and args.get("dual_c") is None
        and args.get("reduction", "token") == "token"
    ),
)
def torchtune_ppo(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    zero = torch.zeros_like(logp)
    loss = TorchtunePpoLoss(eps_low, value_coeff=0.0)(old_logp, logp, adv, zero, zero, zero, mask, mask)
    kl = ours_beside_the_loss(logp, old_logp, adv, mask, eps_low, eps_high)[1]
    return loss[0], loss[4], kl


@peer("value_loss_clipped", "torchtune.rlhf.loss.PPOLoss")
def torchtune_value(v, v_old, returns, mask, eps=0.2):
    zero = torch.zeros_like(v)
    module = TorchtunePpoLoss(value_clip_range=eps, value_coeff=1.0)
    return module(zero, zero, zero, v_old, v, returns, mask, mask)[0]


@peer("dpo_loss", "torchtune.rlhf.loss.DPOLoss")
def torchtune_dpo(pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0):
    losses, rewards_w, rewards_l = TorchtuneDpoLoss(beta, label_smoothing)(pi_w, pi_l, ref_w, ref_l)
    return losses.mean(), rewards_w, rewards_l


@peer("masked_reduce", "torchtune.rlhf.masked_mean", lambda args: args["mode"] == "token")
def torchtune_reduce(x, mask, mode, L_const=None):
    return rlhf.masked_mean(x, mask)


@peer(
    "masked_whiten",
    "torchtune.rlhf.whiten",
    lambda args: args.get("unbiased", True) and args.get("eps", 1e-8) == 1e-8,
)
def torchtune_whiten(x, mask, shift_mean=True, eps=1e-8, unbiased=True):
    return rlhf.whiten(x, mask, shift_mean)


@peer("gae", "torchtune.rlhf.estimate_advantages", is_one_answer_a_column)
def torchtune_gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    adv, targets = rlhf.estimate_advantages(values.T, rewards.T, gamma, lam)
    return adv.T, targets.T


@peer("token_logprobs", "torchtune.rlhf.logits_to_logprobs")
def torchtune_logprobs(logits, tokens, temperature=1.0):
    return rlhf.logits_to_logprobs(logits[:, :-1], tokens[:, 1:], temperature)


# --- Stable-Baselines3 and tianshou


@peer("gae", "stable_baselines3.common.buffers.RolloutBuffer.compute_returns_and_advantage")
def sb3_gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    # OnPolicyAlgorithm.collect_rollouts adds the discounted value of the last state to the reward of a truncated step.
    cut = gamma * torch.where(truncated & ~terminated, final_values, 0.0)
    done = (terminated | truncated).float().numpy()
    starts = np.concatenate((np.zeros_like(done[:1]), done[:-1]))
    buffer = SimpleNamespace(buffer_size=len(rewards), gamma=gamma, gae_lambda=lam, episode_starts=starts)
    buffer.rewards, buffer.values = (rewards + cut).detach().numpy(), values.detach().numpy()
    buffer.advantages = np.zeros_like(buffer.rewards)
    RolloutBuffer.compute_returns_and_advantage(buffer, next_value.detach(), done[-1])
    return torch.from_numpy(buffer.advantages), torch.from_numpy(buffer.returns)


@peer("gae", "tianshou.algorithm.algorithm_base.Algorithm.compute_episodic_return")
def tianshou_gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    following = next_values_of(values, next_value, truncated, final_values).detach()
    results = []
    for column in range(rewards.shape[1]):
        flags = {"terminated": terminated[:, column].numpy(), "truncated": truncated[:, column].numpy()}
        batch = SimpleNamespace(rew=rewards[:, column].numpy(), **flags)
        buffer = SimpleNamespace(terminated=flags["terminated"], unfinished_index=lambda: np.array([], int))
        own = values[:, column].detach()
        steps = np.arange(len(own))
        arguments = (batch, buffer, steps, following[:, column], own, gamma, lam)
        results.append(Algorithm.compute_episodic_return(*arguments))
    targets, adv = (torch.from_numpy(np.stack(parts, 1)).to(values.dtype) for parts in zip(*results, strict=True))
    return adv, targets


@peer("double_dqn_loss", "tianshou.algorithm.modelfree.dqn.DQN, is_double=True, huber_loss_delta=1")
def tianshou_dqn(q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None):
    kept = {}
    networks = {None: q_next_online.detach(), "old": q_next_target.detach()}
    following = lambda _, model=None: Batch(logits=networks[model], act=networks[model].argmax(1).numpy())  # noqa: E731
    algorithm = SimpleNamespace(policy=following, use_target_network=True, model_old="old", is_double=True)
    steps, ended = np.arange(len(q)), done.numpy()
    buffer = TianshouBuffer(r.numpy(), ended)
    target = lambda given, indices: DQN._target_q(algorithm, given, indices)  # noqa: E731
    batch = Batch(obs=np.zeros(len(q)), act=a.numpy())
    batch = Algorithm.compute_nstep_return(batch, buffer, steps, target, gamma**n, 1)
    if weights is not None:
        batch.weight = weights.detach()
    algorithm.policy, algorithm.huber_loss_delta = lambda _: Batch(logits=q), 1.0
    algorithm._periodically_update_lagged_network_weights = lambda: None
    algorithm.optim = SimpleNamespace(step=lambda loss: kept.update(loss=loss))
    DQN._update_with_batch(algorithm, batch)
    return kept["loss"], batch.weight.detach()


class TianshouBuffer:
    """What DQN reads from a replay buffer: every transition is one step and the only one of its episode."""

    def __init__(self, rewards: Any, done: Any) -> None:
        self.rew, self.terminated, self.done = rewards, done, done

    def __getitem__(self, indices: Any) -> Any:
        """Return the observations, which no network reads here."""
        return SimpleNamespace(obs_next=np.zeros(len(indices)))

    def next(self, indices: Any) -> Any:
        """Return the same transitions."""
        return indices

    def unfinished_index(self) -> Any:
        """Return none."""
        return np.array([], int)


# --- The same functions with inputs that a trainer would pass

TRAINED = frozenset("logp student_logp v q x logits pi_w pi_l r_chosen r_rejected".split())


def cleaned(name: str) -> Callable[..., Any]:
    """Return an adapter that gets finite padding and constants without a gradient, as inside its own trainer."""
    adapter = globals()[name]

    @wraps(adapter)
    def call(*given: Any, **named: Any) -> Any:
        args = signature(adapter).bind(*given, **named).arguments
        for key, value in args.items():
            if isinstance(value, Tensor) and key not in TRAINED:
                args[key] = value.detach()
        return adapter(**without_padding(args))

    return call


def without_padding(args: Args) -> Args:
    """Return the arguments with zeros where the task allows any value."""
    filled = dict(args)
    mask, done = args.get("mask"), args.get("done")
    for key, value in args.items():
        if not isinstance(value, Tensor) or not value.is_floating_point():
            continue
        if mask is not None and value.shape[: mask.dim()] == mask.shape:
            counts = mask.reshape(mask.shape + (1,) * (value.dim() - mask.dim()))
            filled[key] = torch.where(counts, value, 0.0)
        elif mask is not None and value.shape == mask.shape[:1]:
            filled[key] = torch.where(mask.any(1), value, 0.0)
        elif done is not None and key.startswith("q_next"):
            filled[key] = torch.where(done[:, None], 0.0, value)
    if "final_values" in args:
        terminated, truncated = args["terminated"], args["truncated"]
        filled["final_values"] = torch.where(truncated & ~terminated, args["final_values"], 0.0)
        filled["next_value"] = torch.where(terminated[-1] | truncated[-1], 0.0, args["next_value"])
    return filled
