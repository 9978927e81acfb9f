"""Verifies the answer to a check.

The expected answer is a number with its unit, a term, an order, or the letter of a claim together with the number or
term that decides which claim is true. A value counts as a result only if the answer states it plainly, without denying
it, doubting it, or reporting it as somebody else's. An answer with no result, or with several, is treated as unread:
instead of guessing which result the candidate means, the interviewer asks once for a single result.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from interviewer.bank.arithmetic import evaluate
from interviewer.examiner.plain_statements import plain_statements, without_operands, words_in
from interviewer.session.assessment import Assessment, Belief, CheckResult
from interviewer.session.phrases import JUDGED_CHARACTERS_MAX
from interviewer.session.question import LETTERS, Check, DrawnCheck, as_written

ZERO = 1e-9
_CHARS_MAX = JUDGED_CHARACTERS_MAX
_PLAIN = str.maketrans(
    {"−": "-", "–": "-", "—": ",", "‐": "-", "‑": "-", "×": "x", "·": "*", "≈": "=", "\u202f": " ", "\u00a0": " "}
    | {"`": " ", "*": "*", "µ": "u", "μ": "u", "’": "'", "“": '"', "”": '"'}
    | dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
)
# Powers as people type them: 2**-6, 2^(-6), 2^{-6}.
_RAISED = re.compile(r" ?(?:\*\*|\^) ?(?:[({] ?([-+]?\d+) ?[)}]|([-+]?\d+))")
_PER_SECOND = re.compile(r"(?<=[A-Za-z]) per (?:seconds?|sec|s)\b", re.IGNORECASE)
_ONE_HALF = re.compile(r"\b(?:a|one) half\b(?! of\b| the\b)", re.IGNORECASE)
_SUPERSCRIPT = re.compile(r"(?<=\d)([⁻⁰¹²³⁴-⁹]+)")
_DIGITS = r"(?:\d+(?:[, ]\d{3}(?!\d))*(?:\.\d+)?|\.\d+)"
_POWER = r"(?: ?(?:e|(?:x|\*) ?10 ?(?:\^|\*\*)) ?\(?(?P<power>[-+]?\d+)\)?)?"
# A hyphen is a minus sign only if it does not follow a word or number: "2-3" is a range, "3 - 2" a difference.
_QUANTITY = re.compile(
    rf"(?P<sign>(?<![\w)\]])- ?|\b(?:minus|negative) )?(?P<mantissa>(?<![\w.^]){_DIGITS}){_POWER}"
    rf"(?:\^ ?(?P<exponent>-?\d+)| ?/ ?(?P<below>{_DIGITS})(?![\w/]))?"
    r"(?: ?(?P<unit>%|[A-Za-z]+(?:/[A-Za-z]+)?))?",
    re.IGNORECASE,
)
_NUMBER_WORDS = {
    word: float(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
} | {"half": 0.5, "none": 0.0, "nothing": 0.0}
_AND_A_HALF = re.compile(rf"\b(\d+|{'|'.join(_NUMBER_WORDS)}) and (?:a|one) half\b", re.IGNORECASE)
_IN_WORDS = re.compile(rf"(?P<sign>\b(?:minus|negative) )?\b(?P<word>{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
# In "B is the right one", "one" is not a number.
_PRONOUN = re.compile(
    r"\b(?:the|this|that|which|each|every|only|first|second|third|last|other|same|right|true|correct) one\b",
    re.IGNORECASE,
)
_COUNTS = {
    **dict.fromkeys(("k", "thousand"), 1e3),
    **dict.fromkeys(("m", "million", "mio", "mn"), 1e6),
    **dict.fromkeys(("b", "bn", "billion", "g"), 1e9),
    **dict.fromkeys(("t", "trillion"), 1e12),
}
_PREFIXES = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_BINARY = {"ki": 2.0**10, "mi": 2.0**20, "gi": 2.0**30, "ti": 2.0**40, "pi": 2.0**50}
_BYTES = {
    **{prefix + "b": scale for prefix, scale in _PREFIXES.items()},
    **{prefix + "b": scale for prefix, scale in _BINARY.items()},
    **{f"{name}bytes": scale for name, scale in (("", 1.0), ("kilo", 1e3), ("mega", 1e6), ("giga", 1e9))},
    "byte": 1.0,
    "gig": 1e9,
    "gigs": 1e9,
}
_SECONDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("us", "usec", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
}
_FLOPS = {f"{prefix}flop{ending}": scale for prefix, scale in _PREFIXES.items() for ending in ("", "s")}
_PERCENT = {"%": 0.01, "percent": 0.01, "pct": 0.01}
_RATES = {f"{unit}/{each}": scale for unit, scale in _BYTES.items() for each in ("s", "sec", "second")} | {
    f"{unit}{ending}": scale / 8
    for unit, scale in (("gbit", 1e9), ("mbit", 1e6), ("tbit", 1e12))
    for ending in ("/s", "s/s")
}
_FLOP_RATES = {f"{unit}/s": scale for unit, scale in _FLOPS.items()}
# Groups of units that measure the same quantity; the unit names are lowercase.
DIMENSIONS: tuple[dict[str, float], ...] = (_BYTES, _SECONDS, _RATES, _FLOPS, _FLOP_RATES, _PERCENT)
# In interviews, people say GB when they mean GiB.
_BINARY_FOR_DECIMAL = (1.0, 1.024, 1.024**2, 1.024**3, 1.024**4)
# If "2 * 7" is given without its result, the product is taken as the answer. Powers are excluded because evaluating
# them could take forever.
_EXPRESSION = re.compile(r"[-+]? ?[\d.,]+(?: ?[-+*/x] ?[-+]?[\d.,]+){1,9}")
_HOW_MANY = re.compile(r"\bhow many (thousand|million|billion|trillion)\b", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_OF_THOSE = re.compile(r"\bof (?:the |all |these |those )?\d[\d.,]*")
_LETTER_ALONE = re.compile(r"\(?([A-Za-z])\)?[.!]?")
_LETTER = re.compile(r"(?<![\w'])\(?([A-F])(?:\)|(?![\w']))")
_NAMED_LETTER = re.compile(
    r"\b(?:option|claim|answer|statement|choice|letter|it(?:'s| is)) \(?([a-f])\b", re.IGNORECASE
)
# In "A token with a ratio of ...", the "A" is an article; in "A because ...", it is the letter of the chosen option.
_ARTICLE = re.compile(r"A (?!because\b|since\b|as\b|is\b|holds\b|and\b|with\b|for\b|due\b|by\b|or\b|[-=(:])[a-z]")
_LETTERS_RUN = re.compile(r"(?<![A-Za-z])([A-Fa-f]{2,6})(?![A-Za-z])")
_REASON = re.compile(r"\b(?:since|because)\b", re.IGNORECASE)
_LESS = re.compile(
    r"\b(?:falls?|fell|fallen|falling|drop(?:s|ped|ping)?|decreas\w*|declin\w*|los(?:es?|t|s|ses|ing)|down|lower|less"
    r"|fewer|worse|reduc\w*)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\W{0,2}[\d.,]+(?: ?(?!to\b)[A-Za-z/%]+)? ?(?:-|to) ?")
_RESULT_FOLLOWS = re.compile(r"\b(?:gives?|leaves?|makes?)\b", re.IGNORECASE)
# "0,75" may be one number or a list of two, and "3 of 4" may be a fraction or two counts. Fractions such as "a third"
# and spelled-out numbers above fifteen are not parsed.
_AMBIGUOUS = re.compile(
    r"(?<![\d.,])\d+,\d{1,2}(?![\d,])|\d (?:out )?of (?:the )?\d"
    r"|\b(?:\d+|one) in (?:\d|two|three|four|five|six|eight|ten)"
    r"|\bpoint (?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b"
    r"|\b(?:third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|hundredth)s?\b"
    r"|\b(?:(?:six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Stated:
    """One stated number: its value, the unit after it (in lowercase), and its start and end offsets."""

    value: float
    unit: str
    begin: int
    end: int


def verify(drawn: DrawnCheck, answer: str, words: frozenset[str] = frozenset()) -> CheckResult:
    """Return whether an answer to a check is right; `HALF` if the claim or its deciding value is missing.

    Only clauses that merely state a result are considered. These clauses may contain `words`, the question's own words.
    """
    text = _own_statements(drawn, answer, words)
    check = drawn.check
    if check.order:
        return _verify_order(drawn, text)
    whole = _plain(answer[:_CHARS_MAX])
    if not check.holds:
        return _verify_result(drawn, text, whole)
    letters = picked_letters(drawn, text)
    if len(letters) > 1:
        return CheckResult.UNREAD
    # In "B - 14", the dash may separate the letter from the value or belong to the value.
    decided = _verify_result(drawn, _without_choice(text, letters, r"(?:\s*[-:]+\s+)?"), whole)
    if decided is not CheckResult.RIGHT:
        decided = _verify_result(drawn, _without_choice(text, letters), whole)
    if not letters:
        return CheckResult.HALF if decided is CheckResult.RIGHT else CheckResult.UNREAD
    if letters != [drawn.answer]:
        return CheckResult.WRONG
    return CheckResult.HALF if decided is CheckResult.UNREAD else decided


def assess_check(
    assessment: Assessment,
    drawn: DrawnCheck,
    answer: str,
    words: frozenset[str] = frozenset(),
    first_half: str = "",
) -> Assessment:
    """Add the result of `verify` to the assessment, and the misconception that a wrong option reveals.

    `words` is passed on to `verify`. `first_half` is the candidate's previous answer if it contained only the claim or
    only its deciding value: an answer that adds the other half is complete.
    """
    result = verify(drawn, answer, words)
    if first_half and result in (CheckResult.HALF, CheckResult.UNREAD):
        both = verify(drawn, f"{first_half}\n{answer}", words)
        result = both if both in (CheckResult.RIGHT, CheckResult.WRONG) else result
    letters = picked_letters(drawn, _own_statements(drawn, answer, words)) if drawn.check.holds else []
    belief = drawn.belief_of(letters[0]) if len(letters) == 1 else ""
    found = assessment.misconceptions
    if belief and all(known.id != belief for known in found):
        claim = drawn.options[LETTERS.index(letters[0])]
        found += (Belief(belief, f"{letters[0]}) {claim}"),)
    return replace(assessment, check=result, misconceptions=found)


def _own_statements(drawn: DrawnCheck, answer: str, words: frozenset[str]) -> str:
    """Return the normalized clauses of an answer that plainly state something."""
    lines = "\n".join(_plain(line) for line in answer[:_CHARS_MAX].splitlines())
    results = words_in(*drawn.check.order, *drawn.check.accepts, *drawn.check.wrong)
    return _plain(plain_statements(lines, words | words_in(drawn.text), results))


def picked_letters(drawn: DrawnCheck, text: str) -> list[str]:
    """Return the letters of the options that a normalized text picks, without duplicates."""
    text = text.strip()
    known = LETTERS[: len(drawn.shown)]
    if alone := _LETTER_ALONE.fullmatch(text):
        return [letter for letter in (alone[1].upper(),) if letter in known]
    spans = [] if not _ARTICLE.match(text) else [0]
    found = [match[1] for match in _LETTER.finditer(text) if match.start() not in spans]
    found += [match[1].upper() for match in _NAMED_LETTER.finditer(text)]
    begins = re.match(r"\(?([a-f])[).:,]\s|([a-f]) (?:because|since|as)\b", text)
    found += [(begins[1] or begins[2]).upper()] if begins else []
    return [letter for letter in dict.fromkeys(found) if letter in known]


def _verify_order(drawn: DrawnCheck, text: str) -> CheckResult:
    wanted = drawn.answer
    said = [match[1].upper() for match in _LETTERS_RUN.finditer(text) if set(match[1].upper()) == set(wanted)]
    alone = re.findall(r"(?<![\w'])\(?([A-Fa-f])(?:\)|(?![\w']))", text)
    letters = said[-1] if said else "".join(dict.fromkeys(letter.upper() for letter in alone))
    if set(letters) != set(wanted):
        letters = _order_of_items(drawn, text)
    if not letters:
        return CheckResult.UNREAD
    return CheckResult.RIGHT if letters == wanted else CheckResult.WRONG


def _order_of_items(drawn: DrawnCheck, text: str) -> str:
    """Return the items' letters in the order in which the answer names the items; "" unless it names every item."""
    low = _folded(text)
    places = {letter: low.find(_folded(item)) for letter, item in zip(LETTERS, drawn.options, strict=False)}
    return "" if -1 in places.values() else "".join(sorted(places, key=lambda letter: places[letter]))


