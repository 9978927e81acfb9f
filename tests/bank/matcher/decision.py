"""Learn how far to trust the matcher's scores and the phrasings, from answers that were used to make neither.

Those are the answers in `tests/bank/passages` that are held out of training, and the open half of the outside
answers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from interviewer.examiner.matching.learned import FEATURES, LearnedMatcher, features
from interviewer.examiner.matching.sentences import normalize
from interviewer.examiner.offline import hear
from interviewer.session.assessment import State
from interviewer.session.question import Question
from tests.bank.matcher.material import NEAR, OF_KIND, SHOWS, is_left_to_decision, near_statements, passage_tables
from tests.bank.outside import load_outside

CREDITED = (State.SHOWN, State.PARTIAL)
# A single statement, of which only its own point was graded.
STATEMENT = "statement"
_SHRINKAGE = 0.01
_FOLDS = 5


@dataclass(frozen=True)
class Answer:
    """Hold an answer and what each point deserves; a point without an entry is missing."""

    source: str
    question: str
    kind: str
    text: str
    states: Mapping[str, State]


@dataclass(frozen=True)
class Case:
    """Hold one point of one answer, and the values of `FEATURES` from which its state is decided."""

    answer: Answer
    point: str
    values: tuple[float, ...]

    @property
    def deserves(self) -> State:
        """Return the state that a careful grader gave."""
        return self.answer.states.get(self.point, State.MISSING)


def passage_answers(question: Question) -> Iterator[Answer]:
    """Yield the held-out answers to a question, joined from their passages.

    A point that any passage contradicts counts as contradicted.
    """
    for answer in passage_tables(question, held_out=True):
        states: dict[str, State] = {}
        for key, state in (("partial", State.PARTIAL), ("shows", State.SHOWN), ("contradicts", State.CONTRADICTED)):
            states |= {point: state for passage in answer["passage"] for point in passage.get(key, [])}
        texts = (passage["text"].rstrip() for passage in answer["passage"])
        joined = " ".join(text if text[-1:] in ".!?;" else f"{text}." for text in texts)
        yield Answer("passages", question.id, answer["kind"], joined, states)


def answers_to_learn_from(questions: Mapping[str, Question]) -> Iterator[Answer]:
    """Yield the answers that the encoder was not trained on, without those that are held back."""
    for question in questions.values():
        yield from passage_answers(question)
        if is_left_to_decision(question.id):
            for point, kind, text in near_statements(NEAR, question):
                state = State.SHOWN if OF_KIND[kind] == SHOWS else State.CONTRADICTED
                yield Answer(STATEMENT, question.id, kind, text, {point: state})
    for answer in load_outside(questions):
        if not answer.is_held_back:
            yield Answer("outside", answer.question, answer.kind, answer.text, answer.states)


def make_cases(questions: Mapping[str, Question], answers: Iterable[Answer], matcher: LearnedMatcher) -> list[Case]:
    """Return a case for each point and answer; each answer is judged as an answer to the opening question.

    Raises: RuntimeError if the matcher does not answer.
    """
    cases = []
    for answer in answers:
        question = questions[answer.question]
        heard = hear(question, question.prompt, answer.text)
        texts = [sentence.text for sentence in heard.firm]
        found = matcher.find([normalize(point.for_judge) for point in question.points], texts)
        if found is None:
            raise RuntimeError("the matcher does not answer")
        for point, phrasing, windows in zip(question.points, heard.points, found, strict=True):
            if answer.source == STATEMENT and point.id not in answer.states:
                continue  # nobody graded it
            cases.append(Case(answer, point.id, tuple(features(point.for_judge, texts, windows, phrasing.state))))
    return cases


Weights = tuple[Tensor, float]


def fit(cases: Sequence[Case], is_wanted: Callable[[Case], bool]) -> Weights:
    """Return the weights of the features and the bias of a logistic regression with L2 regularization."""
    values = torch.tensor([case.values for case in cases], dtype=torch.float64)
    wanted = torch.tensor([float(is_wanted(case)) for case in cases], dtype=torch.float64)
    mean, spread = values.mean(0), values.std(0) + 1e-6
    weights = torch.zeros(len(FEATURES) + 1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200)

    def loss() -> Tensor:
        optimizer.zero_grad()
        logits = (values - mean) / spread @ weights[:-1] + weights[-1]
        total = binary_cross_entropy_with_logits(logits, wanted) + _SHRINKAGE * weights[:-1].square().sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    raw = weights.detach()[:-1] / spread
    return raw, float(weights.detach()[-1] - raw @ mean)


def is_credited(case: Case) -> bool:
    """Return whether the point deserves credit."""
    return case.deserves in CREDITED


def is_contradicted(case: Case) -> bool:
    """Return whether the answer contradicts the point."""
    return case.deserves is State.CONTRADICTED


def scores(weights: Weights, cases: Sequence[Case]) -> list[float]:
    """Return the logit of each case."""
    values = torch.tensor([case.values for case in cases], dtype=torch.float64)
    return (values @ weights[0] + weights[1]).tolist()


def cross_validated(cases: Sequence[Case], is_wanted: Callable[[Case], bool]) -> list[float]:
    """Return the logit of each case, from weights that were learned without its question."""
    folds = [hashlib.md5(case.answer.question.encode()).digest()[0] % _FOLDS for case in cases]
    found = [0.0] * len(cases)
    for fold in range(_FOLDS):
        weights = fit([case for case, of in zip(cases, folds, strict=True) if of != fold], is_wanted)
        here = [at for at, of in enumerate(folds) if of == fold]
        for at, score in zip(here, scores(weights, [cases[at] for at in here]), strict=True):
            found[at] = score
    return found


def auc(values: Sequence[float], is_wanted: Sequence[bool]) -> float:
    """Return how often a wanted case has a higher value than an unwanted one; .5 is chance."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        stop = start
        while stop < len(order) and values[order[stop]] == values[order[start]]:
            stop += 1
        for at in order[start:stop]:
            ranks[at] = (start + stop + 1) / 2
        start = stop
    many = sum(is_wanted)
    total = sum(rank for rank, wanted in zip(ranks, is_wanted, strict=True) if wanted)
    return (total - many * (many + 1) / 2) / (many * (len(values) - many))


def as_table(version: str, credit: Weights, contradiction: Weights, limits: Mapping[str, float]) -> dict[str, object]:
    """Return the decision in the format that `learned.load_decision` reads."""
    both = {
        name: {"bias": round(bias, 4)} | {feature: round(float(w), 4) for feature, w in zip(FEATURES, ws, strict=True)}
        for name, (ws, bias) in (("credit", credit), ("contradiction", contradiction))
    }
    return {"version": version, **both, "limits": dict(limits)}
