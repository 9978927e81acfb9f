"""Judges without a language model; every credited point is backed by a quote from the candidate.

The phrasings (each point's regular expressions) are matched first. If there is a learned matcher, its scores are
combined with the phrasing matches. A point can then also earn credit for wording that no phrasing covers, and a
phrasing match that the scores do not support earns no credit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from interviewer.examiner import answer_flags
from interviewer.examiner.examiner import NOTHING_SAID, Conversation
from interviewer.examiner.matching.learned import LearnedMatcher, Window, decide
from interviewer.examiner.matching.negation import has_negation
from interviewer.examiner.matching.overlap import content_stems, match_point, stems
from interviewer.examiner.matching.patterns import first_stated
from interviewer.examiner.matching.sentences import Sentence, normalize, split_sentences, words_of
from interviewer.session.assessment import PHRASINGS_ONLY, Assessment, Belief, PointState, State
from interviewer.session.question import Point, Question

# Increment this whenever a judgment changes, here or in matching: a calibration applies only to its own version.
# gold/judgements.json stores this version's results on the gold answers, and a test compares against it.
MATCHING_VERSION = "1"
_MAX_CHARS = 20_000


def _never() -> bool:
    return False


class OfflineExaminer:
    """Judges answers by phrasings, by word overlap and, if there is a `matcher`, by its scores for claims and passages.

    Judgments are deterministic. If the matcher does not respond, only the phrasings are used, and the assessment is
    flagged "phrasings".
    """

    name = "offline"

    def __init__(self, matcher: LearnedMatcher | None = None) -> None:
        self._matcher = matcher

    @property
    def version(self) -> str:
        """Return the version of the matching rules, plus the matcher's version if there is one."""
        return f"{MATCHING_VERSION}+{self._matcher.version}" if self._matcher else MATCHING_VERSION

    def assess(
        self,
        question: Question,
        asked: str,
        answer: str,
        is_cancelled: Callable[[], bool] = _never,
        conversation: Conversation = NOTHING_SAID,
    ) -> Assessment:
        """Return the state of every point of the question in this answer.

        `is_cancelled` is ignored because judging is fast, and `conversation` because only the answer itself is matched.
        """
        heard = hear(question, asked, answer)
        if "empty" in heard.flags:
            return Assessment(self.name, is_graded=False, flags=heard.flags, why_not="empty answer")
        points, flags = heard.points, heard.flags
        if self._matcher is not None and heard.firm:
            windows = self._matcher.find(
                [normalize(point.for_judge) for point in question.points], [sentence.text for sentence in heard.firm]
            )
            if windows is None:
                flags += (PHRASINGS_ONLY,)
            else:
                points = tuple(
                    _weighed(point, found, near, heard)
                    for point, found, near in zip(question.points, points, windows, strict=True)
                )
        return Assessment(self.name, is_graded=True, points=points, misconceptions=heard.beliefs, flags=flags)


@dataclass(frozen=True)
class Heard:
    """The result of matching phrasings against an answer, and the flags for the answer's assessment.

    `firm` holds the sentences that assert something; questions, lists of terms, echoes of the question and instructions
    to the examiner do not. The learned matcher reads only the sentences in `firm`.
    """

    firm: tuple[Sentence, ...]
    beliefs: tuple[Belief, ...]
    points: tuple[PointState, ...]
    flags: tuple[str, ...]


def hear(question: Question, asked: str, answer: str) -> Heard:
    """Match phrasings against an answer; an answer that contains no sentence gets the flag "empty"."""
    sentences = split_sentences(answer[:_MAX_CHARS])
    if not sentences:
        return Heard((), (), tuple(PointState(point.id, State.MISSING) for point in question.points), ("empty",))
    counted, echoes, instructions = _sorted(sentences, asked)
    weak = _weak(counted, sentences)
    firm = [sentence for sentence in counted if sentence not in weak]
    beliefs = _beliefs(question, firm)
    # A sentence that states a misconception uses the right terms for a wrong claim, so it earns at most partial credit.
    believing = {belief.quote for belief in beliefs}
    asked_stems = stems(question.prompt) | stems(asked)
    stated = [sentence for sentence in firm if sentence.quote not in believing]
    doubtful = [sentence for sentence in counted if sentence in weak or sentence.quote in believing]
    points = tuple(match_point(point, stated, asked_stems, doubtful) for point in question.points)
    return Heard(tuple(firm), beliefs, points, _flags(answer, sentences, weak, echoes, instructions))