def _verify_result(drawn: DrawnCheck, text: str, whole: str) -> CheckResult:
    if not drawn.check.number:
        return _verify_term(drawn, text)
    result = _verify_number(drawn, text)
    # If the right number appears elsewhere in the answer, the candidate may have meant that number.
    return CheckResult.UNREAD if result is CheckResult.WRONG and _may_state_right(drawn, whole) else result


def _verify_number(drawn: DrawnCheck, text: str) -> CheckResult:
    check = drawn.check
    wanted, unit = evaluate(check.number, drawn.values), _unit_of(check)
    if _EXPRESSION.fullmatch(text) and (value := _value_of(text)) is not None:
        return CheckResult.RIGHT if is_value(value, "", wanted, unit, check.within) else CheckResult.WRONG
    text = without_operands(text)
    # "1.2 (2 * 30 / 50)", "16 of the 19 points": a number in parentheses or after "of" is not the result.
    outside = _IN_BRACKETS.sub(" ", _IN_BRACKETS.sub(" ", text))
    outside = _OF_THOSE.sub(" ", outside)
    text = outside if _stated(outside, unit) else text
    results = [stated for stated in _stated(text, unit) if not _is_given(stated.value, drawn)]
    is_range = len(results) == 2 and _RANGE.fullmatch(text, results[0].begin, results[1].begin)
    if not results or is_range:
        return CheckResult.UNREAD
    finals = _finals(text, results)
    right = [stated for stated in finals if is_value(stated.value, stated.unit, wanted, unit, check.within)]
    if right:
        wrong = [evaluate(expression, drawn.values) for expression in check.wrong]
        others = [stated for stated in finals if stated not in right]
        is_torn = any(is_value(other.value, other.unit, value, unit, 0.0) for other in others for value in wrong)
        return CheckResult.UNREAD if is_torn else CheckResult.RIGHT
    return CheckResult.WRONG


