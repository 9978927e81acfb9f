from dataclasses import dataclass

import torch


@dataclass
class State:
    beta: float
    target: float
    horizon: int

    def update(self, kl, n):
        error = torch.tensor(kl, dtype=torch.float64).div(self.target).sub(1).clamp(-0.2, 0.2)
        factor = (1 + error * n / self.horizon).nan_to_num(nan=1.0).item()
        self.beta = self.beta * factor
        return self.beta


def adaptive_kl(init, target, horizon):
    return State(float(init), float(target), int(horizon))
