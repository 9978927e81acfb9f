"""Defines the protocol of a language model and its errors; imports no model library.

ChatError                   the model gave no usable reply; the session continues without it
├── ModelUnreachable        no server, no network, or a wrong address
├── KeyRejected             no key, or the provider rejects it
├── RateLimited             too many requests or no quota left
├── ModelTimedOut           the first token, or a later one, took longer than allowed
├── ContextTooLong          the conversation exceeds the context window
├── ReplyUnusable           empty, refused, or cut off
└── ChatCancelled           the user stopped it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from interviewer.errors import InterviewerError
from interviewer.session.phrases import pluralize


class ChatError(InterviewerError):
    """The model gave no usable reply; neither the message nor the suggested fix contains an API key.

    The error kind is the class name.
    """


class ModelUnreachable(ChatError):
    """The server could not be reached."""


class KeyRejected(ChatError):
    """The API key is missing or was rejected."""


class RateLimited(ChatError):
    """The provider rejects further requests for now."""


class ModelTimedOut(ChatError):
    """The model took too long to send its first or next token."""


class ContextTooLong(ChatError):
    """The conversation exceeds the model's context window."""


class ReplyUnusable(ChatError):
    """The reply was empty, a refusal, or cut off."""


class ChatCancelled(ChatError):
    """The user stopped the reply."""

    is_recorded = False


@dataclass(frozen=True)
class Message:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Usage:
    """The usage of all calls so far; `cost_usd` is None, not 0, if any call's price is unknown.

    While `cost_usd` is None, `partial_usd` is the cost of the calls whose price is known; otherwise it is 0.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    partial_usd: float = 0.0

    @property
    def known_usd(self) -> float:
        """Return the cost of all calls whose price is known, in US dollars."""
        return self.partial_usd if self.cost_usd is None else self.cost_usd

    def plus(self, other: Usage) -> Usage:
        """Return the sum of both usages; the cost is None if either includes calls whose price is unknown."""
        costs = [usage.cost_usd for usage in (self, other) if usage.calls]
        is_known = bool(costs) and None not in costs
        known_usd = self.known_usd + other.known_usd
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            known_usd if is_known else None,
            0.0 if is_known else known_usd,
        )

    def since(self, earlier: Usage) -> Usage:
        """Return the usage since `earlier`, which is a previous total for the same model."""
        return Usage(
            self.calls - earlier.calls,
            self.prompt_tokens - earlier.prompt_tokens,
            self.completion_tokens - earlier.completion_tokens,
            None if self.cost_usd is None else self.cost_usd - earlier.known_usd,
            self.known_usd - earlier.known_usd if self.cost_usd is None else 0.0,
        )

    def __str__(self) -> str:
        """Return the usage in one line; an unknown price is stated as unknown, not omitted."""
        if self.cost_usd is not None:
            price = f"{self.cost_usd:.4f} USD"
        elif self.partial_usd:
            price = f"at least {self.partial_usd:.4f} USD, some prices unknown"
        else:
            price = "price unknown"
        return f"{pluralize(self.calls, 'call')}, {self.prompt_tokens:,} + {self.completion_tokens:,} tokens, {price}"


@dataclass(frozen=True)
class Reply:
    """A complete reply and its finish reason ("stop", "length", ...)."""

    text: str
    finish_reason: str


class ChatModel(Protocol):
    """One language model. Calls block, so make them from a worker thread, never from the UI thread.

    `notice` is called with a sentence before each wait for a retry. `waits` is called with the length of each wait in
    seconds, and with 0 when the wait ends.
    """

    name: str
    notice: Callable[[str], None]
    waits: Callable[[float], None]

    @property
    def usage(self) -> Usage:
        """Return the total usage of all calls."""
        ...

    def warm_up(self) -> bool:
        """Return whether a call can start at once; if not, load the first call's dependencies in the background."""
        ...

    def stream(self, messages: Sequence[Message], is_cancelled: Callable[[], bool] = ...) -> Iterator[str]:
        """Yield the reply's text as it arrives. Raises ChatError if the model gives no usable reply."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        temperature: float = 0.0,
        is_cancelled: Callable[[], bool] = ...,
    ) -> Reply:
        """Return one complete reply, following the JSON schema if the server supports it.

        Raises ChatError if the model gives no usable reply.
        """
        ...
