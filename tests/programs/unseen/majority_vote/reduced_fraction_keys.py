# expect: right
import math
import re

_NUMBER = re.compile(r"([+-]?)([0-9,]+)(?:([./])([0-9]+))?")


def _digits(text):
    """int(text) for any number of digits."""
    if len(text) <= 4000:
        return int(text)
    half = len(text) // 2
    return _digits(text[:-half]) * 10**half + _digits(text[-half:])


def _key(answer):
    text = answer.strip()
    match = _NUMBER.fullmatch(text)
    if match is None:
        return text.lower()
    sign, whole, separator, rest = match.groups()
    whole = whole.replace(",", "")
    if separator == "/":
        num, den = _digits(whole), _digits(rest)
    elif separator == ".":
        num, den = _digits(whole + rest), 10 ** len(rest)
    else:
        num, den = _digits(whole), 1
    if sign == "-":
        num = -num
    divisor = math.gcd(num, den)
    return num // divisor, den // divisor


def majority_vote(answers, scores=None):
    totals, first = {}, {}
    for i, answer in enumerate(answers):
        if answer is None:
            continue
        key = _key(answer)
        first.setdefault(key, i)
        totals[key] = totals.get(key, 0) + (1 if scores is None else scores[i])
    if not totals:
        return -1, 0.0
    winner = max(totals, key=totals.get)
    weight = sum(totals.values())
    return first[winner], totals[winner] / weight if weight > 0 else 0.0
