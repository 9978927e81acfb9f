def overlong_reward(len, L_max, L_cache):
    excess = len - (L_max - L_cache) + 1
    return -(excess / (L_cache + 1)).clamp(0, 1)
