# expect: wrong
# mistake: For v > 1, peak_inflight is v times the plain 1F1B value min(m, p - i), instead of following from the interleaved warm-up, and transfers are charged even with a single rank.
class Schedule:
    def __init__(self, p, m, v, tf, tb, t_comm):
        self.p, self.m, self.v = p, m, v
        self.fwd = tf / v + t_comm
        self.bwd = tb / v + t_comm

    @property
    def makespan(self):
        return (self.m * self.v + self.p - 1) * (self.fwd + self.bwd)

    @property
    def idle(self):
        return (self.p - 1) * (self.fwd + self.bwd)

    def in_flight(self, rank):
        return self.v * min(self.m, self.p - rank)


def pipeline_bubble(p, m, v, tf, tb, t_comm=0.0):
    s = Schedule(p, m, v, tf, tb, t_comm)
    return s.idle / s.makespan, s.makespan, [s.in_flight(i) for i in range(p)]
