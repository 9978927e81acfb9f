def one_f_one_b_schedule(stages, microbatches):
    """Between two passes, one step sends the first one's result and receives the second one's input."""
    return [transfers_added(passes(s, stages, microbatches), s == 0, s == stages - 1) for s in range(stages)]


def passes(stage, stages, microbatches):
    ahead = min(stages - stage, microbatches)
    order = [("forward", k) for k in range(ahead)]
    for k in range(microbatches):
        order.append(("backward", k))
        if ahead + k < microbatches:
            order.append(("forward", ahead + k))
    return order


def transfers_added(order, is_first, is_last):
    program = []
    for before, after in zip([None, *order], [*order, None], strict=True):
        together = []
        if before and before[0] == "forward" and not is_last:
            together.append(("send_activation", before[1]))
        if before and before[0] == "backward" and not is_first:
            together.append(("send_gradient", before[1]))
        if after and after[0] == "forward" and not is_first:
            together.append(("recv_activation", after[1]))
        if after and after[0] == "backward" and not is_last:
            together.append(("recv_gradient", after[1]))
        if together:
            program.append(together)
        if after:
            program.append([after])
    return program