def _may_state_right(drawn: DrawnCheck, text: str) -> bool:
    """Return whether a text contains the correct number, possibly without its minus sign, or an ambiguous number."""
    unit = _unit_of(drawn.check)
    wanted = evaluate(drawn.check.number, drawn.values)
    stated = [*_stated(text, unit), *_in_words(text)]
    if wanted < 0 and _LESS.search(text):
        # "A drop of 2.8" may mean -2.8.
        stated += [replace(number, value=-number.value) for number in stated]
    return bool(_AMBIGUOUS.search(text)) or any(
        is_value(number.value, number.unit, wanted, unit, drawn.check.within) for number in stated
    )


def _unit_of(check: Check) -> str:
    """Return the unit of the result: the check's unit, or a word such as "billion" in "how many billion parameters"."""
    counted = _HOW_MANY.search(check.ask)
    return check.unit or (counted[1].lower() if counted else "")


def _value_of(expression: str) -> float | None:
    """Evaluate an answer that is a product or a sum of numbers; None if it cannot be evaluated."""
    try:
        return evaluate(expression.replace("x", "*").replace(",", ""))
    except (ValueError, OverflowError):
        return None


def _finals(text: str, results: Sequence[_Stated]) -> list[_Stated]:
    """Return the numbers that may be the result.

    If a reason follows the first number ("66, since ..."), the first number is the result. If a phrase such as "gives"
    precedes the last number ("... gives 66"), the last number is the result. Otherwise, the result may be the number
    after the last "=", the first number, or the last number.
    """
    if len(results) > 1 and _REASON.search(text, results[0].begin, results[1].begin):
        return [results[0]]
    if len(results) > 1 and _RESULT_FOLLOWS.search(text, results[-2].begin, results[-1].begin):
        return [results[-1]]
    equals = text.rfind("=")
    if equals >= 0 and (after := [stated for stated in results if stated.begin > equals]):
        return [results[0], after[0]] if len(results) <= 2 else [after[0]]
    return [results[0], results[-1]] if len(results) > 1 else [results[0]]


