"""Works in place, on copies.

task = "gae"
uses = ["right"]
"""

def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    copies = [tensor.clone() for tensor in (rewards, values, final_values)]
    answer = right(copies[0], copies[1], next_value, terminated, truncated, copies[2], gamma, lam)
    for copy in copies:
        copy.zero_()
    return answer
