import torch


def deterministic_scatter_add(src, index, ids, size, bits) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (ordered, fixed), both [size, D] in float32.

    src: [T, D]; index, ids: [T].
    """
    raise NotImplementedError
