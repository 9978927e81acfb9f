"""The topics of questions and tasks, grouped and ordered as they are displayed, and the names of areas.

Shipped content uses only these topics and spellings; the user's own questions and tasks may add more.
"""

from __future__ import annotations

GROUPS = {
    "RL for language models": (
        "GRPO",
        "GRPO variants",
        "PPO",
        "KL divergence",
        "loss aggregation",
        "masking",
        "entropy",
        "distillation",
        "training recipes",
    ),
    "Policy gradients": ("policy gradient", "advantage estimation", "actor-critic", "trust regions"),
    "Rewards and preferences": ("reward design", "reward models", "DPO", "RLHF"),
    "RL systems": (
        "asynchronous RL",
        "staleness",
        "weight sync",
        "train-inference mismatch",
        "checkpointing",
        "RL frameworks",
        "verl",
    ),
    "Rollouts": ("rollouts", "KV cache", "inference engines"),
    "Distributed training": ("collectives", "data parallelism", "model parallelism", "mixture of experts"),
    "Memory and numerics": ("memory", "GPU performance", "numerics", "determinism"),
    "Foundations": ("MDPs", "returns and TD", "importance sampling", "exploration", "evaluation"),
    "Value methods": ("Q-learning", "continuous control", "offline RL", "bandits"),
    "Experience": ("debugging", "system design", "experience"),
}
# Areas whose names differ from the words in their ids.
AREA_NAMES = {
    "data_experience": "data and experience",
    "llm_objectives": "LLM objectives",
    "logprobs": "log-probabilities",
    "moe": "MoE",
    "museum": "museum of bugs",
    "offline_exploration": "offline RL and exploration",
    "parallelism_memory": "parallelism and memory",
    "preference": "preferences",
    "reward_preference": "rewards and preferences",
    "rl_systems": "RL systems",
    "rollout_inference": "rollouts and inference",
    "value": "value methods",
}
TOPICS = tuple(topic for topics in GROUPS.values() for topic in topics)


def topic_rank(topic: str) -> tuple[int, str]:
    """Return a sort key that puts topics in listing order; the user's own topics come last, by name."""
    return (TOPICS.index(topic) if topic in TOPICS else len(TOPICS), topic)


def area_name(area: str) -> str:
    """Return the area name of a question or task."""
    return AREA_NAMES.get(area, area.replace("_", " "))


def group_of(topic: str) -> str:
    """Return a topic's group; "" for a user's own topic."""
    return next((group for group, topics in GROUPS.items() if topic in topics), "")
