"""Measure which phrasings the learned matcher makes unnecessary: `python -m tests.bank.phrasings [QUESTION ...]`.

A phrasing is unnecessary if no point of any answer gains or loses credit without it, given the phrasings that were
removed before it. That is decided on the open half of the outside answers and on the gold answers. A phrasing that
matches in none of them is unnecessary there for lack of evidence, so the table counts these separately. The remaining
phrasings are then measured on texts that played no part in the decision: the answers and the unseen statements that
were held out of the encoder's training. The script prints a line for each question and, for each set of texts, the
figures with all phrasings, with the necessary ones, and with none.

The shipped decision was fitted with phrasings, so without phrasings it credits less than it could. The last lines fit
it again with all phrasings and with none, cross-validated over questions, with the same fraction of undeserved credit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from interviewer.bank.load import load_questions
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.gold import load_gold
from interviewer.examiner.matching.learned import LOAD_SECONDS, LearnedMatcher, Window
from interviewer.examiner.matching.patterns import compiled
from interviewer.examiner.matching.sentences import split_sentences
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import State
from interviewer.session.question import Question
from tests.bank.matcher.decision import (
    Answer,
    answers_to_learn_from,
    cross_validated,
    is_credited,
    make_cases,
    passage_answers,
)
from tests.bank.matcher.material import STATEMENTS, is_kept_out, statements
from tests.bank.outside import load_outside, share

CREDITED = (State.SHOWN, State.PARTIAL)
_UNDESERVED_MAX = 0.07


@dataclass(frozen=True)
class Graded:
    """A text given as an answer to a question, and the states that it deserves; other points are missing.

    `judged` are the points that were graded; None if all of the question's points were.
    """

    question: str
    text: str
    states: Mapping[str, State]
    judged: frozenset[str] | None = None


class RememberingMatcher(LearnedMatcher):
    """The shipped matcher; it scores each answer once, because its scores do not depend on phrasings."""

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[list[Window]]] = {}

    def find(self, claims: Sequence[str], sentences: Sequence[str]) -> list[list[Window]]:
        """Return the windows near each claim. Raises RuntimeError if the process does not answer."""
        key = tuple(claims), tuple(sentences)
        if key not in self._found:
            found = super().find(claims, sentences)
            if found is None:
                raise RuntimeError("the matcher does not answer")
            self._found[key] = found
        return self._found[key]


Judge = Callable[[Question, str], Mapping[str, State]]


def judge_with(matcher: LearnedMatcher | None) -> Judge:
    """Return the offline examiner as a function of a question and an answer to its prompt."""
    examiner = CheckedExaminer(OfflineExaminer(matcher))

    def judge(question: Question, text: str) -> Mapping[str, State]:
        assessment = examiner.assess(question, question.prompt, text)
        return {point.id: assessment.state_of(point.id) for point in question.points}

    return judge


def with_phrasings(question: Question, kept: Mapping[str, Sequence[str]]) -> Question:
    """Return the question with only these phrasings of its points."""
    return replace(
        question, points=tuple(replace(point, shows=tuple(kept.get(point.id, ()))) for point in question.points)
    )


def matching(question: Question, texts: Iterable[str]) -> dict[str, set[str]]:
    """Return the phrasings of each point that match anywhere in these texts."""
    sentences = [sentence.text for text in texts for sentence in split_sentences(text)]
    return {
        point.id: {shows for shows in point.shows if any(compiled(shows).search(sentence) for sentence in sentences)}
        for point in question.points
    }


def necessary(question: Question, texts: Sequence[str], judge: Judge) -> dict[str, tuple[str, ...]]:
    """Return the phrasings of each point without which a point in any text would get different credit.

    Phrasings are removed one after the other, the last one of each point first, because if two match in the same
    sentence, each is unnecessary only as long as the other is there.
    """
    found = matching(question, texts)
    kept = {point.id: tuple(shows for shows in point.shows if shows in found[point.id]) for point in question.points}
    expected = [_credits(judge(question, text)) for text in texts]
    for point in question.points:
        for shows in reversed(kept[point.id]):
            tried = kept | {point.id: tuple(other for other in kept[point.id] if other != shows)}
            smaller = with_phrasings(question, tried)
            if [_credits(judge(smaller, text)) for text in texts] == expected:
                kept = tried
    return kept


def _credits(states: Mapping[str, State]) -> dict[str, float]:
    return {point: state.credit for point, state in states.items()}


def figures(graded: Iterable[Graded], questions: Mapping[str, Question], judge: Judge) -> str:
    """Return in one line how much of the deserved credit is given, and how much of the given credit is undeserved."""
    deserved = heard = given = undeserved = 0
    for text in graded:
        for point, found in judge(questions[text.question], text.text).items():
            if text.judged is not None and point not in text.judged:
                continue
            is_deserved, is_given = text.states.get(point) in CREDITED, found in CREDITED
            deserved += is_deserved
            heard += is_deserved and is_given
            given += is_given
            undeserved += is_given and not is_deserved
    return (
        f"{share(heard, deserved)} of {deserved} credited points are heard;"
        f" {share(undeserved, given)} of {given} heard points are missing or wrong"
    )


def relearned(questions: Mapping[str, Question], answers: Iterable[Answer], matcher: LearnedMatcher) -> float:
    """Return the fraction of credited points that a decision finds, fitted again on these questions' phrasings.

    It is cross-validated over questions. Its threshold is the lowest at which at most 7% of the credited points are
    undeserved.
    """
    cases = make_cases(questions, answers, matcher)
    ranked = sorted(zip(cross_validated(cases, is_credited), map(is_credited, cases), strict=True), reverse=True)
    heard = most = 0
    for given, (_, is_deserved) in enumerate(ranked, 1):
        heard += is_deserved
        if given - heard <= _UNDESERVED_MAX * given:
            most = heard
    return most / sum(map(is_credited, cases))


def evidence(questions: Mapping[str, Question]) -> Iterator[Graded]:
    """Yield the answers on which the decision is based: the open half of the outside answers, and the gold answers."""
    for answer in load_outside(questions):
        if not answer.is_held_back:
            yield Graded(answer.question, answer.text, answer.states)
    yield from (Graded(answer.question, answer.text, answer.states) for answer in load_gold(questions))


def passages(questions: Mapping[str, Question]) -> Iterator[Graded]:
    """Yield the answers made of passages that the encoder was not trained on."""
    for question in questions.values():
        for answer in passage_answers(question):
            yield Graded(question.id, answer.text, answer.states)


def unseen_statements(questions: Mapping[str, Question], folder: Path = STATEMENTS) -> Iterator[Graded]:
    """Yield the statements that neither the author of the phrasings nor the encoder saw, each about one point."""
    for question in questions.values():
        known = {point.id for point in question.points}
        for point, kind, text in statements(folder, question):
            if point in known and kind in ("unseen", "unseen_wrong") and is_kept_out(text):
                state = State.SHOWN if kind == "unseen" else State.CONTRADICTED
                yield Graded(question.id, text, {point: state}, frozenset({point}))


def main(names: Sequence[str]) -> None:
    """Print the table and the figures, for these questions or for all."""
    questions = {question.id: question for question in load_questions() if not names or question.id in names}
    all_questions = {question.id: question for question in load_questions()}
    matcher = RememberingMatcher()
    if not matcher.wait(LOAD_SECONDS):
        raise RuntimeError("the matcher does not start")
    judge = judge_with(matcher)
    deciding = [graded for graded in evidence(all_questions) if graded.question in questions]
    kept: dict[str, Question] = {}
    totals = [0, 0, 0]
    for question in questions.values():
        texts = [graded.text for graded in deciding if graded.question == question.id]
        needed = necessary(question, texts, judge)
        kept[question.id] = with_phrasings(question, needed)
        counts = [
            sum(len(point.shows) for point in question.points),
            sum(len(found) for found in matching(question, texts).values()),
            sum(len(shows) for shows in needed.values()),
        ]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        sys.stdout.write(_line(question.id, len(texts), counts))
        sys.stdout.flush()
    sys.stdout.write(_line("all questions", len(deciding), totals))
    bare = {name: with_phrasings(question, {}) for name, question in questions.items()}
    versions = (("all phrasings", questions), ("the necessary ones", kept), ("none", bare))
    for title, texts_of in (("passages", passages), ("unseen statements", unseen_statements)):
        graded_texts = list(texts_of(questions))
        for judged_by, judged in (("matcher and phrasings", judge), ("phrasings alone", judge_with(None))):
            for version, with_these in versions:
                said = figures(graded_texts, with_these, judged)
                sys.stdout.write(f"{title}, {judged_by}, {version}: {said}\n")
                sys.stdout.flush()
    answers = [answer for answer in answers_to_learn_from(all_questions) if answer.question in questions]
    for version, with_these in (("all phrasings", questions), ("none", bare)):
        said = f"{relearned(with_these, answers, matcher):.0%} of the credited points are heard"
        sys.stdout.write(f"decision learned anew, at most {_UNDESERVED_MAX:.0%} undeserved, {version}: {said}\n")
        sys.stdout.flush()
    matcher.close()


def _line(name: str, texts: int, counts: Sequence[int]) -> str:
    every, matched, needed = counts
    return f"{name}: {texts} answers, {every} phrasings, {matched} match in them, {needed} change credit\n"


if __name__ == "__main__":
    main(sys.argv[1:])
