from fractions import Fraction


def normalize(answer):
    answer = answer.strip().replace(",", "")
    try:
        return Fraction(answer)
    except ValueError:
        return answer.lower()


def majority_vote(answers, scores=None):
    if scores is None:
        scores = [1.0] * len(answers)
    keys = [None if a is None else normalize(a) for a in answers]
    weights = {}
    for key, score in zip(keys, scores):
        if key is not None:
            weights[key] = weights.get(key, 0.0) + score
    if not weights:
        return -1, 0.0
    best = max(weights.values())
    chosen = [key for key in weights if weights[key] == best][-1]
    winner = keys.index(chosen)
    total = sum(weights.values())
    return winner, best / total if total else 0.0
