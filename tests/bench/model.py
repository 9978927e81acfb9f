"""Measures how long a candidate waits for the next question, with a model server of known speed."""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from aiohttp import web

from interviewer.config import Settings, find_folders
from interviewer.examiner.gold import GoldAnswer, load_gold
from interviewer.examiner.matching.overlap import stems
from interviewer.examiner.quotes import QuotableAnswer
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.assessment import State
from interviewer.session.move import Move
from interviewer.session.plan import PlanRequest
from interviewer.session.question import Question, Rung
from tests.bench.tables import percentiles
from tests.fakes import RecordingFrontend

FIRST_TOKEN_SECONDS = 1.0
TOKENS_PER_SECOND = 50.0
CHARS_PER_TOKEN = 4
OPENINGS = ("good", "partial", "excellent", "thin", "wrong")
INTERVIEWS = 10
TURNS_MAX = 6
_QUOTE_WORDS = 10
# The reply to a request for a question beyond the ladder.
_BEYOND = "Which of these would you measure first if the model were ten times as large?"
_ANSWER = re.compile(r"<answer-(\w+)>\n(.*?)\n</answer-\1>", re.DOTALL)
_POINT = re.compile(r"^- (\w+): ", re.MULTILINE)
_SCOPE = re.compile(r"only these points[^:]*: ([\w, ]+)\.")
_CONVEY = re.compile(r"<convey>\n(.*)\n</convey>", re.DOTALL)
_NUMBERED = re.compile(r"^s\d+: ", re.MULTILINE)
_SPACES = re.compile(r"\s+")


class KnownAnswers:
    """Judges the simulated candidate's answers as the experts or the bank do."""

    def __init__(self, questions: Mapping[str, Question]) -> None:
        self.states: dict[str, dict[str, State]] = {}
        self._says = {point.id: point.says for question in questions.values() for point in question.points}

    def add(self, text: str, states: Mapping[str, State]) -> None:
        """Record the states of an answer."""
        self.states[_folded(QuotableAnswer(text).numbered())] = dict(states)

    def reply_to(self, content: str) -> dict[str, Any]:
        """Return the judgment that the prompt asks for."""
        answers = _ANSWER.findall(content)
        text = _NUMBERED.sub("", answers[-1][1])
        states = self.states[_folded(answers[-1][1])]
        scope = _SCOPE.search(content)
        wanted = scope[1].split(", ") if scope else dict.fromkeys(_POINT.findall(content))
        points = [self._point(name, states[name], text) for name in wanted if name in states]
        return {"points": points, "misconceptions": [], "flags": []}

    def _point(self, name: str, state: State, text: str) -> dict[str, Any]:
        # The sentence most similar to the point is used as the quote that a judge would choose.
        sentences = re.split(r"(?<=[.;])\s+|\n", text)
        nearest = max(sentences, key=lambda sentence: len(stems(sentence) & stems(self._says[name])))
        quote = " ".join(nearest.split()[:_QUOTE_WORDS])
        why = "" if state is State.SHOWN else "It leaves out the reason and one case."
        return {"id": name, "quotes": [quote], "why": why, "state": state.value}


def _folded(numbered: str) -> str:
    return _SPACES.sub("", _NUMBERED.sub("", numbered))


@contextmanager
def serving(known: KnownAnswers) -> Iterator[str]:
    """Yield the address of a server that replies at the given speed, in its own thread."""
    loop, ready, addresses = asyncio.new_event_loop(), threading.Event(), []

    async def respond(request: web.Request) -> web.StreamResponse:
        content = (await request.json())["messages"][-1]["content"]
        if conveyed := _CONVEY.findall(content):
            text = f"Let us stay with that. {conveyed[-1]}"
        elif _ANSWER.search(content):
            text = json.dumps(known.reply_to(content))
        else:
            text = _BEYOND
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await reply.prepare(request)
        began = loop.time() + FIRST_TOKEN_SECONDS
        for place, at in enumerate(range(0, len(text), CHARS_PER_TOKEN)):
            # Each token has its own due time, so that timer delays do not add up.
            await asyncio.sleep(max(0.0, began + place / TOKENS_PER_SECOND - loop.time()))
            await _send(reply, {"content": text[at : at + CHARS_PER_TOKEN]})
        await _send(reply, {}, "stop")
        await reply.write(b"data: [DONE]\n\n")
        return reply

    async def start() -> web.AppRunner:
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/v1/chat/completions", respond)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        addresses.append(f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
        return runner

    def serve() -> None:
        runner = loop.run_until_complete(start())
        loop.call_soon(ready.set)
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=serve)
    thread.start()
    assert ready.wait(10)
    try:
        yield addresses[0]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


