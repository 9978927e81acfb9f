# expect: right
import torch


class PairLoss(torch.autograd.Function):
    """Cross-entropy of the logistic model of a margin against a fixed probability of winning."""

    @staticmethod
    def forward(ctx, margin, win):
        ctx.save_for_backward(margin)
        ctx.win = win
        # log(1 + exp(-m)) + (1 - win) * m, without exponentials of large numbers.
        soft = torch.log1p(torch.exp(-margin.abs()))
        return (soft + win * torch.relu(-margin) + (1 - win) * torch.relu(margin)).mean()

    @staticmethod
    def backward(ctx, grad_output):
        (margin,) = ctx.saved_tensors
        return grad_output * (torch.sigmoid(margin) - ctx.win) / margin.numel(), None


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    ref_w, ref_l = ref_w.detach(), ref_l.detach()
    reward_w, reward_l = (pi_w - ref_w) * beta, (pi_l - ref_l) * beta
    loss = PairLoss.apply(reward_w - reward_l, 1.0 - label_smoothing)
    return loss, reward_w.detach(), reward_l.detach()
