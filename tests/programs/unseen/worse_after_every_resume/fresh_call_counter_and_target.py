# expect: wrong
# mistake: At a resume, the count of the calls starts again at 0, and the target becomes a copy of the saved values instead of the saved target.
"""Q-learning with a target table, in sessions that are saved and resumed; start it with `python agent.py`."""

import logging

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
        self.target_interval = max(self.target_interval // self.num_envs, 1)

    def learn(self, batch):
        """Take one step in every environment and one update of the values, and copy the target if it is time."""
        self.calls += 1
        self.env_steps += self.num_envs
        following = self.target[batch["next_states"]].amax(dim=1)
        goals = batch["rewards"] + self.gamma * torch.where(batch["terminated"], 0.0, following)
        errors = goals - self.values[batch["states"], batch["actions"]]
        change = self.learning_rate * errors / self.num_envs
        self.values = self.values.index_put((batch["states"], batch["actions"]), change, accumulate=True)
        if self.calls % self.target_interval == 0:
            self.target = self.values.clone()
            self.copied_at.append(self.env_steps)

    def save(self):
        """Return everything that a later session needs."""
        return {"values": self.values, "env_steps": self.env_steps, "copied_at": self.copied_at}

    @classmethod
    def load(cls, settings, saved, num_envs):
        """Return an agent that continues where the saved one stopped, perhaps with another number of environments."""
        # Start from the settings, so that the interval is divided only once.
        agent = cls({**settings, "values": saved["values"]}, num_envs)
        agent.env_steps = saved["env_steps"]
        agent.copied_at = saved["copied_at"]
        return agent


def run(settings, sessions):
    """Return the values after all sessions, and the number of environment steps at every copy of the target."""
    saved = None
    for batches in sessions:
        num_envs = batches[0]["rewards"].shape[0]
        agent = Agent(settings, num_envs) if saved is None else Agent.load(settings, saved, num_envs)
        for batch in batches:
            agent.learn(batch)
        saved = agent.save()
    return agent.values, torch.tensor(agent.copied_at, dtype=torch.int64)


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
