# expect: wrong
# mistake: At a step that is both terminated and truncated, the final value is bootstrapped, although the episode has terminated and the value should be 0.
"""Advantages for PPO with parallel environments; start it with `python advantages.py`."""

import logging

import torch


def compute_advantages(rollout, last_values, gamma, lam):
    """Return the advantages and the value targets of every step, [T, N] each."""
    rewards, values = rollout["rewards"], rollout["values"]
    steps = len(rewards)
    advantages = torch.zeros_like(rewards)
    running = torch.zeros_like(last_values)
    for t in reversed(range(steps)):
        terminated, truncated = rollout["terminated"][t], rollout["truncated"][t]
        following = last_values if t == steps - 1 else values[t + 1]
        following = torch.where(terminated, 0.0, following)
        following = torch.where(truncated, rollout["final_values"][t], following)
        delta = rewards[t] + gamma * following - values[t]
        running = delta + gamma * lam * torch.where(terminated | truncated, 0.0, running)
        advantages[t] = running
    return advantages, advantages + values


def collect(steps=64, robots=16, limit=20, fall=0.05):
    """Return a synthetic rollout: walking earns 1 per step, a fall ends the episode, and so does the time limit."""
    rng = torch.Generator().manual_seed(0)
    age = torch.zeros(robots, dtype=torch.int64)
    record = {name: [] for name in ("rewards", "values", "terminated", "truncated", "final_values")}
    for _ in range(steps):
        age += 1
        terminated = torch.rand(robots, generator=rng) < fall
        # The critic has learned that a robot that stands is worth about 15, and one that tips over about 5.
        record["values"].append(torch.where(terminated, 5.0, 15.0) + 0.5 * torch.randn(robots, generator=rng))
        truncated = ~terminated & (age >= limit)
        record["rewards"].append(torch.where(terminated, -5.0, 1.0))
        record["terminated"].append(terminated)
        record["truncated"].append(truncated)
        record["final_values"].append(torch.where(truncated, 15.0, 0.0))
        # A finished environment is reset at once: its next observation is the first of a new episode.
        age = torch.where(terminated | truncated, 0, age)
    return {name: torch.stack(rows) for name, rows in record.items()}, torch.full((robots,), 15.0)


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    rollout, last_values = collect()
    advantages, _ = compute_advantages(rollout, last_values, gamma=0.95, lam=0.5)
    fell = rollout["terminated"]
    logging.info("mean advantage of a step that ends in a fall: %.2f", advantages[fell].mean())
    logging.info("mean advantage of any other step: %.2f", advantages[~fell].mean())


if __name__ == "__main__":
    main()
