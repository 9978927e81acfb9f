"""The protocol of a language model, and the errors it may raise; imports no library.

ChatError                   the model gave no usable reply; the session goes on without it
├── ModelUnreachable        no server, no network, wrong address
├── KeyRejected             no key, or the provider refuses it
├── RateLimited             too many requests or no quota left
├── ModelTimedOut           no first token, or a stall in mid-stream, for longer than allowed
├── ContextTooLong          the conversation does not fit
├── ReplyUnusable           empty, refused, or cut off
└── ChatCancelled           the user stopped it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from interviewer.errors import InterviewerError


class ChatError(InterviewerError):
    """Say that no usable reply came; neither the message nor the fix holds a key. The kind is the class's name."""


class ModelUnreachable(ChatError):
    """Say that the server could not be reached."""


class KeyRejected(ChatError):
    """Say that the key is missing or refused."""


class RateLimited(ChatError):
    """Say that the provider refuses more requests for now."""


class ModelTimedOut(ChatError):
    """Say that the model was silent for too long."""


class ContextTooLong(ChatError):
    """Say that the conversation does not fit into the model's context."""


class ReplyUnusable(ChatError):
    """Say that the reply was empty, refused or cut off."""


class ChatCancelled(ChatError):
    """Say that the user stopped the reply."""

    is_recorded = False


@dataclass(frozen=True)
class Message:
    """Hold one message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Usage:
    """Hold what the calls so far used; `cost_usd` is None when no price is known, never 0 instead."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None

    def plus(self, other: Usage) -> Usage:
        """Return both together; without a price as soon as one of them has calls of unknown price."""
        costs = [usage.cost_usd for usage in (self, other) if usage.calls]
        known = [cost for cost in costs if cost is not None]
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(known) if known and len(known) == len(costs) else None,
        )

    def since(self, earlier: Usage) -> Usage:
        """Return what was used after `earlier`, an earlier count of the same model."""
        return Usage(
            self.calls - earlier.calls,
            self.prompt_tokens - earlier.prompt_tokens,
            self.completion_tokens - earlier.completion_tokens,
            None if self.cost_usd is None else self.cost_usd - (earlier.cost_usd or 0.0),
        )

    def __str__(self) -> str:
        """Return the spend in one line; an unknown price is said, never shown as nothing."""
        price = "price unknown" if self.cost_usd is None else f"{self.cost_usd:.4f} USD"
        return f"{self.calls} calls, {self.prompt_tokens:,} + {self.completion_tokens:,} tokens, {price}"


@dataclass(frozen=True)
class Reply:
    """Hold a whole reply and how it ended ("stop", "length", ...)."""

    text: str
    finish_reason: str


class ChatModel(Protocol):
    """Speak with one language model. Blocking; called from a worker thread, never from a screen.

    `notice` is told, in a sentence, of every wait before a retry, `waits` how many seconds it lasts, and 0 at its end.
    """

    name: str
    notice: Callable[[str], None]
    waits: Callable[[float], None]

    @property
    def usage(self) -> Usage:
        """Return what all calls so far used."""
        ...

    def stream(self, messages: Sequence[Message], is_cancelled: Callable[[], bool] = ...) -> Iterator[str]:
        """Yield the reply's text as it comes. Raises: ChatError."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        temperature: float = 0.0,
        is_cancelled: Callable[[], bool] = ...,
    ) -> Reply:
        """Return one whole reply, asked to follow the JSON schema where the server can. Raises: ChatError."""
        ...