def _weighed(point: Point, found: PointState, near: Sequence[Window], heard: Heard) -> PointState:
    """Return a point's final state, after the learned matcher's scores are combined with the phrasing matches.

    `found` is the point's state according to the phrasings, and `near` contains the windows nearest to the point.
    """
    verdict = decide(point.for_judge, [sentence.text for sentence in heard.firm], near, found.state)
    if verdict.state is found.state:
        return found
    if verdict.state is State.MISSING or verdict.sentence is None:
        return PointState(point.id, State.MISSING)
    quote = heard.firm[verdict.sentence].quote
    is_believed = verdict.state is State.SHOWN and any(belief.quote == quote for belief in heard.beliefs)
    return PointState(point.id, State.PARTIAL if is_believed else verdict.state, quote)


def _weak(counted: Sequence[Sentence], sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences that make no claim: questions and, if the answer is mostly lists, lists of terms."""
    lists = (
        counted
        if answer_flags.is_all_terms(sentences)
        else [sentence for sentence in counted if answer_flags.is_term_list(sentence)]
    )
    # A list of terms such as "Save: adam m and v, scheduler, scaler" counts as part of the answer unless lists make up
    # at least half of the words.
    prevail = 2 * sum(len(sentence.words) for sentence in lists) >= sum(len(sentence.words) for sentence in sentences)
    claimless = [
        sentence
        for sentence in counted
        if answer_flags.is_question(sentence) or answer_flags.only_stresses_importance(sentence)
    ]
    return [sentence for sentence in counted if sentence in claimless or (prevail and sentence in lists)]


def _sorted(sentences: Sequence[Sentence], asked: str) -> tuple[list[Sentence], list[Sentence], list[Sentence]]:
    """Sort sentences into those that can earn credit, echoes of the question, and instructions to the grader."""
    asked_text = normalize(asked)
    asked_words, asked_negates = content_stems(words_of(asked_text)), has_negation(asked_text)
    counted: list[Sentence] = []
    echoes: list[Sentence] = []
    instructions: list[Sentence] = []
    for sentence in sentences:
        if answer_flags.is_instruction(sentence):
            instructions.append(sentence)
        elif answer_flags.is_echo(sentence, asked_words, asked_negates):
            echoes.append(sentence)
        else:
            counted.append(sentence)
    return counted, echoes, instructions


def _beliefs(question: Question, sentences: Sequence[Sentence]) -> tuple[Belief, ...]:
    beliefs = (
        (misconception.id, first_stated(misconception.shows, sentences)) for misconception in question.misconceptions
    )
    return tuple(Belief(name, sentence.quote) for name, sentence in beliefs if sentence)


def _flags(
    answer: str,
    sentences: Sequence[Sentence],
    weak: Sequence[Sentence],
    echoes: Sequence[Sentence],
    instructions: Sequence[Sentence],
) -> tuple[str, ...]:
    is_listing = [sentence for sentence in weak if not answer_flags.is_question(sentence)]
    flags = {
        "cut": len(answer) > _MAX_CHARS,
        "echo": 2 * len(echoes) >= len(sentences),
        "instruction": bool(instructions),
        "keywords": 2 * len(is_listing) >= len(sentences),
        "does_not_know": answer_flags.does_not_know(sentences),
        "asks_back": answer_flags.asks_back(sentences),
    }
    return tuple(name for name, holds in flags.items() if holds)
