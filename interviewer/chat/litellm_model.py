"""Calls any provider through LiteLLM; only this file imports litellm, and only at the first call or warm-up.

Every error from the library is converted to a ChatError whose message contains no API key.
"""

from __future__ import annotations

import logging
import os
import re
import threading
import time
import warnings
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial, reduce
from typing import Any, TypeVar

from interviewer.chat.local_servers import address_of
from interviewer.chat.model import (
    ChatCancelled,
    ChatError,
    ContextTooLong,
    KeyRejected,
    Message,
    ModelTimedOut,
    ModelUnreachable,
    RateLimited,
    Reply,
    ReplyUnusable,
    Usage,
)
from interviewer.chat.providers import is_keyless_openai, missing_key
from interviewer.chat.streaming import StreamCancelled, StreamTimedOut, Timeouts, iterate_blocking, never_cancelled
from interviewer.sanitize import MASKED_KEY, masker

Result = TypeVar("Result")
RETRY_SECONDS = (1.0, 3.0)
RETRY_AFTER_SECONDS_MAX = 20.0
OFFLINE_FIX = "Or continue with --examiner offline."
_CONTEXT = re.compile(r"context (?:length|window|size)|too many tokens|prompt is too long|exceeds? the context", re.I)
_NO_CREDIT = re.compile(r"insufficient_quota|credit balance", re.I)
# Some providers use these words for a limit per minute, too, and then also name that limit or the wait.
_QUOTA = re.compile(r"exceeded your current quota", re.I)
_RATE = re.compile(r"rate-limits|retry in|retryDelay|per ?minute", re.I)
_NO_KEY = re.compile(r"missing credentials|api[_ ]key.{0,40}(?:missing|not set|must be set|required)", re.I)
_DETAIL_CHARS = 200
_CHARS_PER_TOKEN = 4
_PAUSE_STEP_SECONDS = 0.05
# The thread that imports litellm, once it has been started.
_imports: list[threading.Thread] = []
_importing = threading.Lock()


def _no_notice(text: str) -> None:
    """Discard a retry notice."""


def _no_countdown(seconds: float) -> None:
    """Discard a wait time."""


