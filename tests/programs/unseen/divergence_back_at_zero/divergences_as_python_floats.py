# expect: wrong
# mistake: The divergences are collected as Python floats and returned as float32 even if the logits are float64.
import torch


def _logprobs(logits, batch):
    table = torch.log_softmax(logits, dim=1)
    return table[batch["prompts"], batch["answers"]]


def run(settings, sessions):
    start = settings["logits"].detach().clone()
    logits = start.clone()
    velocity = torch.zeros_like(start)
    divergences = []
    t = 0
    for session in sessions:
        for batch in session:
            t += 1
            theta = logits.clone().requires_grad_(True)
            logp = _logprobs(theta, batch)
            log_ratio = _logprobs(start, batch) - logp
            kl = (torch.exp(log_ratio) - 1 - log_ratio).mean()
            loss = settings["kl_weight"] * kl - (batch["advantages"] * logp).mean()
            grad = torch.autograd.grad(loss, theta)[0]
            velocity = settings["momentum"] * velocity + grad
            lr = settings["learning_rate"] * min(1.0, t / settings["warmup"])
            logits = logits - lr * velocity
            divergences.append(kl.item())
    return logits, torch.tensor(divergences)
