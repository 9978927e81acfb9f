# expect: wrong
# mistake: The larger of the two mean squared errors of the whole batch is taken, instead of the larger squared error of each entry before averaging.
import torch
import torch.nn.functional as F


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    vm, om, rm = v[mask], v_old[mask].detach(), returns[mask].detach()
    if vm.numel() == 0:
        return vm.sum()
    v_clip = om + torch.clamp(vm - om, -eps, eps)
    loss_plain = F.mse_loss(vm, rm)
    loss_clip = F.mse_loss(v_clip, rm)
    return 0.5 * torch.max(loss_plain, loss_clip)
