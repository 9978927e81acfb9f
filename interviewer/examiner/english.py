"""Distinguishes English from other languages. The checks on a model's text recognize only English words.

In any other language, a model could give a point away or grade an answer without being caught by a check.
"""

from __future__ import annotations

import re

from interviewer.examiner.matching.sentences import Sentence, split_sentences

# Symbols, Greek letters and some accents in names (Rényi, Schölkopf) occur in English texts.
_FOREIGN_LETTER = re.compile(
    r"[^\W\d_a-zA-Z\u00b2\u00b3\u00b5\u00b9\u00bc-\u00be\u00c0-\u00ff\u0370-\u03ff\u1d2c-\u1d6a\u2070-\u209c\u2100-\u214f"
    r"\U0001d400-\U0001d7ff]"
)
_NAME = re.compile(r"\b[A-Z]\w*")
_ACCENT = re.compile(r"[\u00df-\u00ff]")
_LETTERS = re.compile(r"[a-z']+")
# Common words that rarely occur in other languages, and short replies.
_ENGLISH = frozenset(
    """
    the of and is are what how why does do did would which that this these those your you with for when where it its
    it's from with not to be been if by at then there here than we they their them he she can could should has have had
    a an i or but one two three both each all any some every about as on in out up down into over under between after
    before again first next last now so no yes me my our us let let's take give tell say said explain name show think
    go on look back more most much many only just same other another without while because who whose will may might
    must was were being that's you're don't doesn't isn't i'm i'll we'll
    hello hi welcome thanks thank ok okay fine sure well noted understood alright right please ha haha heh oh aha hm hmm
    mm yeah funny cute interesting curious joke try goodbye bye suppose consider imagine
    """.split()
)
# Common words that also exist in other languages: "no" alone does not make a sentence English.
_SHARED = frozenset("no so me do must hat par".split())
# Common words in other languages that use the Latin alphabet; none of them is an English word or a technical term.
_FOREIGN = frozenset(
    """
    und der das ist nicht ein eine einen einem eines mit für fuer auf wenn dann statt sondern durch sich wird werden
    kann muss soll auch nur aber oder zu zum zur vom beim dein deine deinen deiner ihr ihre ihren sie du dem hier noch
    schon sehr gut mehr als alle jede jeder nach aus über gute richtig falsch genau antwort frage warum weil gibt
    les des une avec dans pas que qui vous votre nous cette ces mais donc sont pour sur il elle leur chaque
    el los las una por para como pero sobre cuando donde uma mais della che sono gli nel esta este muy bien
    het een niet voor zijn deze ook maar wordt och att inte som
    """.split()
)
# A long English sentence contains several common words, and each long part of the sentence contains at least one.
_WORDS_PER_COMMON = 12
_PART_WORDS_MIN = 7
_SHARED_WORDS_MIN = 6
_PARTS = re.compile(r"[,;:()–—]")
# The name of a variable or function, as in "kappa = 0.6" and "max(460, 450)", does not count as a word of any natural
# language.
_IN_FORMULA = re.compile(r"\w+(?= ?=|\()")


def is_english(text: str, known: str = "") -> bool:
    """Return whether every sentence is in English, apart from symbols; words in `known` may occur in any sentence.

    Some sentences are treated as English only if all their words are in `known`: those without any common word, and
    longer sentences whose only common words also occur in other languages.
    """
    familiar = frozenset(_LETTERS.findall(known.lower()))
    sentences = split_sentences(text)
    parts = [_LETTERS.findall(part.lower()) for sentence in sentences for part in _PARTS.split(sentence.quote)]
    return (
        not is_foreign(text, known)
        and all(_has_common_words(sentence, familiar) for sentence in sentences)
        and all(
            familiar.issuperset(part) or not _ENGLISH.isdisjoint(part) for part in parts if len(part) >= _PART_WORDS_MIN
        )
    )


def is_foreign(text: str, known: str = "") -> bool:
    """Return whether the text contains a letter or word from another language; words in `known` are ignored."""
    familiar = frozenset(_LETTERS.findall(known.lower()))
    has_letters = _FOREIGN_LETTER.search(text) or _ACCENT.search(_NAME.sub("", text))
    return bool(has_letters) or any(
        not _FOREIGN.difference(familiar).isdisjoint(sentence.words) for sentence in split_sentences(text)
    )


def _has_common_words(sentence: Sentence, familiar: frozenset[str]) -> bool:
    names = _IN_FORMULA.findall(sentence.text)
    spelled = [word for word in sentence.words if len(word) > 1 and _LETTERS.fullmatch(word) and word not in names]
    common = sum(word in _ENGLISH for word in sentence.words)
    if len(spelled) >= _SHARED_WORDS_MIN and _SHARED.issuperset(_ENGLISH.intersection(sentence.words)):
        return familiar.issuperset(spelled)
    return familiar.issuperset(spelled) or common > len(spelled) // _WORDS_PER_COMMON
