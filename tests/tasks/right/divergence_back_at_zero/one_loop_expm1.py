"""One loop over the batches of all sessions, with a gradient that is written out by hand."""

import itertools
import logging

import torch


def loss_gradient(logits, reference, batch, kl_weight):
    """Return the gradient of the loss with respect to the logits, and the divergence."""
    prompts, answers = batch["prompts"], batch["answers"]
    everything = torch.log_softmax(logits[prompts], dim=1)
    logprobs = everything.gather(1, answers.unsqueeze(1)).squeeze(1)
    log_ratio = reference[prompts, answers] - logprobs
    # The derivative of exp(r) - 1 - r with respect to the log-probability, which r contains with a minus.
    slopes = (-kl_weight * torch.expm1(log_ratio) - batch["advantages"]) / len(prompts)
    rows = -everything.exp() * slopes.unsqueeze(1)
    rows.scatter_add_(1, answers.unsqueeze(1), slopes.unsqueeze(1))
    gradient = torch.zeros_like(logits).index_add_(0, prompts, rows)
    return gradient, (torch.expm1(log_ratio) - log_ratio).mean()


@torch.no_grad()
def run(settings, sessions):
    """Return the logits after all sessions, and the divergence at every step."""
    logits = settings["logits"].clone()
    reference = logits.log_softmax(dim=1)
    velocity = torch.zeros_like(logits)
    divergences = []
    for number, batch in enumerate(itertools.chain.from_iterable(sessions), start=1):
        gradient, divergence = loss_gradient(logits, reference, batch, settings["kl_weight"])
        velocity = settings["momentum"] * velocity + gradient
        logits = logits - settings["learning_rate"] * min(1.0, number / settings["warmup"]) * velocity
        divergences.append(divergence)
    return logits, torch.stack(divergences)


def sample(rng, steps, prompts=4, answers=5, rows=16):
    """Return batches of random answers; advantages are higher for answers with a lower number."""
    batches = []
    for _ in range(steps):
        chosen = torch.randint(0, answers, (rows,), generator=rng)
        batches.append(
            {
                "prompts": torch.randint(0, prompts, (rows,), generator=rng),
                "answers": chosen,
                "advantages": 1 - chosen.float() / 2,
            }
        )
    return batches


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logits = torch.zeros(4, 5)
    settings = {"logits": logits, "learning_rate": 0.5, "momentum": 0.5, "warmup": 5, "kl_weight": 0.5}
    for number in (1, 2, 4):
        rng = torch.Generator().manual_seed(0)
        _, divergences = run(settings, [sample(rng, 40 // number) for _ in range(number)])
        shown = " ".join(f"{divergence:.2f}" for divergence in divergences[::5].tolist())
        logging.info("%d sessions: divergence %s", number, shown)


if __name__ == "__main__":
    main()
