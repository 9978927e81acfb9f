from fractions import Fraction


def parse_digits(digits):
    """Convert a string of digits to an int; halves long strings, because int() limits their length."""
    if len(digits) <= 1000:
        return int(digits)
    low = len(digits) // 2
    return parse_digits(digits[:-low]) * 10**low + parse_digits(digits[-low:])


def canonical(answer):
    text = answer.strip()
    if text.isalpha():
        return text.lower()
    sign = -1 if text[0] == "-" else 1
    body = text.lstrip("+-").replace(",", "")
    if "/" in body:
        above, below = body.split("/")
        return Fraction(sign * parse_digits(above), parse_digits(below))
    whole, _, decimals = body.partition(".")
    return Fraction(sign * parse_digits(whole + decimals), 10 ** len(decimals))


def majority_vote(answers, scores=None) -> tuple[int, float]:
    """Return the index of the first sample with the winning answer, and that answer's share of the votes."""
    if scores is None:
        scores = [1] * len(answers)
    first, weight = {}, {}
    for i, (answer, score) in enumerate(zip(answers, scores)):
        if answer is None:
            continue
        key = canonical(answer)
        first.setdefault(key, i)
        weight[key] = weight.get(key, 0) + score
    if not weight:
        return -1, 0.0
    best = max(weight, key=weight.get)
    total = sum(weight.values())
    return first[best], weight[best] / total if total else 0.0
