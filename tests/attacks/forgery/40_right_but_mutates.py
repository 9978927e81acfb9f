"""40. Gives the right answer and changes an input on the way.

task = "gae"
verdict = ["mutated_input"]
twin = "works_on_copies"
uses = ["right"]
"""

def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    answer = right(rewards, values, next_value, terminated, truncated, final_values, gamma, lam)
    rewards.add_(1.0)
    return answer
