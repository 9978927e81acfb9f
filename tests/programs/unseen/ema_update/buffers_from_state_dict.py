# expect: wrong
# mistake: Buffers are taken from the state dict, so buffers that are not persistent keep their old values.
import torch


@torch.no_grad()
def ema_update(target: torch.nn.Module, online: torch.nn.Module, tau: float) -> None:
    online_params = dict(online.named_parameters())
    for name, param in target.named_parameters():
        new = online_params[name].to(param.dtype)
        param.copy_((1.0 - tau) * param + tau * new)

    param_names = {name for name, _ in target.named_parameters(remove_duplicate=False)}
    online_state = online.state_dict()
    for name, value in target.state_dict().items():
        if name not in param_names:
            value.copy_(online_state[name])
