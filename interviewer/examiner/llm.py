"""Judges an answer with a language model: the model only quotes; code verifies every quote and counts the votes.

An answer without content is never sent to the model. Points that the first vote leaves open get two more votes, which
are requested at the same time. A point on which no two votes agree stays undecided: it neither earns nor loses credit.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from interviewer.chat.model import ChatCancelled, ChatError, ChatModel, ContextTooLong, Message, ReplyUnusable
from interviewer.chat.spending import Payments
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner.answer_flags import asks_back, does_not_know
from interviewer.examiner.examiner import NOTHING_SAID, Conversation, Exchange
from interviewer.examiner.examples import Examples
from interviewer.examiner.judgment import ASKS_BACK, FLAGS, UnusableReply, Vote, judgment_schema, parse_vote
from interviewer.examiner.matching.sentences import normalize, split_sentences, words_of
from interviewer.examiner.prompts import fence_tag, prompt_messages, prompt_version
from interviewer.examiner.quotes import QuotableAnswer, visible, without_middle
from interviewer.sanitize import MASKED_KEY, masker
from interviewer.session.assessment import UNUSABLE, Assessment, Belief, PointState, State
from interviewer.session.codec import to_plain
from interviewer.session.phrases import JUDGED_CHARACTERS_MAX
from interviewer.session.question import Question

_MASTER_KEY = re.compile(
    r"(?:(?:thought|thinking)(?: process)?|solution|answer|final answer|reasoning|explanation"
    r"|let'?s (?:think|solve|work)(?: (?:this|it|step|by|out|through))*)"
)
# "It depends" and "right" may answer a question, but an answer made up of eight or more such words says nothing.
_TALK_WORDS_MIN = 8
# None of these words is a technical term. Neither list contains a negation, a comparison or a number, because a reply
# such as "no, it is less" is a real answer.
_GRAMMAR = """
    a an the and or but of to in on at by for from with without as is are was were be been being am it its it's this
    that these those there here he she they them their we us our ours you your i me my mine so very much really quite
    rather such can could may might would will should must do does did done have has had having i'm i've i'd i'll
    you're we've that's there's what which who how when where why if then about into through also just always often
    usually some any several many lot lots while until because since whether
"""
_TALK = """
    good great excellent nice fine interesting important difficult hard complex tricky simple crucial essential
    fundamental fundamentals basic basics question questions topic topics subject area field thing things something
    anything everything point points matter thank thanks please hello hi ok okay well think thought believe feel know
    known say said tell see seen look looking understand understanding understood explain explained discuss talk talking
    consider considering mention experience experienced work worked working years year team teams people project
    projects company companies practice practical practices real world context depend depends depending situation case
    cases use used balance tradeoff tradeoffs trade-offs trade off pros cons side sides weigh find finding right key
    keys detail details going go dive deep deeply first step steps start begin let let's answer answering approach
    approaches best standard industry various different aspect aspects factor factors hand struggle struggled clear
    clearly certainly definitely obviously course sure happy glad love passionate confident comfortable familiar
    wonderful amazing general overall basically essentially honestly actually worth careful carefully thoughtful
    challenge challenges challenging solution solutions problem problems need needs want make makes making sense take
    takes end day time times way ways kind sort come comes help helps learn learned lot bit exactly generally most one
    before after successful exciting excited today modern hours weeks months led senior engineer engineers engineering
    skills knowledge business customers stakeholders requirements colleagues opportunity interview motivated job career
    eager strong strengths detail-oriented
