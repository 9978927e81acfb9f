# expect: wrong
# mistake: A tied parameter is visited once per name, so it moves toward the online parameter twice per call.
import torch


def ema_update(target: torch.nn.Module, online: torch.nn.Module, tau: float) -> None:
    with torch.no_grad():
        for t_mod, o_mod in zip(target.modules(), online.modules()):
            for name, t_param in t_mod.named_parameters(recurse=False):
                o_param = getattr(o_mod, name)
                t_param += tau * (o_param.to(dtype=t_param.dtype) - t_param)
            for name, t_buf in t_mod.named_buffers(recurse=False):
                t_buf.copy_(getattr(o_mod, name))
