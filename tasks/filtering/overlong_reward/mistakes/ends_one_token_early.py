def overlong_reward(len, L_max, L_cache):
    excess = len - (L_max - L_cache)
    return -(excess / max(L_cache - 1, 1)).clamp(0, 1)
