class Candidate:
    """One answer with the index of its first vote and its total weight in eighths."""

    def __init__(self, value, first):
        self.value = value
        self.first = first
        self.eighths = 0


def to_int(digits):
    number = 0
    for start in range(0, len(digits), 4000):
        chunk = digits[start : start + 4000]
        number = number * 10 ** len(chunk) + int(chunk)
    return number


def read(answer):
    """Return ("text", letters) or ("number", numerator, denominator), not reduced."""
    answer = answer.strip()
    if not any(c in "0123456789" for c in answer):
        return ("text", answer.upper())
    negative = answer.startswith("-")
    if answer[0] in "+-":
        answer = answer[1:]
    answer = answer.replace(",", "")
    denominator = 1
    if "/" in answer:
        answer, below = answer.split("/")
        denominator = to_int(below)
    elif "." in answer:
        point = answer.index(".")
        denominator = 10 ** (len(answer) - point - 1)
        answer = answer[:point] + answer[point + 1 :]
    numerator = to_int(answer)
    return ("number", -numerator if negative else numerator, denominator)


def same(a, b):
    if a[0] != b[0]:
        return False
    if a[0] == "text":
        return a[1] == b[1]
    return a[1] * b[2] == b[1] * a[2]


def majority_vote(answers, scores=None) -> tuple[int, float]:
    """Return the index of the first sample with the winning answer, and that answer's share of the votes."""
    candidates = []
    for i, answer in enumerate(answers):
        if answer is None:
            continue
        value = read(answer)
        for candidate in candidates:
            if same(candidate.value, value):
                break
        else:
            candidate = Candidate(value, i)
            candidates.append(candidate)
        candidate.eighths += 8 if scores is None else int(scores[i] * 8)

    winner, most, total = -1, -1, 0
    for candidate in candidates:
        total += candidate.eighths
        if candidate.eighths > most:
            winner, most = candidate.first, candidate.eighths
    return winner, (most / total if total > 0 else 0.0)
