"""Neighbors exchange an activation and a gradient in one step, because two blocking sends would wait for each other."""


def one_f_one_b_schedule(stages, microbatches):
    """Return the program of each stage: steps of actions that run at the same time.

    Source: arXiv:2104.04473, section 2.2.1 (1F1B with a flush).
    """
    return [_program(stage, stages, microbatches) for stage in range(stages)]


def _program(stage, stages, microbatches):
    """Return the steps of one stage: warm-up, alternating passes, cool-down."""
    warm_up = min(stages - 1 - stage, microbatches)
    alternating = microbatches - warm_up
    steps = []
    for k in range(warm_up):
        steps += [[("recv_activation", k)], [("forward", k)], [("send_activation", k)]]
    if alternating > 0:
        steps.append([("recv_activation", warm_up)])
    for k in range(alternating):
        newest = warm_up + k
        steps += [[("forward", newest)], [("send_activation", newest), ("recv_gradient", k)], [("backward", k)]]
        following = [("recv_activation", newest + 1)] if newest + 1 < microbatches else []
        steps.append([("send_gradient", k), *following])
    for k in range(alternating, microbatches):
        steps += [[("recv_gradient", k)], [("backward", k)], [("send_gradient", k)]]
    absent = set()
    if stage == 0:
        absent |= {"recv_activation", "send_gradient"}
    if stage == stages - 1:
        absent |= {"send_activation", "recv_gradient"}
    kept = [[action for action in step if action[0] not in absent] for step in steps]
    return [step for step in kept if step]
