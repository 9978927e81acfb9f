"""Finds the clauses in an answer that merely state a result, so that code can treat the result as the answer.

There are endless ways to deny a result, to doubt it, or to report it as somebody else's, so no list of them can be
complete. Instead, every word in a clause must be known to be harmless. If a candidate's result is rejected by mistake,
it is not lost: the interviewer then asks for just the result.
"""

from __future__ import annotations

import re
from functools import cache

from interviewer.session.question import Question

# Clauses end at sentence ends, commas, colons, arrows, dashes and brackets, and at words that join a reason to a
# result. The separators are kept, because they show where a result is stated.
_SEPARATOR = re.compile(
    r"((?<=[.;?!])\s+|\n+|(?:[,:]|\.\.+|…|->|=>|→|⇒|\s-+|[–—])(?:\s+|$)|\((?=[^()]{2})|(?<=[^()]{2})\)"
    r"|\b(?:because|since|due to|given that|therefore|thus|hence|(?<!anything )but|so|i\.e\.)(?!\w))",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
# Without the boundary, the search would begin again at each letter of a long word.
_WITH_DIGIT = re.compile(r"\b[^\W\d]*\d\w*")
# A question, with or without a question mark.
_ASKS = re.compile(r"\W*(?:is|are|was|were|does|do|did|would|could|can|should|will|might) \w", re.IGNORECASE)
_ACRONYM_CHARS_MAX = 5
_HARMLESS = frozenset(
    # Grammar
    """
    a an the this that these those it its it's that's there there's here i i'd i'm i'll i've me my we we'd we'll we're
    our us you you'd you'll they they're their them one is are be been being am was has have had having do does did
    doing will would should must to of in on at by for from with as into onto over per and then both each every all any
    same own other which where when while what how very quite just only also again too still now
    than more less fewer greater smaller larger bigger higher lower
    well ok okay yes yeah sure right hmm um uh er oh ah please sorry let let's see
    """.split()
    # Hedges
    + """
    about around approximately approx roughly nearly almost circa ca probably maybe perhaps presumably likely mostly
    basically simply exactly precisely think guess believe reckon suppose expect assume assuming estimate guessing
    thinking pretty fairly sort kind call say said sure certain
    """.split()
    # Results and calculations
    + """
    answer answers result results value values number numbers total totals sum product ratio difference quotient
    fraction share percent percentage percents factor size amount count counts term unit units name letter option choice
    claim statement equal equals gives give gave giving makes make making leaves leave left leaving yields yield comes
    come works out ends end up goes becomes become get gets got getting takes take need needs needed use uses used using
    holds hold keep keeps pick picks choose chose add adds added adding subtract subtracted multiply multiplied
    multiplying divide divided dividing times plus minus squared cubed root log exp power rounded rounding round half
    halves halved twice double doubled doubles triple tripled quarter first second third next after once
    negative new it'd that'd final finally overall altogether together apiece long short bare plain
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen twenty thirty
    forty fifty hundred thousand million billion trillion nothing none point
    """.split()
    # Units
    + """
    b kb mb gb tb pb kib mib gib tib byte bytes kilobyte kilobytes megabyte megabytes gigabyte gigabytes terabyte
    terabytes gig gigs bit bits gbit s sec secs seconds ms msec millisecond milliseconds us microsecond microseconds ns
    nanoseconds min mins minute minutes h hr hrs hour hours d day days flop flops tflop tflops gflops pflops pflop
    mio mn bn k m g t pct pp pt pts points tok toks token tokens step steps sample samples rank ranks gpu gpus
    """.split()
)
# A clause with one of these words is never a plain statement, even if the question itself contains the word.
_HARMFUL = re.compile(
    r"not?|nor|never|none?theless|neither|cannot|\w+n't|without|except|instead|rather|hardly|barely|scarcely|far|or|if"
    r"|unless|whether|suppose[sd]?|supposedly|otherwise|were|anything|anyone|anybody|everyone|everybody|someone|somebody"
    r"|nobody|who\w*|people|he|she|him|her|his|colleagues?|boss|managers?|teachers?|professors?|students?|candidates?"
    r"|friends?|interns?|papers?|blogs?|claim(?:s|ed|ing)|alleged\w*|so-?called|says|tells?|told|thinks|thought|believes"
    r"|believed|argues?|wrong\w*|incorrect\w*|false\w*|mistak\w*|errors?|errs?|err(?:ed|oneous)\w*|myths?"
    r"|misconceptions?|traps?|naive\w*|common\w*|usual\w*|typical\w*|popular|tempting|obvious\w*|apparent\w*|seem\w*"
    r"|forg[eo]t\w*|overlook\w*|confus\w*|doubt\w*|disagree\w*|den(?:y|ies|ied)|reject\w*|refus\w*|joke\w*|kidding"
    r"|nope?|nah|least|most|exceed\w*|below|above|under|unlike|versus|vs|yours?|old|before|previous\w*|last|off"
    r"|some|such|thing|used"
)
# An operand is not a result: "twice 14", "14 squared", "7 * 14". In "7 * 2 = 14", only 14 is a result.
_NUMBER = r"-?(?<![\w.,])\d[\d.,]*(?:e\d+)?"
_OPERATOR = r"(?:\b(?:times|plus|minus|divided by|multiplied by|over)\b|[*x](?! ?10 ?(?:\^|\*\*))|[-+](?= ))"
_UNIT = rf"(?: ?(?!{_OPERATOR})[A-Za-z%]+)?"
_SCALES = (
    r"\b(?:twice|half|double|triple|quarter|third|fifth|tenth|percent|root|log|exp)(?: of| the| than)*|%(?: of| the)+"
)
_OPERAND = re.compile(
    rf"{_NUMBER}{_UNIT}(?: ?{_OPERATOR} ?\(?{_NUMBER}{_UNIT}\)?)+"
    rf"|(?:{_SCALES}|\b(?:times|multiplied by)|\* ?) ?{_NUMBER}(?: ?%)?"
    rf"|{_NUMBER}(?= ?(?:squared|cubed|halved|doubled)\b)",
    re.IGNORECASE,
)
# "more than 14" is a bound, "14 more than before" is a result.
_BOUNDS = re.compile(
    r"\b(?:more|less|fewer|greater|smaller|larger|bigger|higher|lower) than (?:\w+ )?\d", re.IGNORECASE
)
# A clause with one of these phrases does not state a result, even if each of its words is in `_HARMLESS`. "Adds up to"
# is an exception, because it states a sum.
_CLAIMS_NOTHING = re.compile(
    r"\bout of the question\b|\brul(?:e[sd]?|ing) out\b|(?<!without )(?<!no )(?<!avoiding )\bdouble[- ]count"
    r"|(?<!add )(?<!adds )(?<!adding )(?<!sum )(?<!sums )(?<!rounds )(?<!rounded )"
    r"\bup to\b(?! (?:a |the |rounding|sign\b))"
    r"|^\W*(?:minus|plus|times) something\b"
    r"|\b(?:many|most|plenty|lots|some|several|few|people|folks|others)\b(?: \w+){0,4}?"
    r" (?:say|think|claim|answer|believe|guess|assume|expect|argue|write|reply|pick)\b",
    re.IGNORECASE,
)
_NEGATES = re.compile(r"not?|nor|never|neither|cannot|without|\w+n't|wrong|false|or|if")
_SOMEBODY = re.compile(
    r"\b(?:who|whoever|anyone|anybody|someone|somebody|everyone|everybody|nobody|some|others|people|folks|he|she|they|his|her"
    r"|their|colleagues?|coworkers?|labmates?|boss|managers?|teachers?|professors?|students?|candidates?|friends?|interns?"
    r"|juniors?|seniors?|guys?|partners?|authors?|vendors?|chatgpt|gpt|claude|gemini|blogs?|papers?|books?|notes"
    r"|textbooks?|docs|slides?|sheets?|forums?|videos?|talks?|google|wikipedia|autocomplete|dashboard|notebook|homework)\b",
    re.IGNORECASE,
)
# After a noun for a person or another source, these verbs introduce what that source says.
_REPORTS = re.compile(
    r"\b(?:claim|say|said|swear|tell|told|think|thought|believe|argue|insist|write|wrote|suggest|print|pick|got|get|answer"
    r"|compute|expect|accept|reads?|shows?|want|would|has|had)\w*\b",
    re.IGNORECASE,
)
# Any other clause that matches one of these may retract the result, make it conditional, or attribute it to somebody
# else.
_UNDERMINES = re.compile(
    "|".join(
        (
            # A verdict
            r"^\W*(?:\w+\W+){0,2}(?:no|nope|nah|wrong|incorrect|false|nonsense|absurd)\W*(?:\w+\W*)?$",
            r"^\W*(?:\w+\W+){0,2}not\W*(?:(?:that|it|so|right|true|correct|really|quite|mine|this)\W*)?$",
            r"\b(?:wrong|incorrect|untrue|mistaken|mistakes?|nonsense|absurd|suspicious|typo|hearsay|clueless|lying)\b",
            r"\b(?:misconceptions?|myths?|fallac(?:y|ies)|traps?|pitfalls?)\b",
            # Matches the verdict in "Common error: 14", but not terms such as "standard error".
            r"^\W*(?:(?!standard|squared|rounding|td|bellman|relative|quantization)\w+\W+){0,3}errors?\W*$",
            r"\b(?:joking|kidding|lol|scratch that|ignore that|last thing|rule out|isn't (?:the|it))\b",
            r"\bnot (?:that|mine|sure)\b",
            r"\btoo (?:low|high|long|short)\b|\bbetween\b|\bat (?:most|least)\b|\btake (?:that|it) back\b",
            # No answer, or a refusal
            r"\b(?:no|any|an|without an?|put me down|count me) (?:answer|idea|clue|pick|number|figure|result)\b",
            r"\b(?:can't|cannot|couldn't|won't|wouldn't) (?:be|say|tell|answer|work|see|explain|confirm)\b",
            r"\bi(?:'m|'d|'ll|'ve)? (?:\w+ ){0,2}"
            r"(?:disagree|doubt|reject|refuse|refute|exclude|pass|skip|lost|deny|trust)\b",
            r"\bi (?:\w+ )?(?:don't|do not|didn't|did not|haven't|have not|can't|won't|wouldn't|couldn't|never)"
            r" (?:\w+ )?(?:think|believe|know|buy|agree|remember|recall|see|trust|have|expect|endorse|understand"
            r"|decided|read)\b",
            # A condition or a question
            r"^\W*(?:and |or |then |even )?(?:if|unless|suppose|supposing|assume|imagine|say|had|were|assuming|whether"
            r"|let's (?:assume|say))\b",
            r"\bonly if\b|\bwould (?:be|have|need|hold|make)\b|\?\W*$",
            # Somebody else
            r"(?<!\bi )(?<!\bwe )(?<!\bi'd )\b(?:claims?|claimed|says|said|told|thinks|thought|believes|argues"
            r"|insists|wrote|writes)\b",
            r"\baccording to\b|\bquot(?:e|ing)\b",
        )
    ),
    re.IGNORECASE,
)
# If a candidate who reports somebody else's result also uses one of these phrases, the candidate states a result of
# their own.
_OWN = re.compile(r"\b(?:i'd say|i would say|i say|i think|i get|i got|my (?:own )?answer)\b", re.IGNORECASE)


def plain_statements(text: str, vocabulary: frozenset[str] = frozenset(), results: frozenset[str] = frozenset()) -> str:
    """Return only the clauses of the text that plainly state a result; "" if another clause casts doubt on the result.

    `vocabulary` contains the question's words in lowercase. They are treated as harmless, like the words in
    `_HARMLESS`, unless they match `_HARMFUL`. `results` contains the words of the possible results. Unless they are
    negations, they are treated as harmless even if they match `_HARMFUL`, such as "student".
    """
    parts = _SEPARATOR.split(text)
    clauses, separators = parts[::2], [*parts[1::2], ""]
    # A result with a question mark counts as an unsure answer only in the last clause. In an earlier clause, it is a
    # question about that result, as in "14? That is the other quantity."
    last = max((place for place, clause in enumerate(clauses) if clause.strip()), default=0)
    is_plain = [
        _is_plain(clause, vocabulary, results) and (place == last or not clause.rstrip().endswith("?"))
        for place, clause in enumerate(clauses)
    ]
    kept = [clause if plain else " " for clause, plain in zip(clauses, is_plain, strict=True)]
    others = [clause for clause, plain in zip(clauses, is_plain, strict=True) if not plain]
    own = "".join(clause + separator for clause, separator in zip(kept, separators, strict=True))
    return "" if any(map(_undermines, others)) and not _OWN.search(own) else own


def _undermines(clause: str) -> bool:
    somebody = _SOMEBODY.search(clause)
    is_report = somebody is not None and _REPORTS.search(clause, somebody.end())
    return bool(is_report or _UNDERMINES.search(clause) or _CLAIMS_NOTHING.search(clause))


def _is_plain(clause: str, vocabulary: frozenset[str], results: frozenset[str]) -> bool:
    if _BOUNDS.search(clause) or _CLAIMS_NOTHING.search(clause):
        return False
    words = _WORD.findall(_WITH_DIGIT.sub(" ", clause.replace("’", "'")))
    if clause.rstrip().endswith("?") or _ASKS.match(clause):
        # "14 GB?" alone is a tentative answer; in a longer sentence, it is a question.
        return all(_is_symbol(word) or word.lower() in _HARMLESS for word in words) and len(words) <= 1
    return all(_is_harmless(word, vocabulary, results) for word in words)


def _is_harmless(word: str, vocabulary: frozenset[str], results: frozenset[str]) -> bool:
    low = word.lower()
    if low in results and not _NEGATES.fullmatch(low):
        return True
    if _HARMFUL.fullmatch(low):
        return False
    return low in _HARMLESS or low in vocabulary or _is_symbol(word)


def _is_symbol(word: str) -> bool:
    """Return whether a word is a variable or an acronym, such as x, KV or FSDP."""
    return word.isascii() and (len(word) == 1 or (word.isupper() and len(word) <= _ACRONYM_CHARS_MAX))


def words_in(*texts: str) -> frozenset[str]:
    """Return the lowercase words in the texts."""
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text.replace("’", "'")))


def without_operands(text: str) -> str:
    """Return the text without the operands of its calculations, for example without the "7 * 2" in "7 * 2 = 14"."""
    return _OPERAND.sub(" ", text)


@cache
def words_of_question(question: Question) -> frozenset[str]:
    """Return the lowercase words in a question, its ladder and its checks."""
    return words_in(
        question.prompt,
        *(point.says for point in question.points),
        *(text for rung in question.rungs for text in (rung.ask, rung.answer)),
        *(text for check in question.checks for text in (check.ask, check.holds, *check.order, *check.accepts)),
        *(claim.says for check in question.checks for claim in check.fails),
    )
