def overlong_reward(len, L_max, L_cache):
    excess = len - (L_max - L_cache)
    return (excess / L_cache).clamp(0, 1)
