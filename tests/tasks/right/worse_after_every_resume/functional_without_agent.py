"""Q-learning with a target table, in sessions that are saved and resumed; start it with `python agent.py`."""

import logging

import torch


def learn(settings, progress, batch):
    """Return the progress after one step in every environment."""
    values, target, calls, steps, copied_at = progress
    num_envs, num_actions = len(batch["rewards"]), values.shape[1]
    best = target.max(dim=1).values[batch["next_states"]]
    goals = batch["rewards"] + settings["gamma"] * best.masked_fill(batch["terminated"], 0)
    cells = batch["states"] * num_actions + batch["actions"]
    errors = goals - values.flatten()[cells]
    moved = torch.zeros_like(values.flatten()).index_add(0, cells, errors) * (settings["learning_rate"] / num_envs)
    values = values + moved.view(values.shape)
    calls, steps = calls + 1, steps + num_envs
    if calls % max(settings["target_interval"] // num_envs, 1) == 0:
        target, copied_at = values, (*copied_at, steps)
    return values, target, calls, steps, copied_at


def run(settings, sessions):
    """Return the values after all sessions, and the number of environment steps at every copy of the target."""
    start = settings["values"].clone()
    progress = (start, start, 0, 0, ())
    for batches in sessions:
        for batch in batches:
            progress = learn(settings, progress, batch)
    values, _, _, _, copied_at = progress
    return values, torch.tensor(copied_at, dtype=torch.int64)


def play(rng, calls, num_envs, states=5, actions=2):
    """Return random transitions; a real trainer would get them from its environments."""
    shape = (num_envs,)
    return [
        {
            "states": torch.randint(0, states, shape, generator=rng),
            "actions": torch.randint(0, actions, shape, generator=rng),
            "rewards": torch.randn(shape, generator=rng),
            "next_states": torch.randint(0, states, shape, generator=rng),
            "terminated": torch.rand(shape, generator=rng) < 0.1,
        }
        for _ in range(calls)
    ]


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    settings = {"gamma": 0.9, "learning_rate": 0.5, "target_interval": 64, "values": torch.zeros(5, 2)}
    for num_envs in (1, 4):
        rng = torch.Generator().manual_seed(0)
        sessions = [play(rng, 256 // num_envs, num_envs) for _ in range(4)]
        _, copied_at = run(settings, sessions)
        logging.info("%d environments: %d copies of the target in 1024 steps", num_envs, len(copied_at))


if __name__ == "__main__":
    main()
