def build_loss_mask(role, eos_id, tokens):
    answered = (role == 3).cumsum(0) > 0
    return (answered & (role != 0))[1:]
