"""Turns whatever the library raised into a ChatError; no message that leaves here holds a key."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from interviewer.chat.model import (
    ChatError,
    ContextTooLong,
    KeyRejected,
    ModelTimedOut,
    ModelUnreachable,
    RateLimited,
    ReplyUnusable,
)
from interviewer.sanitize import MASKED_KEY, masker

OFFLINE_FIX = "Or go on with --examiner offline."
_CONTEXT = re.compile(r"context (?:length|window|size)|too many tokens|prompt is too long|exceeds? the context", re.I)
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit balance", re.I)
_NO_KEY = re.compile(r"missing credentials|api[_ ]key.{0,40}(?:missing|not set|must be set|required)", re.I)
_DETAIL_CHARS = 200


def detail_of(error: BaseException, environ: Mapping[str, str]) -> str:
    """Return what the error says in one short line without keys."""
    text = " ".join(masker(environ, MASKED_KEY)(str(error)).split())
    # The library puts its own class names in front, once for each time it wrapped the error.
    text = re.sub(r"^(?:(?:litellm\.)?\w*(?:Error|Exception)\s*[:-]\s*)+", "", text)
    text = re.split(r"\s(?:Original exception|Traceback|LiteLLM Retried)\b", text)[0]
    return text if len(text) <= _DETAIL_CHARS else text[:_DETAIL_CHARS].rsplit(" ", 1)[0] + " …"


def to_chat_error(name: str, error: BaseException, environ: Mapping[str, str]) -> ChatError:
    """Return the ChatError for what the library raised while it spoke with this model."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    status = getattr(error, "status_code", None)
    detail = detail_of(error, environ)
    if "ContextWindowExceededError" in kinds or (status in (400, 413) and _CONTEXT.search(detail)):
        return ContextTooLong(
            f"{name}: the conversation does not fit into the model's context.",
            "Choose a model with a larger context, or begin a new session.",
        )
    if status in (401, 403) or _NO_KEY.search(detail):
        return KeyRejected(f"{name}: the provider refuses the key ({detail}).", f"Check the key. {OFFLINE_FIX}")
    if status in (402, 429):
        return _rate_limited(name, f"{detail} {error}")
    if "ContentPolicyViolationError" in kinds:
        return ReplyUnusable(f"{name}: the provider refuses this request ({detail}).", f"Try again. {OFFLINE_FIX}")
    if "Timeout" in kinds or status == 408:
        return ModelTimedOut(f"{name}: the server gave up waiting ({detail}).", f"Try again. {OFFLINE_FIX}")
    if "provider not provided" in detail.lower():
        return ModelUnreachable(
            f"{name}: no provider is known by this name.", "Write PROVIDER/MODEL, such as openai/… or ollama_chat/…."
        )
    if status in (400, 404, 422):
        return ModelUnreachable(f"{name}: the server refuses the request ({detail}).", "Check the model's name.")
    if "MidStreamFallbackError" in kinds:
        return ModelUnreachable(f"{name}: the reply broke off ({detail}).", f"Try again. {OFFLINE_FIX}")
    return ModelUnreachable(
        f"{name}: the server cannot be reached or failed ({detail}).",
        f"Check the address and that the server runs. {OFFLINE_FIX}",
    )


def _rate_limited(name: str, text: str) -> RateLimited:
    if _QUOTA.search(text):
        return RateLimited(f"{name}: the quota or the credit is used up.", f"Add credit. {OFFLINE_FIX}")
    return RateLimited(f"{name}: too many requests for now.", f"Wait a minute and try again. {OFFLINE_FIX}")


def retry_after_seconds(error: BaseException) -> float:
    """Return how long the server asks to wait before the next request, in seconds; 0 when it does not say."""
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
    """Return the error for a server that wants to be left alone for longer than an interview can wait."""
    return RateLimited(
        f"{name}: too many requests; the server asks to wait {asked_seconds:.0f} s.", f"Try again then. {OFFLINE_FIX}"
    )


def is_worth_retrying(error: ChatError, cause: BaseException) -> bool:
    """Tell whether the same request may succeed in a few seconds."""
    if isinstance(error, RateLimited):
        return "used up" not in error.message
    return isinstance(error, ModelUnreachable) and getattr(cause, "status_code", None) not in (400, 404, 422)


def refuses_format(error: BaseException) -> bool:
    """Tell whether the server may have refused the request for the reply's format rather than for anything else."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    is_other = "ContextWindowExceededError" in kinds or "ContentPolicyViolationError" in kinds
    return getattr(error, "status_code", None) in (400, 422) and not is_other and not _CONTEXT.search(str(error))
