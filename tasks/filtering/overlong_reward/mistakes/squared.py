def overlong_reward(len, L_max, L_cache):
    share = ((len - (L_max - L_cache)) / L_cache).clamp(0, 1)
    return -share * share
