def main_grad_accumulation(grads, scale):
    """Return the mean gradient from a 16-bit sum, a float32 sum, and a 16-bit Kahan sum, and their relative errors."""
    raise NotImplementedError