async def _send(reply: web.StreamResponse, delta: dict[str, Any], ending: str | None = None) -> None:
    chunk = {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "test",
        "choices": [{"index": 0, "delta": delta, "finish_reason": ending}],
    }
    await reply.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")


class TimingFrontend(RecordingFrontend):
    """Record the time of the first words of each message."""

    def __init__(self) -> None:
        super().__init__()
        self.first_words_at: float | None = None

    def begin_message(self, move: Move) -> None:
        super().begin_message(move)
        self.first_words_at = None

    def stream_text(self, text: str) -> None:
        super().stream_text(text)
        if self.first_words_at is None:
            self.first_words_at = time.monotonic()


def measure() -> dict[str, Any]:
    """Return the percentiles of the waits in seconds, for the opening answers and for the follow-ups."""
    waits: dict[str, list[float]] = {"opening": [], "follow-up": []}
    with ExitStack() as stack:
        environ = {"INTERVIEWER_HOME": stack.enter_context(tempfile.TemporaryDirectory()), "OPENAI_API_KEY": "none"}
        folders = find_folders(environ)
        context = stack.enter_context(AppContext(Settings(model="openai/test"), folders, environ=environ))
        questions = {question.id: question for question in context.questions}
        known = KnownAnswers(questions)
        environ["OPENAI_API_BASE"] = stack.enter_context(serving(known))
        stack.enter_context(patch.dict("os.environ", environ))
        assert context.model
        while not context.model.warm_up():
            time.sleep(0.1)
        # The server runs in this process, but it handles several requests at a time, as a provider does.
        stack.enter_context(patch("interviewer.interview.participants.is_own_server", return_value=False))
        gold = {(answer.question, answer.kind): answer for answer in load_gold(questions)}
        names = sorted({name for name, _ in gold})
        for place, name in enumerate(names[:: len(names) // INTERVIEWS][:INTERVIEWS]):
            _interview(context, gold[name, OPENINGS[place % len(OPENINGS)]], known, waits)
    waits["all"] = waits["opening"] + waits["follow-up"]
    return {
        "figures": {f"Enter to the next question, {name} (s)": percentiles(waits[name]) for name in waits},
        "p90": {name: round(statistics.quantiles(waits[name], n=10, method="inclusive")[-1], 2) for name in waits},
    }


def _interview(context: AppContext, opening: GoldAnswer, known: KnownAnswers, waits: dict[str, list[float]]) -> None:
    """Answer one question for as long as the interviewer asks, and record each wait."""
    question = context.question(opening.question)
    request = PlanRequest(minutes=45.0, questions=(question.id,), tasks=())
    interview, front = new_interview(context, request, seed=1), TimingFrontend()
    interview.run_until_input(front)
    known.add(opening.text, opening.states)
    text = opening.text
    for turn in range(TURNS_MAX):
        sent = time.monotonic()
        interview.answer(text)
        interview.run_until_input(front)
        assert not front.notices, front.notices
        session = interview.session
        if session.is_over or session.answered is None or front.first_words_at is None:
            return
        waits["follow-up" if turn else "opening"].append(front.first_words_at - sent)
        # Right and half-right answers alternate, so that the interviewer moves both up and down.
        text, states = _follow_up(question.rungs[max(session.answered.rung, 1) - 1], is_half=turn % 3 == 1)
        known.add(text, states)
    interview.end()


def _follow_up(rung: Rung, *, is_half: bool) -> tuple[str, dict[str, State]]:
    """Return the rung's answer with its points shown, or the first half of it with its first point partly shown."""
    if not is_half:
        return rung.answer, dict.fromkeys(rung.points, State.SHOWN)
    words = rung.answer.split()
    return " ".join(words[: len(words) // 2]), {rung.points[0]: State.PARTIAL}
