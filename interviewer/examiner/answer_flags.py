"""Classifies sentences and answers: echo, list of terms, instruction, question. These labels never add credit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from interviewer.examiner.matching.negation import has_negation
from interviewer.examiner.matching.overlap import content_stems
from interviewer.examiner.matching.sentences import Sentence, words_of

_ECHO_WORDS = 0.8
_ECHO_PAIRS = 0.6
_DOES_NOT_KNOW_WORDS = 12
_TERMS_AT_LEAST = 4
_VALUE_WORDS = 7
_LIST_PARTS = 4
_LIST_PART_WORDS = 2.5

# Any of these words, or a relation sign, turns a list of terms into a statement.
_SAYING = """
    is are was were be been am isn't aren't wasn't does do did doesn't don't has have had can can't could may might must
    will would should shall cannot not never it its they them we us our you i he she this that these those there
    because since so if when while whenever where which who what why how than then until unless although though but
    therefore hence thus instead otherwise already only just still always again whether between each every
    without both all no more less it's that's there's they're we're you're i'd we'd you'd i'll we'll i'm what's let's
    times minus plus equals
"""
# Words that join other words into a phrase: a term may contain one of them ("reward to go"), and a sentence may contain
# several.
_JOINING_WORDS = """
    a an the of in on at by for from into to with as per than over
"""
_JOINING = frozenset(_JOINING_WORDS.split())
# These words are always verbs. Words such as "update" and "bound" are left out because they are often technical
# terms; whether such a word is a verb depends on its position.
_VERBS = """
    keep give take need grow shrink become stay lead reduce increase raise depend multiply divide subtract remove vanish
    explode survive learn compute compare contain equal follow hide explain happen allow prevent avoid ignore forget
    cancel leave come make get add say think know read write require provide
    store watch use plot measure save send throw record
"""
# These adjectives make a statement about a technical term; they are rarely technical terms themselves.
_PREDICATES = "biased unbiased consistent"
_STATEMENT_WORDS = frozenset(" ".join((_SAYING, _VERBS, _PREDICATES)).split()) | {verb + "s" for verb in _VERBS.split()}
_VERB_BY_PLACE = re.compile(
    r"\b(?!eps\b)\w+[^\Ws]s (?:the|an?|to|from|as|by|its?|both|all|only|more|less|zero|\d)\b"
    r"|\b\w+(?:ed|en) (?:by|to|from|as|into|with|in|on)\b"
)
_NUMBER_WORDS = """
    zero half third one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million point
