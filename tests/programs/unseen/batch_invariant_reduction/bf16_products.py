# expect: wrong
# mistake: For bfloat16 inputs the products are formed and rounded in bfloat16 and only then converted to float32 for the additions.
import torch


def batch_invariant_reduction(x, w, block):
    K = x.shape[1]
    # all products at once: [B, K, N]
    products = (x.unsqueeze(2) * w.unsqueeze(0)).to(torch.float32)
    total = torch.zeros(products.shape[0], products.shape[2], device=x.device)
    for start in range(0, K, block):
        chunk = products[:, start : start + block]
        partial = chunk[:, 0].clone()
        for i in range(1, chunk.shape[1]):
            partial += chunk[:, i]
        total += partial
    return total
