def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta):
    margin = (pi_w - ref_w.detach()) - (pi_l - ref_l.detach())
    return (margin - 1 / (2 * beta)).square().mean()
