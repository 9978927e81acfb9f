"""The interval in environment steps never changes; a session divides it by its own number of environments."""

import torch


def run(settings, sessions):
    """Return the values after all sessions, [S, A], and the environment steps at every copy of the target, [copies].

    Assumes: every session has at least one batch.
    Source: https://github.com/DLR-RM/stable-baselines3/pull/1463 (the interval is divided where it is used).
    """
    values = target = settings["values"]
    calls, env_steps, copied_at = 0, 0, []
    for batches in sessions:
        for batch in batches:
            envs = len(batch["rewards"])
            calls, env_steps = calls + 1, env_steps + envs
            best = target[batch["next_states"]].max(dim=1).values
            best = torch.where(batch["terminated"], torch.zeros_like(best), best)
            updated = values.clone()
            for env, (state, action) in enumerate(zip(batch["states"], batch["actions"], strict=True)):
                goal = batch["rewards"][env] + settings["gamma"] * best[env]
                updated[state, action] += settings["learning_rate"] * (goal - values[state, action]) / envs
            values = updated
            if calls % max(settings["target_interval"] // envs, 1) == 0:
                target = values
                copied_at.append(env_steps)
    return values, torch.tensor(copied_at, dtype=torch.int64)
