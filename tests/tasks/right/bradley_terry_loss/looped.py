import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    total, wins, count = 0.0, 0, r_chosen.shape[0]
    for i in range(count):
        asked = margin[i] if isinstance(margin, torch.Tensor) else margin
        chosen, rejected = r_chosen[i].float(), r_rejected[i].float()
        lag = asked + rejected - chosen
        # log(1 + e^lag), with the larger of the two summands taken out.
        total = total + (lag + torch.log1p(torch.exp(-lag)) if lag > 0 else torch.log1p(torch.exp(lag)))
        wins += bool(chosen > rejected)
    return total / count, torch.tensor(wins / count, device=r_chosen.device)
