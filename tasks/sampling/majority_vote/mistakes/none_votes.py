from fractions import Fraction


def normalize(answer):
    if answer is None:
        return None
    answer = answer.strip().replace(",", "")
    try:
        return Fraction(answer)
    except ValueError:
        return answer.lower()


def majority_vote(answers, scores=None):
    if scores is None:
        scores = [1.0] * len(answers)
    keys = [normalize(a) for a in answers]
    weights = {}
    for key, score in zip(keys, scores):
        weights[key] = weights.get(key, 0.0) + score
    if not weights:
        return -1, 0.0
    winner = max(weights, key=weights.get)
    total = sum(weights.values())
    return keys.index(winner), weights[winner] / total if total else 0.0