"""
_NOT_KNOWING = "no not don't dont can't cannot never idea clue remember recall sorry pass skip heard met idk dunno"
_EMPTY = frozenset((_GRAMMAR + _TALK).split())
_EMPTY_WITH_DENIAL = _EMPTY | frozenset(_NOT_KNOWING.split())
# The candidate waits for the longest reply, so the points are divided among requests. For later votes, the server may
# have cached the part of the prompt before the answer.
_WHOLE_POINTS_MAX = 4
_POINTS_PER_REQUEST = 2
_OPEN_POINTS_PER_REQUEST = 1
# Providers limit the rate of requests.
_REQUESTS_AT_ONCE = 16
VOTES_MAX = 3
MAJORITY = 2
_FIRST_TEMPERATURE = 0.0
_NEXT_TEMPERATURE = 0.4
_REPAIR_CHARS_MAX = 6_000
_CTRL_C_SECONDS = 0.5
# About 3,000 tokens. An example is added only if the part of the prompt before the answer stays within this length. The
# length of the answer does not count, because the answer comes after the part that all prompts for a question share,
# and a server caches only that part.
_FIXED_CHARS_MAX = 12_000
_EARLIER_CHARS_MAX = 3_000
_ALL_POINTS = "Judge every point, every misconception and every retraction."
_ONLY_POINTS = "Judge every misconception and every retraction, but only these points, in this order: "
_ONLY_THESE = "Judge only these points; every other list is empty: "
_ONLY_BELIEFS = "Judge only misconceptions and retractions; `points` is an empty list."
_AGAIN = "Reply again with the complete JSON object and nothing else."


def has_no_words(answer: str) -> bool:
    """Return whether an answer contains only whitespace, punctuation and invisible characters."""
    return not _words(answer)


def is_empty_talk(answer: str) -> bool:
    """Return whether the answer is only an introductory phrase, or only generic sentences that fit any interview.

    LLM judges tend to credit such texts, so the texts are never sent to an LLM judge. A lone number is accepted as an
    answer, because some rungs ask for a number.
    """
    words = _words(answer)
    if _MASTER_KEY.fullmatch(" ".join(words)):
        return True
    return len(words) >= _TALK_WORDS_MIN and _EMPTY.issuperset(words)


def only_says_unknown(answer: str) -> bool:
    """Return whether the answer says only that the candidate does not know."""
    return _EMPTY_WITH_DENIAL.issuperset(_words(answer)) and does_not_know(
        split_sentences(answer[:JUDGED_CHARACTERS_MAX])
    )


def _words(answer: str) -> tuple[str, ...]:
    return words_of(normalize(visible(answer.strip()[:JUDGED_CHARACTERS_MAX])))


def combine_votes(judge: str, question: Question, answer: QuotableAnswer, votes: Sequence[Vote]) -> Assessment:
    """Return the assessment that the majority of the votes supports; points that the first vote settled stay as is."""
    needed = min(MAJORITY, len(votes))
    flags = Counter(flag for vote in votes for flag in vote.flags)
    # Later votes judge only the points that are still open, so only the first vote says whether the candidate asked a
    # question.
    flags[ASKS_BACK] = needed if votes[0].asks else 0
    shared_flags = [
        flag for flag in FLAGS if flags[flag] >= needed or (flag == "instruction" and answer.has_instruction)
    ]
    states = {point.id: [vote.points[point.id] for vote in votes] for point in question.points}
    return Assessment(
        judge,
        is_graded=True,
        points=tuple(
            _majority(several, needed) if name in votes[0].open_points else several[0]
            for name, several in states.items()
        ),
        misconceptions=_shared([vote.beliefs for vote in votes], needed),
        flags=(*shared_flags, "cut") if answer.is_cut else tuple(shared_flags),
        asks=votes[0].asks,
        retracted=tuple(name for name in votes[0].retracted if sum(name in vote.retracted for vote in votes) >= needed),
    )


def _majority(states: Sequence[PointState], needed: int) -> PointState:
    (state, count), *_ = Counter(point.state for point in states).most_common()
    votes = f"{count} of {len(states)}" if len(states) > 1 else ""
    first = next(point for point in states if point.state is state)
    return replace(first, votes=votes) if count >= needed else PointState(first.id, State.UNDECIDED, votes=votes)


def _shared(votes: Sequence[tuple[Belief, ...]], needed: int) -> tuple[Belief, ...]:
    counts = Counter(belief.id for beliefs in votes for belief in beliefs)
    first = {belief.id: belief for beliefs in reversed(votes) for belief in beliefs}
    return tuple(belief for name, belief in first.items() if counts[name] >= needed)


@dataclass(frozen=True)
class _Case:
    """One answer to judge, with the inputs that every vote needs."""

    question: Question
    asked: str
    answer: str
    quotable: QuotableAnswer
    is_cancelled: Callable[[], bool]
    conversation: Conversation

    def parsed(self, reply: str) -> Vote:
        """Parse the vote in a reply. Raises UnusableReply if the reply is not a judgment."""
        return parse_vote(reply, self.question, self.quotable, self.conversation.credited)


class LLMExaminer:
    """Judges answers with a language model. `rng` draws the tag that encloses the answer in the prompt.

    `paid` contains replies that were already paid for. Without `paid`, for example during calibration, every vote is a
    new request. If `is_parallel` is true, the points of an opening answer are divided among several requests, which is
    slower on a server that handles one request at a time.
    """

    def __init__(
        self,
        model: ChatModel,
        rng: random.Random | None = None,
        examples: Examples | None = None,
        paid: Payments | None = None,
        *,
        is_parallel: bool = True,
    ) -> None:
        self.name = f"llm:{model.name}"
        # Examples change the prompt, and the division changes which points are judged together, so results that were
        # measured without them do not apply.
        self.version = prompt_version("judge") + ("+examples" if examples else "") + ("+divided" if is_parallel else "")
        self._model = model
        # Use the system's random source: a candidate who could predict the tag could close it inside an answer.
        self._rng = rng or random.SystemRandom()
        self._examples = examples
        self._paid = paid
        self._is_parallel = is_parallel

    def assess(
        self,
        question: Question,
        asked: str,
        answer: str,
        is_cancelled: Callable[[], bool] = never_cancelled,
        conversation: Conversation = NOTHING_SAID,
    ) -> Assessment:
        """Return the state of every point of the question in this answer, with a quote for each credited point."""
        if has_no_words(answer):
            return Assessment(self.name, is_graded=False, flags=("empty",), why_not="The answer has no content.")
        case = _Case(
            question, asked, answer, QuotableAnswer(answer, question.prompt, asked), is_cancelled, conversation
        )
        says_unknown = only_says_unknown(answer)
        if not says_unknown and not is_empty_talk(answer):
            return self._judged(case)
        missing = tuple(PointState(point.id, State.MISSING) for point in question.points)
        # "What kind of answer are you looking for?" consists only of generic words. It earns no credit, but the
        # interviewer must reply to it.
        if asks_back(split_sentences(answer[:JUDGED_CHARACTERS_MAX])):
            return replace(self._judged(case), points=missing)
        return Assessment(
            self.name, is_graded=True, points=missing, flags=("does_not_know" if says_unknown else "empty",)
        )

    def _judged(self, case: _Case) -> Assessment:
        try:
            votes = [self._first_vote(case)]
            if votes[0].is_doubtful:
                votes += self._next_votes(case, votes[0].open_points)
        except ChatError as error:
            return self._ungraded(error.message, is_unusable=isinstance(error, ReplyUnusable))
        except UnusableReply as error:
            # A proxy's error message may contain the API key.
            why_not = f"{self._model.name}: no usable judgment ({error})."
            return self._ungraded(masker(os.environ, MASKED_KEY)(why_not), is_unusable=True)
        return combine_votes(self.name, case.question, case.quotable, votes)

    def _first_vote(self, case: _Case) -> Vote:
        """Return the vote on every point.

        Raises ChatError if the model fails, and UnusableReply if its reply is not a judgment. An opening answer
        addresses many points, and generating a reply about all of them takes most of the time. The points are therefore
        divided among requests that run at the same time and whose prompts begin with the same text.
        """
        names = [point.id for point in case.question.points]
        is_divided = self._is_parallel and not case.conversation.exchanges and len(names) > _WHOLE_POINTS_MAX
        parts = _divided(names, _POINTS_PER_REQUEST) if is_divided else [names]
        scopes = _scopes("0", parts) if is_divided else {"0": _ALL_POINTS}
        replies, errors = self._replies(case, scopes, _FIRST_TEMPERATURE)
        if errors:
            raise errors[0]
        return merged([case.parsed(replies[name]) for name in scopes], parts)

    def _next_votes(self, case: _Case, open_points: Sequence[str]) -> list[Vote]:
        """Request votes on the open points concurrently, and return them.

        Each request of these votes judges a single point, unless the server handles one request at a time. The points
        are not shuffled then, so the requests of a resumed session are the same. If only one vote is usable, only
        that vote is returned. Raises ChatError or UnusableReply if none of these votes is usable, because the first
        vote alone is not a majority, or if the candidate stops the judge.
        """
        parts = {
            str(index): _divided(open_points, _OPEN_POINTS_PER_REQUEST)
            if self._is_parallel
            else [self._rng.sample(open_points, len(open_points))]
            for index in range(1, VOTES_MAX)
        }
        scopes = {index: _scopes(index, parts[index]) for index in parts}
        every = {name: scope for of_vote in scopes.values() for name, scope in of_vote.items()}
        replies, errors = self._replies(case, every, _NEXT_TEMPERATURE)
        votes = [
            merged([case.parsed(replies[name]) for name in scopes[index]], parts[index])
            for index in parts
            if scopes[index].keys() <= replies.keys()
        ]
        if not votes or any(isinstance(error, ChatCancelled) for error in errors):
            raise errors[0]
        return votes

    def _replies(
        self, case: _Case, scopes: Mapping[str, str], temperature: float
    ) -> tuple[dict[str, str], list[ChatError | UnusableReply]]:
        """Return the usable replies by scope name, and the errors; all requests run at the same time.

        Each reply is stored under a key that depends on its scope's name, so a reply that has been paid for is not
        requested again. If the wait is interrupted, for example by Ctrl+C, the running requests are stopped.
        """
        keys = {name: self._key(case, name) for name in scopes}
        replies = {name: self._paid.reply(key) if self._paid else "" for name, key in keys.items()}
        stop = threading.Event()
        stoppable = replace(case, is_cancelled=lambda: stop.is_set() or case.is_cancelled())
        with ThreadPoolExecutor(min(len(scopes), _REQUESTS_AT_ONCE)) as pool:
            try:
                asked = {
                    name: pool.submit(self._ask, stoppable, scope, temperature)
                    for name, scope in scopes.items()
                    if not replies[name]
                }
                # While the main thread waits without a limit, it can miss a Ctrl+C that arrived just before.
                running = {reply: name for name, reply in asked.items()}
                while running:
                    for reply in wait(running, timeout=_CTRL_C_SECONDS, return_when=FIRST_COMPLETED).done:
                        name = running.pop(reply)
                        # Keep the reply now, because the app may be killed while it waits for the others.
                        if self._paid and reply.exception() is None:
                            self._paid.keep_reply(keys[name], reply.result())
            except BaseException:
                # Leaving the pool waits for its requests.
                stop.set()
                raise
        errors: list[ChatError | UnusableReply] = []
        for name, reply in asked.items():
            try:
                replies[name] = reply.result()
            except (ChatError, UnusableReply) as error:
                errors.append(error)
        return {name: reply for name, reply in replies.items() if reply}, errors

    def _ask(self, case: _Case, scope: str, temperature: float) -> str:
        """Return a usable reply; if the first reply is unusable, ask again and say why.

        If the prompt is too long for the model, leave out the examples. Raises ChatError if the model fails, and
        UnusableReply if its reply is not a judgment.
        """
        try:
            return self._usable_reply(case, temperature, self._messages(case, scope, self._examples))
        except ContextTooLong:
            if not self._examples:
                raise
            return self._usable_reply(case, temperature, self._messages(case, scope, None))

    def _usable_reply(self, case: _Case, temperature: float, messages: list[Message]) -> str:
        reply = self._reply(messages, case, temperature)
        try:
            case.parsed(reply)
        except UnusableReply as error:
            complaint = f"This cannot be used: {error}. {_AGAIN}"
        else:
            return reply
        messages += [Message("assistant", reply[:_REPAIR_CHARS_MAX]), Message("user", complaint)]
        again = self._reply(messages, case, temperature)
        case.parsed(again)
        return again

    def _reply(self, messages: Sequence[Message], case: _Case, temperature: float) -> str:
        return self._model.complete(messages, judgment_schema(case.question), temperature, case.is_cancelled).text

    def _messages(self, case: _Case, scope: str, examples: Examples | None) -> list[Message]:
        """Return the prompt: its beginning is the same for every answer to a question, and only its end is random.

        `scope` is the instruction that says which points to judge.
        """
        points = "\n".join(f"- {point.id}: {point.for_judge}" for point in case.question.points)
        beliefs = "\n".join(f"- {belief.id}: {belief.says}" for belief in case.question.misconceptions) or "none"
        fixed = {"question": case.question.prompt, "points": points, "misconceptions": beliefs}
        empty = prompt_messages(
            "judge", **fixed, examples="", earlier="", credited="", asked="", tag="", answer="", scope=""
        )
        left = _FIXED_CHARS_MAX - sum(len(message.content) for message in empty)
        shown = examples.text_for(case.question, left) if examples else ""
        tag = f"{self._rng.getrandbits(64):016x}"
        return prompt_messages(
            "judge",
            **fixed,
            examples=shown or "none",
            earlier="\n\n".join(map(_exchange, case.conversation.exchanges)) or "none",
            credited=", ".join(case.conversation.credited) or "none",
            asked=case.asked,
            tag=tag,
            answer=case.quotable.numbered().replace(tag, ""),
            scope=scope,
        )

    def _key(self, case: _Case, index: str) -> str:
        said = to_plain(case.conversation)
        asked = [self.name, self.version, to_plain(case.question), case.asked, case.answer, said, index]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:24]

    def _ungraded(self, why_not: str, *, is_unusable: bool) -> Assessment:
        return Assessment(self.name, is_graded=False, flags=(UNUSABLE,) if is_unusable else (), why_not=why_not)


def merged(votes: Sequence[Vote], parts: Sequence[Sequence[str]]) -> Vote:
    """Merge votes that each cover only some of the points; a point's state comes from the vote that covers it.

    `parts` contains the ids of the points that each vote covers. Only the request for the first vote also asked about
    misconceptions, flags and retractions. A point that is in none of the `parts` keeps the state that the first vote
    gave it.
    """
    first = votes[0]
    points = {name: vote.points[name] for vote, part in zip(votes, parts, strict=True) for name in part}
    is_open = {name for vote, part in zip(votes, parts, strict=True) for name in part if name in vote.open_points}
    return replace(
        first,
        points={name: points.get(name, state) for name, state in first.points.items()},
        open_points=tuple(name for name in first.points if name in is_open),
    )


def _divided(names: Sequence[str], size_max: int) -> list[Sequence[str]]:
    """Divide points among as few requests as possible; return at least one part, which may be empty."""
    count = math.ceil(len(names) / size_max) or 1
    return [names[start::count] for start in range(count)]


def _scopes(vote: str, parts: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the scopes of a vote's requests by name; a scope is the prompt sentence that says which points to judge.

    The key under which a request's reply is stored depends on this name. The name contains the points, so that a stored
    reply is never used for other points.
    """
    return {
        f"{vote}.{place} {' '.join(sorted(part))}": _scope(part, is_first=place == 0)
        for place, part in enumerate(parts)
    }


def _scope(points: Sequence[str], *, is_first: bool = True) -> str:
    """Return the prompt sentence that says which points to judge, in this order."""
    if not points:
        return _ONLY_BELIEFS
    return f"{_ONLY_POINTS if is_first else _ONLY_THESE}{', '.join(points)}."


def _exchange(exchange: Exchange) -> str:
    """Format an earlier exchange for the prompt.

    The text of an exchange never changes, so later prompts only add newer exchanges after it.
    """
    answer = without_middle(visible(exchange.answer), _EARLIER_CHARS_MAX, " … (a part is omitted here) … ")
    tag = fence_tag(f"{exchange.asked}\n{answer}")
    return f"Interviewer: {visible(exchange.asked)}\n<said-{tag}>\n{answer.replace(tag, '')}\n</said-{tag}>"