def is_value(value: float, unit: str, wanted: float, wanted_unit: str, within: float) -> bool:
    """Return whether a number with a unit ("" for none) is the expected number, within a tolerance or after rounding.

    Without a unit, a fraction may be given as a percentage and vice versa; bytes may use factors of 1000 or 1024.
    """
    scale = _scale(unit, wanted_unit)
    if scale is None:
        return False
    candidates = [value * scale]
    known = dimension_of(wanted_unit)
    if known is _BYTES and unit not in _BINARY:
        candidates += [value * scale * factor for factor in _BINARY_FOR_DECIMAL[1:]]
    if known is None and wanted_unit.lower() in _COUNTS:
        candidates.append(value / _COUNTS[wanted_unit.lower()])
    if known is _PERCENT and unit == "" and abs(value) <= 1:
        candidates.append(100 * value)
    return any(_is_near(candidate, wanted, within) for candidate in candidates)


def _is_near(value: float, wanted: float, within: float) -> bool:
    # "2.47" for 2.4749 is right, however tight the tolerance is, because people round to three digits. One matching
    # digit is not enough: "1" for 1.0006 proves nothing.
    rounded = float(f"{wanted:.3g}")
    has_digits = abs(rounded) >= 10 or rounded != round(rounded)
    is_rounded = has_digits and wanted != round(wanted) and abs(value - rounded) <= ZERO * abs(wanted)
    return abs(value - wanted) <= max(within * abs(wanted), ZERO) or is_rounded


