import torch


def main_grad_accumulation(grads, scale):
    """Each buffer is a tensor that is updated in place, as in an optimizer's state."""
    micro, size = grads.shape
    low = grads.new_zeros(size)
    main = torch.zeros(size, dtype=torch.float32, device=grads.device)
    total, comp = grads.new_zeros(size), grads.new_zeros(size)
    previous = grads.new_zeros(size)
    for m in range(micro):
        low.add_(grads[m])
        main.add_(grads[m])
        term = torch.sub(grads[m], comp)
        previous.copy_(total)
        total.add_(term)
        torch.sub(total, previous, out=comp)
        comp.sub_(term)
    divisor = float(micro) * scale
    results = [low.to(torch.float32).div_(divisor), main.div_(divisor), total.to(torch.float32).div_(divisor)]
    truth = torch.zeros(size, dtype=torch.float64)
    for m in range(micro):
        truth += grads[m]
    truth /= divisor
    length = torch.linalg.vector_norm(truth)
    return (*results, [(torch.linalg.vector_norm(x - truth) / length).item() for x in results])
