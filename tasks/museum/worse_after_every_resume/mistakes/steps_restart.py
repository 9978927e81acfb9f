import torch


class Agent:
    """A table of action values, learned from the transitions of several environments at once."""

    def __init__(self, settings, num_envs):
        self.gamma = settings["gamma"]
        self.learning_rate = settings["learning_rate"]
        self.target_interval = settings["target_interval"]
        self.num_envs = num_envs
        self.calls = 0
        self.env_steps = 0
        self.copied_at = []
        self.values = settings["values"].clone()
        self.target = settings["values"].clone()
        self.set_up()

    def set_up(self):
        """Finish an agent whose fields are set; a new agent and a loaded one both come here."""
        # One call of `learn` takes one step in every environment.
        self.calls_per_copy = max(self.target_interval // self.num_envs, 1)

    def learn(self, batch):
        """Take one step in every environment and one update of the values, and copy the target if it is time."""
        self.calls += 1
        self.env_steps += self.num_envs
        following = self.target[batch["next_states"]].amax(dim=1)
        goals = batch["rewards"] + self.gamma * torch.where(batch["terminated"], 0.0, following)
        errors = goals - self.values[batch["states"], batch["actions"]]
        change = self.learning_rate * errors / self.num_envs
        self.values = self.values.index_put((batch["states"], batch["actions"]), change, accumulate=True)
        if self.calls % self.calls_per_copy == 0:
            self.target = self.values.clone()
            self.copied_at.append(self.env_steps)

    def save(self):
        """Return everything that a later session needs."""
        return dict(vars(self))

    @classmethod
    def load(cls, saved, num_envs):
        """Return an agent that continues where the saved one stopped, perhaps with another number of environments."""
        agent = cls.__new__(cls)
        vars(agent).update(saved)
        agent.num_envs = num_envs
        agent.env_steps = 0
        agent.set_up()
        return agent


def run(settings, sessions):
    """Return the values after all sessions, and the number of environment steps at every copy of the target."""
    saved = None
    for batches in sessions:
        num_envs = batches[0]["rewards"].shape[0]
        agent = Agent(settings, num_envs) if saved is None else Agent.load(saved, num_envs)
        for batch in batches:
            agent.learn(batch)
        saved = agent.save()
    return agent.values, torch.tensor(agent.copied_at, dtype=torch.int64)
