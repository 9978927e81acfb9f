# expect: right
import torch


def run(settings, sessions):
    gamma, lr, interval = settings["gamma"], settings["learning_rate"], settings["target_interval"]
    values = settings["values"].clone()
    target = values.clone()
    calls = env_steps = 0
    copied_at = []
    for session in sessions:
        for batch in session:
            n = len(batch["rewards"])
            best = target[batch["next_states"]].max(dim=1).values
            goal = torch.where(batch["terminated"], batch["rewards"], batch["rewards"] + gamma * best)
            error = goal - values[batch["states"], batch["actions"]]
            values.index_put_((batch["states"], batch["actions"]), lr * error / n, accumulate=True)
            calls += 1
            env_steps += n
            if calls % max(interval // n, 1) == 0:
                target = values.clone()
                copied_at.append(env_steps)
    return values, torch.tensor(copied_at, dtype=torch.int64)
