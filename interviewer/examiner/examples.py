"""Few-shot examples for a judge: graded answers to other questions, which share no points with the judged question.

A question always has the same examples, so that a server can cache the part of the prompt before the answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

from interviewer.examiner.gold import GoldAnswer, GoldError, load_gold
from interviewer.examiner.matching.overlap import stems
from interviewer.examiner.quotes import QuotableAnswer
from interviewer.session.question import Point, Question

EXAMPLES_MAX = 4
_ANSWER_CHARS_MAX = 800
_POINTS_MAX = 4
_POINTS_MIN = 2
_SOUND = ("excellent", "other_words", "good", "partial")
_UNSOUND = ("wrong", "keywords", "injection")
_HEADING = (
    "Answers to other questions, with the states an expert assigned, to show how strict to be (your reply must also "
    "contain the quotes, and leaves out what is missing). They tell you nothing about the answer you judge."
)


class Examples:
    """Finds graded answers to questions that resemble a given question. The gold set is loaded on first use."""

    def __init__(self, questions: Mapping[str, Question]) -> None:
        self._questions = questions

    def text_for(self, question: Question, chars_max: int) -> str:
        """Return two or four formatted examples; "" if none fit.

        Half of the examples are unsound: a wrong answer, a list of keywords, or an instruction to the judge.
        """
        sound, unsound = (self._nearest(question, kinds) for kinds in (_SOUND, _UNSOUND))
        pairs = list(zip(unsound, sound, strict=False))[: EXAMPLES_MAX // 2]
        while pairs:
            examples = [self._formatted(answer, question) for pair in pairs for answer in pair]
            text = "\n\n".join([_HEADING, *examples])
            if len(text) <= chars_max:
                return text
            pairs.pop()
        return ""

    @cached_property
    def _gold(self) -> tuple[tuple[GoldAnswer, frozenset[str]], ...]:
        try:
            whole = load_gold(self._questions)
        except GoldError:
            # This error occurs if a user has edited a question. The judge then gets no examples, and the content gate
            # reports the invalid file.
            return ()
        # If an answer were truncated, the states assigned to its points could refer to text that was cut off.
        return tuple((answer, stems(answer.text)) for answer in whole if len(answer.text) <= _ANSWER_CHARS_MAX)

    def _nearest(self, question: Question, kinds: Sequence[str]) -> list[GoldAnswer]:
        wanted = stems(" ".join((question.prompt, *(point.says for point in question.points))))
        usable = [
            (len(wanted & known) / math.sqrt(len(known) or 1), gold)
            for gold, known in self._gold
            if gold.kind in kinds and gold.question != question.id and len(self._points(gold, question)) >= _POINTS_MIN
        ]
        usable.sort(key=lambda pair: -pair[0])
        return [gold for _, gold in usable[:EXAMPLES_MAX]]

    def _points(self, gold: GoldAnswer, judged: Question) -> list[Point]:
        """Return the points to show with a gold answer, starting with those that it addresses.

        Points that the judged question also has are left out.
        """
        ids, texts = {point.id for point in judged.points}, {point.says for point in judged.points}
        points = [
            point for point in self._questions[gold.question].points if point.id not in ids and point.says not in texts
        ]
        return sorted(points, key=lambda point: point.id not in gold.states)[:_POINTS_MAX]

    def _formatted(self, gold: GoldAnswer, judged: Question) -> str:
        points = self._points(gold, judged)
        return "\n".join(
            [
                "Points:",
                *(f"- {point.id}: {point.for_judge}" for point in points),
                # The tag need not be random, because the authors of the shipped answers do not try to close it.
                "<example>",
                QuotableAnswer(gold.text).numbered(),
                "</example>",
                "States: " + ", ".join(f"{point.id} {gold.state_of(point.id).value}" for point in points),
            ]
        )