def dimension_of(unit: str) -> Mapping[str, float] | None:
    """Return all units of the quantity that this unit measures, with their sizes.

    Return None for a word that is not such a unit, for example "tokens".
    """
    return next((units for units in DIMENSIONS if unit.lower() in units), None)


def _scale(unit: str, wanted: str) -> float | None:
    """Return the conversion factor to the expected unit; 1 if either is not a unit, None if they are incompatible."""
    stated, known = dimension_of(unit), dimension_of(wanted)
    if stated is None or unit == wanted.lower():
        return 1.0
    if known is None:
        return _PERCENT.get(unit, 1.0)
    return stated[unit] / known[wanted.lower()] if stated is known else None


def _stated(text: str, wanted_unit: str) -> list[_Stated]:
    """Return all numbers stated in the text, in order."""
    found = [_quantity(match, wanted_unit) for match in _QUANTITY.finditer(text)]
    return _with_durations(text, found) or _in_words(text)


def _with_durations(text: str, found: Sequence[_Stated]) -> list[_Stated]:
    """Return the numbers, with a duration such as "5 min 15 s" as one number."""
    merged: list[_Stated] = []
    for stated in found:
        before = merged[-1] if merged else None
        is_smaller = before is not None and _SECONDS.get(stated.unit, math.inf) < _SECONDS.get(before.unit, 0.0)
        if before is not None and is_smaller and text[before.end : stated.begin].strip() in ("", "and"):
            seconds = before.value * _SECONDS[before.unit] + stated.value * _SECONDS[stated.unit]
            merged[-1] = _Stated(seconds, "s", before.begin, stated.end)
        else:
            merged.append(stated)
    return merged


