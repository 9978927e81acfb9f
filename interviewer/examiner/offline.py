"""Judges without a model: it listens for phrasings, and every credited point rests on the candidate's own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interviewer.bank.hearing import first_believed
from interviewer.bank.negation import has_negation
from interviewer.bank.overlap import content_stems, hear_point, stems
from interviewer.bank.sentences import Sentence, normalise, split_sentences, words_of
from interviewer.examiner import remarks
from interviewer.session.assessment import Assessment, Belief
from interviewer.session.question import Question

_MAX_CHARS = 20_000


def _never() -> bool:
    return False


class OfflineExaminer:
    """Judge answers by phrasings and word overlap; the same answer is judged the same way every time."""

    name = "offline"

    def assess(
        self, question: Question, asked: str, answer: str, is_cancelled: Callable[[], bool] = _never
    ) -> Assessment:
        """Return the state of every point of the question in this answer.

        Assumes: `is_cancelled` need not be asked, because judging takes milliseconds.
        """
        said = split_sentences(answer[:_MAX_CHARS])
        if not said:
            return Assessment(self.name, is_graded=False, flags=("empty",), why_not="empty answer")
        counted, echoes, instructions = _sorted(said, asked)
        is_terms = remarks.states_nothing(said)
        weak = [one for one in counted if is_terms or remarks.is_term_list(one) or remarks.is_question(one)]
        firm = [one for one in counted if one not in weak]
        asked_stems = stems(question.prompt) | stems(asked)
        return Assessment(
            self.name,
            is_graded=True,
            points=tuple(hear_point(point, firm, asked_stems, weak) for point in question.points),
            misconceptions=_beliefs(question, firm),
            flags=_flags(answer, said, weak, echoes, instructions),
        )


def _sorted(said: Sequence[Sentence], asked: str) -> tuple[list[Sentence], list[Sentence], list[Sentence]]:
    """Return the sentences that may earn something, those that repeat the question, and those that instruct."""
    asked_text = normalise(asked)
    asked_words, asked_negates = content_stems(words_of(asked_text)), has_negation(asked_text)
    counted: list[Sentence] = []
    echoes: list[Sentence] = []
    instructions: list[Sentence] = []
    for one in said:
        if remarks.is_instruction(one):
            instructions.append(one)
        elif remarks.is_echo(one, asked_words, asked_negates):
            echoes.append(one)
        else:
            counted.append(one)
    return counted, echoes, instructions


def _beliefs(question: Question, sentences: Sequence[Sentence]) -> tuple[Belief, ...]:
    heard = ((one.id, first_believed(one.shows, sentences)) for one in question.misconceptions)
    return tuple(Belief(name, sentence.quote) for name, sentence in heard if sentence)


def _flags(
    answer: str,
    said: Sequence[Sentence],
    weak: Sequence[Sentence],
    echoes: Sequence[Sentence],
    instructions: Sequence[Sentence],
) -> tuple[str, ...]:
    is_listing = [one for one in weak if not remarks.is_question(one)]
    flags = {
        "cut": len(answer) > _MAX_CHARS,
        "echo": 2 * len(echoes) >= len(said),
        "instruction": bool(instructions),
        "keywords": 2 * len(is_listing) >= len(said),
        "does_not_know": remarks.does_not_know(said),
        "asks_back": remarks.asks_back(said),
    }
    return tuple(name for name, holds in flags.items() if holds)
