def overlong_reward(len, L_max, L_cache):
    start = L_max - L_cache
    return -((len.double() - start) / L_cache).clamp(0, 1)
