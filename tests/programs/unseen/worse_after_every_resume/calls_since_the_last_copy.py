# expect: wrong
# mistake: The target is copied when the number of calls since the last copy reaches max(target_interval // N, 1), instead of when the number of all calls is a multiple of it, which differs once N changes.
import torch


class Agent:
    def __init__(self, settings):
        self.gamma = settings["gamma"]
        self.lr = settings["learning_rate"]
        self.target_interval = settings["target_interval"]  # in environment steps, never changed
        self.values = settings["values"].clone()
        self.target = settings["values"].clone()
        self.calls_since_copy = 0
        self.env_steps = 0
        self.copied_at = []

    def learn(self, batch):
        n = batch["rewards"].shape[0]
        s, a = batch["states"], batch["actions"]
        following = self.target[batch["next_states"]].amax(dim=1)
        following = following.masked_fill(batch["terminated"], 0.0)
        errors = batch["rewards"] + self.gamma * following - self.values[s, a]
        self.values = self.values.index_put((s, a), self.lr * errors / n, accumulate=True)

        self.env_steps += n
        self.calls_since_copy += 1
        if self.calls_since_copy >= max(self.target_interval // n, 1):
            self.target = self.values.clone()
            self.copied_at.append(self.env_steps)
            self.calls_since_copy = 0

    def save(self):
        return dict(vars(self))

    @classmethod
    def load(cls, saved):
        agent = cls.__new__(cls)
        vars(agent).update(saved)
        return agent


def run(settings, sessions):
    agent = Agent(settings)
    for k, batches in enumerate(sessions):
        if k > 0:
            agent = Agent.load(agent.save())
        for batch in batches:
            agent.learn(batch)
    return agent.values, torch.tensor(agent.copied_at, dtype=torch.int64)
