# expect: wrong
# mistake: In the steady state both neighbors first send and then receive in separate steps, so that the activation and the gradient that cross each other deadlock.
def one_f_one_b_schedule(stages, microbatches):
    programs = []
    for i in range(stages):
        steps = []
        w = min(stages - i, microbatches)

        def fwd(k):
            if i > 0:
                steps.append([("recv_activation", k)])
            steps.append([("forward", k)])
            if i < stages - 1:
                steps.append([("send_activation", k)])

        def bwd(k):
            if i < stages - 1:
                steps.append([("recv_gradient", k)])
            steps.append([("backward", k)])
            if i > 0:
                steps.append([("send_gradient", k)])

        for k in range(w):
            fwd(k)
        for k in range(microbatches):
            bwd(k)
            if k + w < microbatches:
                fwd(k + w)
        programs.append(steps)
    return programs
