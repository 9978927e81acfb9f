"""Adds to any examiner's judgment what code can determine.

Code verifies numbers, and it recognizes recited answers and candidates who give in when their answer is questioned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache

from interviewer.bank.arithmetic import contains_number, evaluate, is_near, numbers_in
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner import answer_flags
from interviewer.examiner.examiner import NOTHING_SAID, Conversation, Examiner
from interviewer.examiner.matching.overlap import content_stems
from interviewer.examiner.matching.sentences import Sentence, normalize, split_sentences, words_of
from interviewer.examiner.plain_statements import plain_statements, without_operands, words_of_question
from interviewer.session.assessment import Assessment, PointState, State
from interviewer.session.phrases import ARE_YOU_SURE, JUDGED_CHARACTERS_MAX
from interviewer.session.question import Question, Rung
from interviewer.session.state import OFFLINE

# Increment this whenever these checks change their results; see `offline.MATCHING_VERSION`.
CHECKS_VERSION = "7"
# Factors between units of the same quantity: powers of 1000 and 1024, and percent.
_UNITS = tuple(sorted({base**power for base in (1e3, 1024.0) for power in range(-4, 5)} | {100.0, 0.01}))
# In interviews, people say GB when they mean GiB.
_MIXED = (100.0, 0.01, *(1e3**power * 1.024**binary for power in range(-4, 5) for binary in range(-4, 5)))
# Factors between seconds, minutes, hours and days.
_TIMES = tuple(factor for unit in (60.0, 3600.0, 24.0, 1440.0, 86400.0) for factor in (unit, 1 / unit))
_TIME = re.compile(r"\d ?(?:s|sec|seconds?|min|minutes?|h|hours?|days?)\b|\b(?:seconds|minutes|hours|days)\b")
_FRACTION = re.compile(r"(?<![\w./])(\d+(?:\.\d+)?) ?/ ?(\d+(?:\.\d+)?)(?![\w/])")
_IN_WORDS = re.compile(
    r"\b(?:ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|billion"
    r"|(?:zero|one|two|three|four|five|six|seven|eight|nine) point|point (?:oh?|zero|one|two|three|four|five|six|seven"
    r"|eight|nine)|half|halves|(?:third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|hundredth)s?)\b"
)
_WITH_UNIT = re.compile(
    r"\d ?(?:%|percent\b|[kmgt]i?b\b|bytes?\b|[mun]?s\b|(?:milli|micro)?seconds?\b|[kmbg]\b|\w*illion\b)", re.I
)
# Powers of ten, decimal commas, and the Chinese characters for ten thousand and a hundred million.
_HARD_TO_READ = re.compile(r"10 ?(?:\^|\*\*|[⁰¹²³-⁹⁻])|\d,\d{1,2}(?![\d,])|\d ?[万亿億萬]")
_INPUT = re.compile(r"\b(?:with|for|take|taking|assum(?:e|ing)|say|suppose|if|instead of)\b[^.;,]{0,24}?\d[\d.,]*")
# Words that indicate that the candidate chose other inputs, even if no number is stated.
_OWN_CASE = re.compile(
    r"\b(?:twice|doubl\w+|tripl\w+|halv\w+|our|ours|my|instead|if|suppose|assum\w+|different|other|another|larger"
    r"|bigger|smaller|longer|shorter|deeper|wider|fewer|i (?:know|use|used|run|ran|work|worked|trained))\b"
)
_TELLING_MIN = 10.0
_MAY_RISE = (State.MISSING, State.PARTIAL)
# Listing every plausible number is not the same as computing one.
_NUMBERS_MAX = 12
_CHARS_MAX = JUDGED_CHARACTERS_MAX
_RECITED_STEMS = 15
_RECITED_SHARE = 0.5
_RUN = 3
_GIVES_IN = re.compile(
    r"\b(?:you(?:'re| are)|(?:your|the) colleague is) (?:probably |of course )?right\b"
    r"|(?<!\bif )(?<!\bunless )(?<!think )(?<!believe )\bi(?:'m| was| am| may be| might be| must be| could be)"
    r" (?:wrong|mistaken)\b|\bi(?:'d| would)? take (?:that|it) back\b"
    r"|\bi(?:'m| am|)? ?stand corrected\b|\bi got (?:it|that) wrong\b|\bi made (?:an? )?(?:error|mistake)\b"
    r"|\b(?:he|she|they)(?:'s|'re| is| are| may be| might be| could be) (?:probably )?right\b|\bhas a point\b"
    r"|\bi(?:'d| would|'ll| will)? (?:agree with|defer to) (?:him|her|them|you|(?:your|the|that) colleague)\b"
    r"|\b(?:go|take|let us go|let's go) with (?:him|her|them|(?:your|the|that) colleague)\b|\bcolleague's version\b"
    r"|\bi (?:do not|don't|no longer) stand by\b"
    r"|\bmy mistake\b|\b(?:then )?i(?:'ll| will)? change my (?:answer|mind)\b|\bthe other way (?:a)?round then\b"
)
# "I don't think the colleague is right" and "if they are right, ..." concede nothing.
_NO_CONCESSION = re.compile(
    r"(?:\b(?:if|unless|whether|doubt)"
    r"|(?:\b(?:not|cannot|never)|n't) (?:\w+ )?(?:think|believe|see|say|agree|convinced|sure))(?: how| why| that)?"
    r" (?:you|he|she|they|(?:your|the|that) colleague)\b[^.,;:]*?\b(?:right|has a point)\b"
)
# Matches an entire reply that means "no" to "do you stand by it?".
_DENIES = re.compile(r"^\W*(?:(?:no longer|nope|nah|no|not (?:any ?more|any longer|really))\b\W*)+$")
# Phrases that mean "yes" in reply to "do you stand by it?".
_AFFIRMS = re.compile(r"^\W*(?:yes|yeah|yep|sure|definitely|absolutely|certainly|of course)\b(?! not\b)")
_STANDS = re.compile(
    r"\bi (?:do |would )?(?:still )?(?:stand by|stick (?:to|with|by))\b"
    r"|\bi(?:'m| am) (?:quite |very |pretty )?(?:sure|certain|confident|positive)\b"
    r"|\bi(?:'d| would)? (?:keep|stay|insist)\b"
    r"|\b(?:he|she|(?:your|the|that) colleague)(?:'s| is) (?:wrong|mistaken)\b"
    r"|\bi disagree with (?:him|her|them|the)\b"
)


class CheckedExaminer:
    """An examiner that wraps another examiner and corrects its assessment if the result can be computed."""

    def __init__(self, judge: Examiner) -> None:
        self.name = judge.name
        self._judge = judge

    @property
    def version(self) -> str:
        """Return the version of the judge combined with the version of these checks."""
        return f"{self._judge.version}-{CHECKS_VERSION}"

    def assess(
        self,
        question: Question,
        asked: str,
        answer: str,
        is_cancelled: Callable[[], bool] = never_cancelled,
        conversation: Conversation = NOTHING_SAID,
    ) -> Assessment:
        """Return the judge's assessment with its numbers verified, plus the flags that code can determine."""
        assessment = self._judge.assess(question, asked, answer, is_cancelled, conversation)
        if not assessment.is_graded:
            return assessment
        read = answer[:_CHARS_MAX]
        sentences = [sentence for sentence in split_sentences(read) if not answer_flags.is_instruction(sentence)]
        rung = next((rung for rung in question.rungs if rung.ask == asked and rung.check), None)
        points = assessment.points
        if rung is not None and len(numbers_in(read)) <= _NUMBERS_MAX:
            is_offline = assessment.judge == OFFLINE
            points = tuple(_with_number(question, rung, asked, sentences, point, is_offline) for point in points)
        flags = assessment.flags
        if _is_recited(question, sentences):
            flags += ("recited",)
        denies = asked == ARE_YOU_SURE and bool(sentences) and all(_DENIES.search(each.text) for each in sentences)
        gives_in = denies or any(_GIVES_IN.search(_NO_CONCESSION.sub(" ", sentence.text)) for sentence in sentences)
        stands = any(_STANDS.search(sentence.text) for sentence in sentences)
        # "They are right about that, but I stand by it" counts as neither giving in nor standing firm.
        if gives_in and not stands:
            flags += ("gives_in",)
        elif not gives_in and (stands or (sentences and _AFFIRMS.search(sentences[0].text))):
            flags += ("stands",)
        if answer_flags.gives_up(sentences):
            flags += ("gives_up",)
        return replace(assessment, points=points, flags=flags)