class LitellmModel:
    """A chat model that is called through LiteLLM, by its LiteLLM name."""

    def __init__(
        self,
        name: str,
        timeouts: Timeouts | None = None,
        notice: Callable[[str], None] = _no_notice,
        retry_seconds: Sequence[float] = RETRY_SECONDS,
    ) -> None:
        self.name = name
        self._timeouts = timeouts or Timeouts()
        self.notice = notice
        self.waits: Callable[[float], None] = _no_countdown
        self._retry_seconds = retry_seconds
        self._calls: list[Usage] = []
        self._formats_refused = 0

    @property
    def usage(self) -> Usage:
        """Return the total usage of all calls; the cost is None if any call's price is unknown."""
        return reduce(Usage.plus, tuple(self._calls), Usage())

    def warm_up(self) -> bool:
        """Return whether litellm is imported; if not, import it in the background, which takes a few seconds."""
        with _importing:
            if not _imports:
                thread = threading.Thread(target=_import_quietly, name="litellm", daemon=True)
                _imports.append(thread)
                thread.start()
        return not _imports[0].is_alive()

    def stream(self, messages: Sequence[Message], is_cancelled: Callable[[], bool] = never_cancelled) -> Iterator[str]:
        """Yield the reply's text as it arrives; retry after a failure only if no text has been yielded."""
        request = self._request(messages)
        first, rest = self._with_retries(partial(self._begin, request, is_cancelled), is_cancelled)
        try:
            yield first
            yield from rest
        except ChatError:
            raise
        except Exception as cause:
            raise to_chat_error(self.name, cause, os.environ) from None

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        temperature: float = 0.0,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> Reply:
        """Return one complete reply. If the server rejects a response format, later requests use a simpler one."""
        formats = _formats(schema)
        for index in range(min(self._formats_refused, len(formats) - 1), len(formats)):
            request = {**self._request(messages), "temperature": temperature, **formats[index]}
            try:
                text = self._with_retries(
                    partial(self._whole, request, is_cancelled), is_cancelled, is_last=index == len(formats) - 1
                )
            except _FormatRefused:
                continue
            if schema is not None:
                self._formats_refused = index
            return Reply(text, "stop")
        raise AssertionError("the last request has no response format, so no server can reject its format")

    def _request(self, messages: Sequence[Message]) -> dict[str, Any]:
        wanted = missing_key(self.name, os.environ)
        if wanted:
            raise KeyRejected(f"{self.name}: {wanted} is not set.", f"Set {wanted}. {OFFLINE_FIX}")
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_retries": 0,  # we retry ourselves: the library retries silently and quadruples every wait
            "timeout": self._timeouts.whole_seconds,
            "drop_params": True,  # some models do not accept a temperature
        }
        if address := address_of(self.name, os.environ):
            request["api_base"] = address
        # A local server needs no key, but the library refuses to send a request without one.
        return {**request, "api_key": "none"} if is_keyless_openai(self.name, os.environ) else request

    def _with_retries(
        self, attempt: Callable[[], Result], is_cancelled: Callable[[], bool], is_last: bool = True
    ) -> Result:
        for planned_seconds in (*self._retry_seconds, None):
            try:
                return attempt()
            except ChatError:
                raise
            except Exception as cause:
                if not is_last and refuses_format(cause):
                    raise _FormatRefused from None
                error = to_chat_error(self.name, cause, os.environ)
                if planned_seconds is None or not is_worth_retrying(error, cause):
                    raise error from None
                asked_seconds = retry_after_seconds(cause)
                if asked_seconds > RETRY_AFTER_SECONDS_MAX:
                    raise retry_wait_error(self.name, asked_seconds) from None
            wait_seconds = max(planned_seconds, asked_seconds)
            self.notice(f"{error.message} Trying again in {wait_seconds:g} s.")
            self._pause(wait_seconds, is_cancelled)
        raise AssertionError("the last attempt returns or raises")

    def _pause(self, seconds: float, is_cancelled: Callable[[], bool]) -> None:
        end = time.monotonic() + seconds
        self.waits(seconds)
        try:
            while time.monotonic() < end:
                if is_cancelled():
                    raise self._cancelled()
                time.sleep(_PAUSE_STEP_SECONDS)
        finally:
            self.waits(0.0)

    def _begin(self, request: dict[str, Any], is_cancelled: Callable[[], bool]) -> tuple[str, Iterator[str]]:
        pieces = self._pieces(request, is_cancelled)
        return next(pieces), pieces

    def _whole(self, request: dict[str, Any], is_cancelled: Callable[[], bool]) -> str:
        return "".join(self._pieces(request, is_cancelled))

    def _pieces(self, request: dict[str, Any], is_cancelled: Callable[[], bool]) -> Iterator[str]:
        """Yield the text of one attempt; raises the library's own errors unchanged."""
        litellm = _import_litellm()
        text, thought, refusal, ending, used = "", "", "", "", None
        try:
            for chunk in iterate_blocking(_chunks(litellm, request), self._timeouts, is_cancelled):
                used = getattr(chunk, "usage", None) or used
                for choice in chunk.choices[:1]:
                    refusal += getattr(choice.delta, "refusal", None) or ""
                    thought += getattr(choice.delta, "reasoning_content", None) or ""
                    ending = choice.finish_reason or ending
                    piece = choice.delta.content or ""
                    text += piece
                    if piece:
                        yield piece
        except _EndedEarly:
            ending = ""
        except StreamCancelled:
            raise self._cancelled() from None
        except StreamTimedOut as timeout:
            raise ModelTimedOut(
                f"{self.name}: the model {timeout}.", f"Check that the server is running. {OFFLINE_FIX}"
            ) from None
        finally:
            if thought or text or used:
                self._calls.append(_usage(litellm, self.name, request, thought + text, used))
        self._check_ending(text, refusal, ending)

    def _check_ending(self, text: str, refusal: str, ending: str) -> None:
        if refusal or ending == "content_filter":
            refusal_text = masker(os.environ, MASKED_KEY)(refusal)[:200]
            why = f"the model refused to answer{f' ({refusal_text})' if refusal_text else ''}"
        elif ending == "length":
            why = "the reply hit its length limit and was cut off"
        elif not text.strip():
            # A non-streaming response (a login page, or the page at a base URL without /v1) also results in empty text.
            why = "the reply was empty; the address may not belong to a chat server"
        elif not ending:
            why = "the reply ended without a finish reason, so it may be incomplete"
        else:
            return
        raise ReplyUnusable(f"{self.name}: {why}.", f"Try again, or choose a different model. {OFFLINE_FIX}")

    def _cancelled(self) -> ChatCancelled:
        return ChatCancelled(f"{self.name}: stopped.", "No action needed.")


