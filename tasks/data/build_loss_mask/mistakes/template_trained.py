def build_loss_mask(role, eos_id, tokens):
    return (role == 3)[1:]
