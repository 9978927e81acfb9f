import torch
from torch.distributions import Categorical


def policy_loss(logits, engine_logits, tokens, advantages, mask, temperature, cap):
    trainer = Categorical(logits=logits[mask] / temperature, validate_args=False)
    engine = Categorical(logits=engine_logits[mask].detach() / temperature, validate_args=False)
    logp = trainer.log_prob(tokens[mask])
    ratio = torch.exp(logp.detach() - engine.log_prob(tokens[mask]))
    weight = torch.minimum(ratio, torch.full_like(ratio, cap))
    loss = -(weight * advantages[mask].detach() * logp).mean()
    return loss, ratio.mean(), trainer.entropy().mean().detach()