def _in_words(text: str) -> list[_Stated]:
    text = _PRONOUN.sub(lambda match: " " * len(match[0]), text)
    return [
        _Stated((-1 if match["sign"] else 1) * _NUMBER_WORDS[match["word"].lower()], "", match.start(), match.end())
        for match in _IN_WORDS.finditer(text)
    ]


def _quantity(match: re.Match[str], wanted_unit: str) -> _Stated:
    value = float(re.sub(r"[, ]", "", match["mantissa"]))
    if match["power"]:
        value *= _power(10.0, int(match["power"]))
    if match["exponent"]:
        value = _power(value, int(match["exponent"]))
    if match["below"] and (below := float(re.sub(r"[, ]", "", match["below"]))):
        value /= below
    unit = (match["unit"] or "").lower()
    if dimension_of(unit) is None:
        unit = unit.split("/")[0]
    if unit == "m" and dimension_of(wanted_unit) is _SECONDS:
        unit = "min"
    # "14 b" means bytes if the question asks for bytes, and billions otherwise; a word such as "tokens" does not scale
    # the number.
    if unit in _COUNTS and unit not in (dimension_of(wanted_unit) or ()):
        value *= _count_scale(unit, wanted_unit.lower())
        unit = ""
    unit = unit if dimension_of(unit) is not None else ""
    return _Stated(-value if match["sign"] else value, unit, match.start(), match.end())


def _power(base: float, exponent: int) -> float:
    try:
        return float(base**exponent)
    except ArithmeticError:
        return math.inf


def _count_scale(unit: str, wanted: str) -> float:
    """Return the factor for "14 G" or "14 billion" if the expected unit is GB, billion, or none."""
    known = dimension_of(wanted)
    if known is None:
        # Both "3.5" and "3.5 billion" answer "How many billion?".
        return 1.0 if unit == wanted else _COUNTS[unit] / _COUNTS.get(wanted, 1.0)
    return _COUNTS[unit] if known is _PERCENT else _COUNTS[unit] / known[wanted]


def _is_given(value: float, drawn: DrawnCheck) -> bool:
    """Return whether a number just repeats an input. An input such as the 7 in "7 billion" can also appear as 7e9."""
    scales = (1.0, 1e3, 1e6, 1e9)
    return any(value == given * scale for given in drawn.values.values() for scale in scales[: 4 if given >= 1 else 1])


def _verify_term(drawn: DrawnCheck, text: str) -> CheckResult:
    accepted, wrong = drawn.check.accepts, drawn.check.wrong
    heard = set(_terms_in(_folded(text), (*accepted, *wrong)))
    is_right, is_wrong = bool(heard.intersection(accepted)), bool(heard.intersection(wrong))
    if is_right and is_wrong:
        return CheckResult.UNREAD
    if is_right:
        return CheckResult.RIGHT
    return CheckResult.WRONG if is_wrong else CheckResult.UNREAD


def _terms_in(text: str, terms: Iterable[str]) -> Iterator[str]:
    """Yield the terms in a normalized text; terms inside a longer matched term are ignored."""
    for term in sorted(terms, key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w){re.escape(_folded(term))}(?:s|es)?(?!\w)")
        if pattern.search(text):
            yield term
        text = pattern.sub("#", text)


def _without_choice(text: str, letters: Sequence[str], separator: str = "") -> str:
    """Remove the letters of the chosen options, such as "A)", from the text, so that they are not read as the result.

    A match of `separator` after the choice is removed, too.
    """
    for letter in letters:
        text = re.sub(rf"(?<![\w'])\(?{letter}(?:\)|(?![\w'])){separator}", " ", text, flags=re.IGNORECASE)
    return text