@dataclass(frozen=True)
class ListedModel:
    """A model in LiteLLM's price table: its context window in tokens, and its prices in US dollars per token.

    None means that the table does not contain the value.
    """

    name: str
    context_tokens: int | None
    input_usd: float | None
    output_usd: float | None


def listed_models(provider: str, today: str) -> tuple[ListedModel, ...]:
    """Return a provider's chat models in LiteLLM's table, except those retired by `today` ("2026-01-31").

    The table comes with the library; nothing is downloaded. Entries that only list the price of a different service,
    such as fine-tuning, are skipped: they have no context window, or their names contain a colon. Raises
    ModelUnreachable if litellm cannot be imported.
    """
    models = {}
    for key, entry in _import_litellm().model_cost.items():
        is_chat = entry.get("mode") == "chat" and entry.get("max_input_tokens") and ":" not in key
        is_retired = str(entry.get("deprecation_date") or "9999") <= today
        if entry.get("litellm_provider") != provider or not is_chat or is_retired:
            continue
        name = key if key.startswith(f"{provider}/") else f"{provider}/{key}"
        prices = (entry.get(f"{way}_cost_per_token") for way in ("input", "output"))
        models[name] = ListedModel(name, entry.get("max_input_tokens"), *prices)
    return tuple(models[name] for name in sorted(models))


class _FormatRefused(Exception):
    """The server rejected this response format, so the next one is tried."""


class _EndedEarly(Exception):
    """The stream ended without a finish reason."""


def _formats(schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    if schema is None:
        return [{}]
    # Use a plain dict: for some servers, litellm has dropped or corrupted pydantic classes.
    by_schema = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)}}
    return [{"response_format": by_schema}, {"response_format": {"type": "json_object"}}, {}]


def _import_quietly() -> None:
    # Ignore an error here: the first call to the model imports litellm again, and reports the error.
    with suppress(ModelUnreachable):
        _import_litellm()


def _import_litellm() -> Any:
    # Without these settings, the import downloads a price map, and litellm loads the surrounding project's .env file.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
    # Suppress warnings about the library's own types, which would be printed over the app's screen.
    warnings.filterwarnings("ignore", module=r"(?:pydantic|litellm)\.")
    try:
        import litellm
    except Exception as cause:
        raise ModelUnreachable(
            f"litellm cannot be imported ({type(cause).__name__}: {detail_of(cause, os.environ)}).",
            f"Run `make` again. {OFFLINE_FIX}",
        ) from None
    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # LiteLLM's errors are raised as a ChatError instead
    return litellm


async def _chunks(litellm: Any, request: dict[str, Any]) -> AsyncGenerator[Any, None]:
    async with aclosing(await litellm.acompletion(**request)) as response:
        has_begun = False
        async for chunk in response:
            # Some servers send the role long before the first token; the wait for the first token then goes on.
            has_begun = has_begun or _says_something(chunk)
            if has_begun:
                yield chunk
        # If the server sends no finish reason, the library reports "stop", so check the library's stream instead.
        is_received = getattr(response, "received_finish_reason", "") is not None
        if not is_received and getattr(response, "intermittent_finish_reason", None) is None:
            raise _EndedEarly


def _says_something(chunk: Any) -> bool:
    """Return whether a chunk contains more than the speaker's role."""
    parts = ("content", "reasoning_content", "refusal")
    return bool(getattr(chunk, "usage", None)) or any(
        choice.finish_reason or any(getattr(choice.delta, part, None) for part in parts) for choice in chunk.choices[:1]
    )


def _usage(litellm: Any, name: str, request: dict[str, Any], text: str, used: Any) -> Usage:
    # A canceled reply reports no usage but is still billed, so an estimate is more accurate than zero.
    sent = sum(len(message["content"]) for message in request["messages"])
    prompt_tokens = int(used.prompt_tokens or 0) if used else sent // _CHARS_PER_TOKEN
    completion_tokens = int(used.completion_tokens or 0) if used else len(text) // _CHARS_PER_TOKEN
    cost = _cost(litellm, name, prompt_tokens, completion_tokens, used)
    return Usage(1, prompt_tokens, completion_tokens, cost or None)


def _cost(litellm: Any, name: str, prompt_tokens: int, completion_tokens: int, used: Any) -> float:
    """Return the cost of a call in US dollars; 0 if the price is unknown."""
    # OpenRouter reports what it charged. The library has no price for many of OpenRouter's models.
    reported = getattr(used, "cost", None)
    if isinstance(reported, int | float) and reported > 0:
        return float(reported)
    try:
        # `used` says how many of the prompt's tokens were cached; these cost a fraction of the price.
        costs = litellm.cost_per_token(
            model=name, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, usage_object=used or None
        )
        return float(sum(costs))
    except Exception:
        return 0.0


