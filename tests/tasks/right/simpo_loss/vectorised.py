from torch.nn.functional import logsigmoid


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0):
    return -logsigmoid(beta * (avg_logp_w - avg_logp_l) - gamma).mean()