def _with_number(
    question: Question, rung: Rung, asked: str, sentences: Sequence[Sentence], point: PointState, is_offline: bool
) -> PointState:
    """Return the point's state: at most partial if the answer states numbers, but not the right one.

    If the offline examiner judged the answer, plainly stating the right number earns the point, because the question
    bank's phrasings rarely match numbers. If a model judged the answer, a number never raises the point's state. Nor
    does a number ever overrule a contradiction. If an answer states two numbers, or uses words such as "our" and
    "twice", the candidate may have chosen other inputs. A model's state is then kept, because a model can tell whether
    the result fits those inputs.
    """
    wanted = evaluate(rung.check)
    is_numeric = point.id in rung.points and contains_number(question.point(point.id).says, wanted, rung.within)
    # A small whole number or a number from the question occurs by chance too often to prove anything.
    if not is_numeric or not _is_telling(wanted) or contains_number(asked, wanted, rung.within):
        return point
    if point.state is not State.SHOWN:
        may_rise = is_offline and point.state in _MAY_RISE
        quote = _plain_quote(question, sentences, wanted, rung.within) if may_rise else ""
        return PointState(point.id, State.SHOWN, quote) if quote else point
    given = numbers_in(asked)
    stated = {number for sentence in sentences for number in numbers_in(sentence.text) if number not in given}
    has_own_case = len(stated) > 1 or any(_OWN_CASE.search(sentence.text) for sentence in sentences)
    if not stated or (has_own_case and not is_offline):
        return point
    # A different number in the point's text may also earn the point, so leave that decision to the judge.
    results = [number for number in numbers_in(question.point(point.id).says) if _is_telling(number)]
    results = [number for number in results if number not in given]
    is_right = any(
        _says_in_some_unit(sentence.text, wanted, rung.within)
        or any(_may_mean(sentence.text, number, rung.within) for number in (wanted, *results))
        or _HARD_TO_READ.search(sentence.quote)
        or _has_own_input(sentence.text, given)
        for sentence in sentences
    )
    return point if is_right else replace(point, state=State.PARTIAL)


