def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta):
    total = 0
    for w, l, rw, rl in zip(pi_w, pi_l, ref_w.detach(), ref_l.detach(), strict=True):
        distance = (w - rw) - (l - rl) - 0.5 / beta
        total = total + distance * distance
    return total / len(pi_w)
