def overlong_reward(len, L_max, L_cache):
    len.clamp_(max=L_max)
    return -((len - (L_max - L_cache)).float() / L_cache).clamp(min=0)
