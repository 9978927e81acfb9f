"""Recognizes an explanation of a failing case that contains the name of the mistake in the code.

Each mistake has a one-sentence description, but few candidates use the words in that description. The words that
candidates use are closer to the mistake's name (its id): "I inverted the ratio" matches `ratio_inverted`.
"""

from __future__ import annotations

import re

from interviewer.examiner.matching.overlap import content_stems
from interviewer.examiner.matching.sentences import split_sentences

# A single word is too common to identify the mistake, and nobody says all the words of a long name in one sentence.
_WORDS_MIN, _WORDS_MAX = 2, 3
_LARGER, _SMALLER = r"\b(?:max|larg|great|bigg|high)\w*", r"\b(?:min|small|less|low)\w*"
_SAME = {"max": _LARGER, "maximum": _LARGER, "min": _SMALLER, "minimum": _SMALLER}
_CALLS = {_LARGER: re.compile(r"\ba?max(?:imum)?\("), _SMALLER: re.compile(r"\ba?min(?:imum)?\(")}
# Matches verbs that describe what the code does, but not verbs that describe what it should do.
_DOES = r"(?<!should )(?<!must )(?<!have to )(?<!should have )\b(?:took|takes?|used?|uses|wrote)\b(?: [\w']+){0,3} "
_DENIED = re.compile(r"\b(?:not|never|no|nor)\b|n't\b")


def quote_naming(mistake: str, source: str, answer: str) -> str:
    """Return the first sentence of the answer that contains all words of the mistake's name, or "" if there is none.

    For a name such as `max_for_min`, "I took the maximum" is enough if the submission (`source`) calls a max function.
    Likewise, "I took the minimum" is enough if it calls a min function, because opposite words describe the same
    mistake in a loss and in an objective.
    """
    words = [_SAME.get(stem, rf"\b{re.escape(stem)}\w*") for stem in content_stems(mistake.split("_"))]
    wanted = [words] if _WORDS_MIN <= len(words) <= _WORDS_MAX else []
    if {_LARGER, _SMALLER} == set(words):
        wanted += [[_DOES + word] for word in words if _CALLS[word].search(source)]
    for sentence in split_sentences(answer):
        for patterns in wanted:
            ends = [match.end() for pattern in patterns if (match := re.search(pattern, sentence.text))]
            is_stated = len(ends) == len(patterns) and not _DENIED.search(sentence.text[: max(ends)])
            if is_stated and not sentence.text.rstrip().endswith("?"):
                return sentence.quote
    return ""