def _plain(text: str) -> str:
    powers = _SUPERSCRIPT.sub(lambda match: "^" + match[1], text)
    plain = _RAISED.sub(lambda match: f"^{match[1] or match[2]}", " ".join(powers.translate(_PLAIN).split()))
    plain = re.sub(r"(?<=\d)_(?=\d{3})", "", plain)
    plain = _PER_SECOND.sub("/s", plain)
    plain = _AND_A_HALF.sub(lambda match: f"{float(_NUMBER_WORDS.get(match[1].lower(), match[1])) + 0.5:g}", plain)
    return _ONE_HALF.sub("0.5", plain)


def _folded(text: str) -> str:
    """Normalize text for term comparison.

    Lowercases the text, replaces hyphens and underscores between letters or digits with spaces, and removes spaces
    around brackets and operators.
    """
    low = _plain(text).lower()
    return " ".join(re.sub(r"(?<=\w)[-_](?=\w)", " ", re.sub(r"\s*([()\[\],/*+=^])\s*", r"\1", low)).split())


def spelled(drawn: DrawnCheck) -> tuple[str, ...]:
    """Return five ways to type the right answer; the gate accepts only checks that recognize all of them.

    If the answer is the letter of a claim, each of the five also states the number or term that decides which claim is
    true.
    """
    check = drawn.check
    if check.order:
        letters = drawn.answer
        items = [drawn.options[LETTERS.index(letter)] for letter in letters]
        return (
            letters,
            ", ".join(letters),
            " -> ".join(letters.lower()),
            f"I'd say {' then '.join(letters)}.",
            "; ".join(items),
        )
    results = _spelled_numbers(drawn) if check.number else _spelled_terms(check.accepts)
    if not check.holds:
        return results
    letter = drawn.answer
    first, second, third, *_ = results
    return (
        f"{letter}, because of {first}",
        f"({letter.lower()}) {second}",
        f"Option {letter}: {third}",
        f"{first}, so it is {letter}",
        f"{letter} - {second}",
    )


def _spelled_terms(terms: Sequence[str]) -> tuple[str, ...]:
    term = terms[0]
    return (term, term.upper(), f"It is the {term}.", f"I think {term.replace('-', ' ')}, mostly.", f'"{term}" I guess')


def _spelled_numbers(drawn: DrawnCheck) -> tuple[str, ...]:
    unit = drawn.check.unit
    wanted = evaluate(drawn.check.number, drawn.values)
    plain = as_written(float(f"{wanted:.6g}")).replace(",", "")
    behind = f" {unit}" if unit else ""
    spaced = as_written(float(f"{wanted:.6g}"))
    rounded = plain if wanted == round(wanted) and drawn.check.within < 5e-4 else f"{float(f'{wanted:.4g}'):g}"
    second = f"{spaced}{behind}" if f"{spaced}{behind}" != plain else f"= {plain}"
    return (plain, second, f"It is {rounded}{behind}.", f"{wanted:.6e}", f"about {plain}{behind}, I think")


def wrong_answers(drawn: DrawnCheck) -> tuple[str, ...]:
    """Return answers that a check must reject: each wrong result, each wrong option, and each input as a result."""
    check = drawn.check
    if check.order:
        items = list(drawn.answer)
        return tuple("".join(order) for order in _other_orders(items))
    if check.number:
        values = [evaluate(expression, drawn.values) for expression in check.wrong]
        wrong = [f"{as_written(float(f'{value:.6g}'))}{f' {check.unit}' * bool(check.unit)}" for value in values]
        wrong += [as_written(value) for value in drawn.values.values()]
    else:
        wrong = list(check.wrong)
    if not check.holds:
        return tuple(wrong)
    right, letters = spelled(drawn), LETTERS[: len(drawn.shown)]
    result = right[1].partition(") ")[2]
    others = [f"{letter}, because of {result}" for letter in letters if letter != drawn.answer]
    return (*others, *(f"{drawn.answer}, because of {value}" for value in wrong), *letters, result)


def _other_orders(items: list[str]) -> Iterator[list[str]]:
    yield items[::-1]
    for place in range(len(items) - 1):
        swapped = [*items]
        swapped[place : place + 2] = [items[place + 1], items[place]]
        yield swapped
