# expect: right
import torch


class NegativeLogWin(torch.autograd.Function):
    """log(1 + exp(-z)), with its derivative written out."""

    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return (-z).clamp(min=0) + torch.log1p(torch.exp(-z.abs()))

    @staticmethod
    def backward(ctx, grad_output):
        (z,) = ctx.saved_tensors
        return -grad_output * torch.sigmoid(-z)


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0) -> tuple[torch.Tensor, torch.Tensor]:
    chosen, rejected = r_chosen.to(torch.float32), r_rejected.to(torch.float32)
    z = chosen - rejected - torch.as_tensor(margin, dtype=torch.float32, device=chosen.device)
    losses = NegativeLogWin.apply(z)
    wins = torch.gt(chosen, rejected).detach()
    return losses.sum() / losses.numel(), wins.sum().to(torch.float32) / wins.numel()
