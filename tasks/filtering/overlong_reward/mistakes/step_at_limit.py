def overlong_reward(len, L_max, L_cache):
    return -(len > L_max).float()
