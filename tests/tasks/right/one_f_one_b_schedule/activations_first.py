def one_f_one_b_schedule(stages, microbatches):
    """Every transfer has its own step: activations go first, so that no two neighbors send at the same time."""
    programs = []
    for stage in range(stages):
        has_previous, has_next = stage > 0, stage + 1 < stages
        program, forwards, backwards = [], 0, 0

        while backwards < microbatches:
            limit = min(stages - stage, microbatches)
            while forwards < limit:
                if has_previous:
                    program.append([("recv_activation", forwards)])
                program.append([("forward", forwards)])
                if has_next:
                    program.append([("send_activation", forwards)])
                forwards += 1
            if has_next:
                program.append([("recv_gradient", backwards)])
            program.append([("backward", backwards)])
            gradient = [("send_gradient", backwards)]
            backwards += 1
            if forwards < microbatches:
                if has_previous:
                    program += [[("recv_activation", forwards)], gradient]
                program.append([("forward", forwards)])
                if has_next:
                    program.append([("send_activation", forwards)])
                forwards += 1
            elif has_previous:
                program.append(gradient)
        programs.append(program)
    return programs