def detail_of(error: BaseException, environ: Mapping[str, str]) -> str:
    """Return the error message as one short line without API keys."""
    text = " ".join(masker(environ, MASKED_KEY)(str(error)).split())
    # The library prepends its own class name each time it wraps the error.
    text = re.sub(r"^(?:(?:litellm\.)?\w*(?:Error|Exception)\s*[:-]\s*)+", "", text)
    text = re.split(r"\s(?:Original exception|Traceback|LiteLLM Retried)\b", text)[0]
    return text if len(text) <= _DETAIL_CHARS else text[:_DETAIL_CHARS].rsplit(" ", 1)[0] + " …"


def to_chat_error(name: str, error: BaseException, environ: Mapping[str, str]) -> ChatError:
    """Convert an error that the library raised for this model to a ChatError."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    status = getattr(error, "status_code", None)
    detail = detail_of(error, environ)
    if "ContextWindowExceededError" in kinds or (status in (400, 413) and _CONTEXT.search(detail)):
        return ContextTooLong(
            f"{name}: the conversation does not fit in the model's context window.",
            "Choose a model with a larger context window, or start a new session.",
        )
    if status in (401, 403) or _NO_KEY.search(detail):
        return KeyRejected(f"{name}: the provider rejected the API key ({detail}).", f"Check the key. {OFFLINE_FIX}")
    if status in (402, 429) or (status == 400 and _NO_CREDIT.search(detail)):
        return _rate_limited(name, status, f"{detail} {error}")
    if "ContentPolicyViolationError" in kinds:
        return ReplyUnusable(f"{name}: the provider rejected this request ({detail}).", f"Try again. {OFFLINE_FIX}")
    if "Timeout" in kinds or status == 408:
        return ModelTimedOut(f"{name}: the server timed out ({detail}).", f"Try again. {OFFLINE_FIX}")
    if "provider not provided" in detail.lower():
        return ModelUnreachable(
            f"{name}: unknown provider.", "Write PROVIDER/MODEL, such as openai/… or ollama_chat/…."
        )
    if status in (400, 404, 422):
        return ModelUnreachable(f"{name}: the server rejected the request ({detail}).", "Check the model name.")
    if "MidStreamFallbackError" in kinds:
        return ModelUnreachable(f"{name}: the reply was cut short ({detail}).", f"Try again. {OFFLINE_FIX}")
    return ModelUnreachable(
        f"{name}: the server is unreachable or failed ({detail}).",
        f"Check the address, and make sure that the server is running. {OFFLINE_FIX}",
    )


def _rate_limited(name: str, status: int, text: str) -> RateLimited:
    is_quota_used_up = _QUOTA.search(text) and not _RATE.search(text)
    if status == 402 or _NO_CREDIT.search(text) or is_quota_used_up:
        return RateLimited(f"{name}: the quota or credit is used up.", f"Add credit. {OFFLINE_FIX}")
    return RateLimited(f"{name}: too many requests.", f"Wait a minute and try again. {OFFLINE_FIX}")


def retry_after_seconds(error: BaseException) -> float:
    """Return the wait in seconds that the server requests before the next call; 0 if it requests none."""
    headers = getattr(error, "litellm_response_headers", None) or {}
    asked = str(headers.get("retry-after", ""))
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except ValueError:
        return 0.0


def retry_wait_error(name: str, asked_seconds: float) -> RateLimited:
    """Return the error for a server that requests a longer wait than an interview can afford."""
    return RateLimited(
        f"{name}: too many requests; the server asks you to wait {asked_seconds:.0f} s.",
        f"Try again then. {OFFLINE_FIX}",
    )


def is_worth_retrying(error: ChatError, cause: BaseException) -> bool:
    """Return whether retrying the request in a few seconds may succeed."""
    if isinstance(error, RateLimited):
        return "used up" not in error.message
    return isinstance(error, ModelUnreachable) and getattr(cause, "status_code", None) not in (400, 404, 422)


def refuses_format(error: BaseException) -> bool:
    """Return whether the server may have rejected the request because of the response format."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    is_other = "ContextWindowExceededError" in kinds or "ContentPolicyViolationError" in kinds
    is_other = is_other or any(pattern.search(str(error)) for pattern in (_CONTEXT, _NO_CREDIT))
    return getattr(error, "status_code", None) in (400, 422) and not is_other