"""
_NUMBERS = frozenset(_NUMBER_WORDS.split())
_FIGURE = re.compile(r"\d+(?:[kmgtb]|[kmgt]i?b)?")
_RELATION = re.compile(r"=|<|>|≤|≥|≈|∝|~")
# Phrases that say only that something matters or was taken care of. "Look at p95" does not match, because it is advice.
_OF_WEIGHT = re.compile(
    r"\b(?:(?:which|that|it|this|they|these|those|all|both) )*(?:is|are|was|were|'s|'re) "
    r"(?:(?:all|really|very|so|quite|also|extremely|super|absolutely) )*"
    r"(?:important|crucial|key|essential|critical|fundamental|vital|relevant|about)\b(?: here| there| for \w+)?"
    r"|\bit's all about\b|\b(?:which )?(?:really )?matters? (?:here|a lot|too|most)\b"
    r"|\b(?:(?:you|we|one|i|i've|we've|people) )?(?:(?:always|really|have|had|has|to|need|must|should|would|do|did) )*"
    r"(?:consider|think about|talk about|keep in mind|take into account|pay attention to|care about|focus on|know about"
    r"|dealt with|worked (?:a lot )?(?:on|with))\b"
)
_PARTS = re.compile(r"[,/|•·]|\s-\s")
# The pattern is narrow on purpose: a valid answer may contain "give every token the same credit" or "the system prompt
# is masked", which are not instructions to the grader.
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,3}"
    r"(?:previous|prior|above|earlier|preceding|your|grading|system) (?:\w+ ){0,2}"
    r"(?:instruction|prompt|rule|rubric|criteri|guideline)"
    r"|\b(?:mark|count|treat|consider|set|report|grade|rate)\b.{0,40}\b(?:points?|rubric|criteria|answer|candidate|this)\b"
    r".{0,30}\bas (?:shown|passed|correct|complete|covered|satisfied|true)\b"
    r"|\b(?:give|award|grant|assign|score|grade)\b.{0,20}\b(?:me|my answer|this answer|the candidate|this candidate)\b"
    r".{0,30}\b(?:points?|marks?|credits?|scores?|grade|\d+)\b"
    # "The checker gave full marks to empty files" describes a bug; it is not an instruction to the grader.
    r"|\b(?:me|this answer|my answer|the answer|the candidate|this candidate)\b.{0,30}\bfull (?:marks|points)\b"
    r"|\bfull (?:marks|points) (?:please|for (?:me|this|my|the answer))"
    r"|\b(?:all|every|each) points? (?:is|are|was|were|has been|have been) shown\b"
    r"|\byou are (?:now|no longer) (?:\w+ ){0,3}(?:grader|examiner|judge|assistant|model|ai|evaluator)\b"
    r"|\byou are (?:an?|the) (?:\w+ )?(?:grader|examiner|evaluator)\b"
    r"|^\W*(?:system|developer)(?: prompt| message| override)?\W*:"
    r"|^\W*(?:note to |dear )?(?:the )?(?:grader|examiner)\s*[:,]"
    r"|\"(?:state|points|evidence)\"\s*:"
)
_DOES_NOT_KNOW = re.compile(
    r"(?:\bi |^)(?:really |honestly |just )?(?:do not|don't|dont) (?:really |actually )?(?:know|remember|recall)\b"
    r"|\bno (?:idea|clue)\b|\bnot a clue\b|\bbeats me\b|\bi(?:'m| am) lost\b|\bi (?:can't|cannot) say\b"
    r"|\bi forgot\b|\bcouldn't tell you\b|\bi(?:'m| am) not sure\b|^not sure\b"
    r"|\bi (?:can't|cannot|can not) (?:answer|remember|recall)\b"
    r"|\bi(?:'ve| have)? never (?:heard|seen|met)\b|^(?:i'll |i )?(?:pass|skip)\W*$|^(?:idk|dunno)\b"
)
_GIVES_UP = re.compile(
    r"\bi(?:'ll| will| have to| want to)? (?:give up|quit)\b"
    r"|\bi(?:'d| would) (?:rather|like to|prefer to) (?:skip|pass|move on)\b"
    r"|^\W*(?:let's |let us |can we |please )?(?:skip|pass|move on|next|next question|go on)"
    r"(?: (?:this|it|please))?\W*$"
)
_ASKS_BACK = re.compile(
    r"\bwhat do you mean\b|\b(?:can|could|would) you (?:please )?(?:clarify|rephrase|repeat|explain|define|be more)\b"
    r"|^\W*(?:please )?(?:clarify|rephrase|explain|define) (?:the|this|that|your) (?:term|word|question|task)\b"
    r"|\bi (?:do not|don't|did not|didn't) understand (?:the|this|that|your) (?:term|word|question|task)\b"
    r"|\b(?:know|understand|sure|clear) what (?:you mean\b|you(?:'re| are) (?:asking|looking for|after)\b"
    r"|you want(?= (?:from me|me to|to hear|to know|here)\b|\W*$))"
)
# A short text that begins like this is treated as a question, even without a question mark.
_BEGINS_QUESTION = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|sorry|wait|hm+|please)\b\W*)*"
    r"(?:what (?:is|are|does|do|exactly|counts)\b"
    r"|(?:can|may|should|shall|do|could) (?:i|we|you)\b"
    r"|(?:is|are|does) (?:it|this|that|there|the|these|those)\b.*\b(?:or|per|meant|fixed|given|included|assumed)\b"
    r"|which \w+ (?:is|are|do you mean)\b|how (?:is|are|do you|does the)\b.*\bdefined\b"
    r"|(?:clarify|define|explain|rephrase|repeat)\b)"
)
_QUESTION_WORDS_MAX = 12


def is_echo(sentence: Sentence, asked: Sequence[str], asked_negates: bool) -> bool:
    """Return whether a sentence just repeats the question: nearly all stems match, in nearly the same order.

    The order matters because a right answer often reuses the question's own words.
    """
    words = content_stems(sentence.words)
    if not words or has_negation(sentence.text) != asked_negates:
        return False
    known, known_pairs = set(asked), set(pairwise(asked))
    pairs = list(pairwise(words))
    is_known = sum(word in known for word in words) >= _ECHO_WORDS * len(words)
    return is_known and sum(pair in known_pairs for pair in pairs) >= _ECHO_PAIRS * len(pairs)


def is_instruction(sentence: Sentence) -> bool:
    """Return whether a sentence addresses the grader instead of the interviewer."""
    return bool(_INSTRUCTION.search(sentence.text))


def is_question(sentence: Sentence) -> bool:
    """Return whether a sentence is a question and therefore claims nothing."""
    return sentence.quote.endswith(("?", "？"))


def is_term_list(sentence: Sentence) -> bool:
    """Return whether a sentence is a list of terms without a statement."""
    if len(sentence.words) < _TERMS_AT_LEAST or _is_number(sentence):
        return False
    parts = [part for part in _PARTS.split(sentence.text) if part.strip()]
    # A formula adds only one statement to the count, so twenty terms and one formula are still treated as a list of
    # terms.
    statements = _statement_count(sentence) + sum(bool(_RELATION.search(part)) for part in parts)
    joints = _joint_count(sentence)
    if not statements + joints:
        return True
    is_split_small = len(parts) >= _LIST_PARTS and len(sentence.words) <= _LIST_PART_WORDS * len(parts)
    return is_split_small and statements + joints / 2 < len(parts) / 4


def only_stresses_importance(sentence: Sentence) -> bool:
    """Return whether a sentence merely calls things important and is otherwise just a list of terms."""
    rest = _OF_WEIGHT.sub(" ", sentence.text)
    if rest == sentence.text or _RELATION.search(rest) or _VERB_BY_PLACE.search(rest):
        return False
    return not _STATEMENT_WORDS.intersection(words_of(rest))


def is_all_terms(sentences: Sequence[Sentence]) -> bool:
    """Return whether the whole answer consists of terms, possibly one per line."""
    if sum(len(sentence.words) for sentence in sentences) < _TERMS_AT_LEAST:
        return False
    if any(_statement_count(sentence) or _RELATION.search(sentence.text) for sentence in sentences):
        return False
    # If every line is a number, the answer consists of results, not of terms. If only one of the lines is a number, the
    # answer may still be a list of terms.
    if all(_is_number(sentence) for sentence in sentences):
        return False
    return sum(_joint_count(sentence) for sentence in sentences) < len(sentences)


def does_not_know(sentences: Sequence[Sentence]) -> bool:
    """Return whether a short answer says that the candidate does not know."""
    words = sum(len(sentence.words) for sentence in sentences)
    unknown = [sentence for sentence in sentences if _DOES_NOT_KNOW.search(sentence.text)]
    return words <= _DOES_NOT_KNOW_WORDS and any(not _ASKS_BACK.search(sentence.text) for sentence in unknown)


def gives_up(sentences: Sequence[Sentence]) -> bool:
    """Return whether a short answer asks to skip the question."""
    words = sum(len(sentence.words) for sentence in sentences)
    return words <= _DOES_NOT_KNOW_WORDS and any(_GIVES_UP.search(sentence.text) for sentence in sentences)


def asks_back(sentences: Sequence[Sentence]) -> bool:
    """Return whether the answer ends with a question, or asks for the question to be repeated or explained."""
    last = sentences[-1]
    begins = len(last.words) <= _QUESTION_WORDS_MAX and len(sentences) <= 2 and _BEGINS_QUESTION.search(last.text)
    return is_question(last) or bool(begins) or any(_ASKS_BACK.search(sentence.text) for sentence in sentences)


def _statement_count(sentence: Sentence) -> int:
    # A noun phrase with an article ("a lower bound on the surrogate") can answer a question; a term has no article.
    known = sum(word in _STATEMENT_WORDS for word in sentence.words) + (sentence.words[0] in ("a", "an", "the"))
    return known or len(_VERB_BY_PLACE.findall(sentence.text))


def _is_number(sentence: Sentence) -> bool:
    """Return whether a sentence is mostly numbers, or a single number with a noun, which fully answers "how many?"."""
    numbers = sum(word in _NUMBERS or bool(_FIGURE.fullmatch(word)) for word in sentence.words)
    is_of_one_thing = len(sentence.words) <= _VALUE_WORDS and len(_PARTS.split(sentence.text)) == 1
    return 2 * numbers >= len(sentence.words) or (numbers > 0 and is_of_one_thing)


def _joint_count(sentence: Sentence) -> int:
    return sum(word in _JOINING for word in sentence.words)
