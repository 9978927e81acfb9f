"""Judgments by a strong language model, written by hand: it read each prompt from a file and wrote the reply to a file.

The prompts are the ones that the app sends, and the app's parser reads the replies, so the figures hold for the judge's
prompt, the parser and the scoring, but not for the network. `python -m tests.bank.readings write FOLDER --seed N` draws
answers and writes their prompts as NUMBER.md; each reply goes to NUMBER.json next to its prompt. `... keep FOLDER`
adds the replies to the recorded ones, and `... figures` prints how well those agree with the grades.

Whoever writes the replies must not know the grades. The prompts show neither grades nor kinds of answers; answers that
another prompt shows as a graded example are not drawn.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.bank.load import load_questions
from interviewer.chat.model import Message, Reply, ReplyUnusable, Usage
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner.calibration.measure import JudgedAnswer
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.examples import Examples
from interviewer.examiner.gold import GoldAnswer, load_gold
from interviewer.examiner.llm import LLMExaminer
from interviewer.session.question import Question
from tests.bank.outside import load_outside

REPLIES = Path(__file__).with_name("replies.json")
OUTSIDE_QUESTIONS, OUTSIDE_EACH = 20, 2
GOLD_QUESTIONS, GOLD_EACH = 8, 3


@dataclass(frozen=True)
class Reading:
    """A recorded reply to the prompt for one answer; `seed` is the seed of the sample that contained the answer."""

    question: str
    kind: str
    seed: int
    reply: str


class FileModel:
    """A model whose reply is set beforehand, and which keeps the first prompt that it gets."""

    name = "readings"

    def __init__(self, reply: str = "") -> None:
        self.notice: Callable[[str], None] = lambda text: None
        self.waits: Callable[[float], None] = lambda seconds: None
        self.usage = Usage()
        self.prompt: Sequence[Message] = ()
        self._reply = reply

    def warm_up(self) -> bool:
        return True

    def stream(self, messages: Sequence[Message], is_cancelled: Callable[[], bool] = never_cancelled) -> Iterator[str]:
        yield self.complete(messages).text

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        temperature: float = 0.0,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> Reply:
        self.prompt = self.prompt or tuple(messages)
        if not self._reply:
            raise ReplyUnusable("No reply was written.", "")
        return Reply(self._reply, "stop")


class Sampler:
    """Draws answers and writes their prompts."""

    def __init__(self) -> None:
        self.questions = {question.id: question for question in load_questions()}
        self._examples = Examples(self.questions)
        self.answers = all_answers(self.questions)

    def judge(self, model: FileModel) -> CheckedExaminer:
        """Return the examiner that the app uses with this model; one request covers all points."""
        return CheckedExaminer(LLMExaminer(model, random.Random(0), self._examples, is_parallel=False))

    def prompt(self, answer: GoldAnswer) -> str:
        """Return the first prompt for an answer to the opening question."""
        model, question = FileModel(), self.questions[answer.question]
        self.judge(model).assess(question, question.prompt, answer.text)
        return "\n\n".join(f"[{message.role}]\n{message.content}" for message in model.prompt)

    def draw(
        self, seed: int, but: Iterable[tuple[str, str]] = (), gold_questions: int = GOLD_QUESTIONS
    ) -> list[tuple[GoldAnswer, str]]:
        """Return answers with their prompts, without those in `but` and those that a prompt shows as an example."""
        rng, read = random.Random(seed), set(but)
        outside = [answer for answer in self.answers if answer.kind.startswith("outside") and key(answer) not in read]
        gold = [answer for answer in self.answers if not answer.kind.startswith("outside") and key(answer) not in read]
        drawn = _some(rng, outside, OUTSIDE_QUESTIONS, OUTSIDE_EACH) + _some(rng, gold, gold_questions, GOLD_EACH)
        prompts = [(answer, self.prompt(answer)) for answer in drawn]
        # An empty prompt: the app judges such an answer without a model.
        return [(answer, prompt) for answer, prompt in prompts if prompt and not _is_example(answer, prompts)]

    def assessed(self, reading: Reading) -> JudgedAnswer:
        """Return the app's assessment for a recorded reply. Raises KeyError if its question is not in the bank."""
        answer = {key(answer): answer for answer in self.answers}[reading.question, reading.kind]
        question = self.questions[answer.question]
        judge = self.judge(FileModel(reading.reply))
        return JudgedAnswer(answer, question, judge.assess(question, question.prompt, answer.text))


def key(answer: GoldAnswer) -> tuple[str, str]:
    """Return a key that distinguishes an answer from all others."""
    return answer.question, answer.kind


def all_answers(questions: Mapping[str, Question]) -> list[GoldAnswer]:
    """Return the held-out outside answers and the gold answers."""
    outside = [
        GoldAnswer(answer.question, f"outside {answer.kind}", answer.text, answer.states, ())
        for answer in load_outside(questions)
        if answer.is_held_back
    ]
    return [*outside, *load_gold(questions)]


def load_readings() -> list[Reading]:
    """Return the recorded replies."""
    return [Reading(**entry) for entry in json.loads(REPLIES.read_text(encoding="utf-8"))] if REPLIES.exists() else []


def _some(rng: random.Random, answers: Sequence[GoldAnswer], questions: int, each: int) -> list[GoldAnswer]:
    names = sorted({answer.question for answer in answers})
    chosen = sorted(rng.sample(names, min(questions, len(names))))
    found = {name: [answer for answer in answers if answer.question == name] for name in chosen}
    return [answer for own in found.values() for answer in rng.sample(own, min(each, len(own)))]


def _is_example(answer: GoldAnswer, prompts: Iterable[tuple[GoldAnswer, str]]) -> bool:
    """Return whether the prompt of another answer shows this answer, and therefore its grades."""
    start = " ".join(answer.text.split())[:40]
    return any(start in " ".join(prompt.split()) for other, prompt in prompts if other.question != answer.question)
