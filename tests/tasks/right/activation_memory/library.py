from dataclasses import dataclass
from fractions import Fraction


@dataclass
class Layer:
    hidden: Fraction
    scores: Fraction
    t: int
    rest: int

    def projections(self):
        return self.hidden * (Fraction(10, self.rest) + Fraction(24, self.t))

    def everything(self):
        return self.projections() + self.scores


def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    tokens = Fraction(s, cp) * b
    layer = Layer(tokens * h, Fraction(0) if flash else 5 * tokens * s * Fraction(a, t), t, t if sp else 1)
    match recompute:
        case "none":
            kept, extra = layer.everything(), 0
        case "selective":
            kept, extra = layer.projections(), layer.scores
        case "full":
            kept, extra = 2 * layer.hidden / layer.rest, layer.everything()
    head = tokens * V * 6 / t if stage == p - 1 else 0
    return float(kept * L / p * min(p - stage, p) + extra + head)