def _is_telling(number: float) -> bool:
    return abs(number) >= _TELLING_MIN or number != round(number)


def _has_own_input(text: str, given: Collection[float]) -> bool:
    """Return whether a sentence uses an input that was not given: "with 32 layers instead of 28, ..."."""
    return any(number not in given for match in _INPUT.finditer(text) for number in numbers_in(match[0]))


def _plain_quote(question: Question, sentences: Sequence[Sentence], wanted: float, within: float) -> str:
    """Return a sentence that plainly states this number; "" if there is none.

    A sentence that contains a unit may state the number in a different unit.
    """
    words = words_of_question(question)
    if not plain_statements("\n".join(sentence.quote for sentence in sentences), words):
        return ""
    for sentence in sentences:
        plain = without_operands(plain_statements(sentence.quote, words))
        units = _UNITS if _WITH_UNIT.search(plain) else (1.0,)
        if _says_in_some_unit(normalize(plain), wanted, within, units):
            return sentence.quote
    return ""


def _says_in_some_unit(text: str, wanted: float, within: float, units: Sequence[float] = _UNITS) -> bool:
    # A single-digit whole number is too likely to appear by chance, even if it is the rounded result.
    numbers = [number for number in numbers_in(text) if _is_telling(number)]
    # "2.47" for 2.4749 is right, however tight the tolerance is, because people round to three digits.
    return any(
        is_near(number, wanted * unit, within) or number == float(f"{wanted * unit:.3g}")
        for number in numbers
        for unit in units
    )


def _may_mean(text: str, wanted: float, within: float) -> bool:
    """Return whether a sentence may express the right number: rounded, as a fraction, without its sign, in a different
    unit, or spelled out.

    Such a match is enough to keep the state that the judge assigned to the point, but not to raise it.
    """
    fractions = [float(upper) / float(lower) for upper, lower in _FRACTION.findall(text) if float(lower)]
    stated = [abs(number) for number in numbers_in(text) + fractions]
    times = _TIMES if _TIME.search(text) else ()
    return bool(_IN_WORDS.search(text)) or any(
        any(is_near(number, abs(wanted) * unit, within) for unit in (1.0, *times))
        or any(_rounds_to(abs(wanted) * unit, number) for unit in (*_MIXED, *times))
        for number in stated
    )


def _rounds_to(exact: float, stated: float) -> bool:
    """Return whether `stated` is `exact` rounded to the number of digits in `stated`, or to two digits."""
    written = Decimal(repr(stated)).normalize().as_tuple()
    place = int(written.exponent) - max(0, 2 - len(written.digits))
    return abs(stated - exact) <= 0.5 * 10.0**place * (1 + 1e-9)


def _is_recited(question: Question, sentences: Sequence[Sentence]) -> bool:
    """Return whether most of the answer repeats word sequences from the question bank."""
    # Two people who compute the same result write the same numbers, so equal numbers do not show that an answer is
    # recited.
    stems = [stem for sentence in sentences for stem in _stems_without_numbers(sentence.words)]
    runs = _runs(stems)
    if len(stems) < _RECITED_STEMS or not runs:
        return False
    return len(runs & _bank_runs(question)) >= _RECITED_SHARE * len(runs)


@cache
def _bank_runs(question: Question) -> frozenset[tuple[str, ...]]:
    texts = [point.says for point in question.points] + [rung.answer for rung in question.rungs]
    return frozenset(run for text in texts for run in _runs(_stems_without_numbers(words_of(normalize(text)))))


def _stems_without_numbers(words: Sequence[str]) -> list[str]:
    return [stem for stem in content_stems(words) if not any(map(str.isdigit, stem))]


def _runs(stems: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(stems[place : place + _RUN]) for place in range(len(stems) - _RUN + 1))
