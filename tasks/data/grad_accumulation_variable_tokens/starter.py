def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    """Leave the gradient of the whole batch in the parameters; return (loss, norm of the gradient before clipping).

    microbatches: dicts with inputs [B, T, D], attention_mask and loss_mask [B, T] bool.
    """
    raise NotImplementedError
