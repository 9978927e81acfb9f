from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from interviewer.chat.litellm_model import (
    detail_of,
    is_worth_retrying,
    refuses_format,
    retry_after_seconds,
    to_chat_error,
)
from interviewer.chat.model import ChatError, KeyRejected, ModelUnreachable, RateLimited
from interviewer.sanitize import MASKED_KEY, masker


class Failure(Exception):
    def __init__(self, text: str, status_code: int | None = None) -> None:
        super().__init__(text)
        self.status_code = status_code


@pytest.mark.parametrize(
    "text",
    [
        "bad key my-own-secret given",
        "Incorrect API key provided: sk-proj-abcdEFGH1234",
        "Authorization: Bearer abc.def-ghi",
        "?key=AIzaSyA1234567890abc",
        "gsk_abcdefgh12345 is not valid",
        "sk-abc*******xyz",
        "cannot connect to http://someone:my-pass-word@10.0.0.1:8000/v1",
    ],
)
def test_keys_never_appear(text: str) -> None:
    clean = masker({"SOME_API_KEY": "my-own-secret", "OTHER": "given"}, MASKED_KEY)(text)
    assert "[key]" in clean
    for secret in ("my-own-secret", "abcdEFGH1234", "abc.def-ghi", "AIzaSy", "abcdefgh12345", "xyz", "my-pass"):
        assert secret not in clean


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "AWS_BEARER_TOKEN_BEDROCK", "MY_SECRET", "X_APIKEY", "KEY", "my_key"]
)
def test_values_of_whatever_is_named_like_a_key_are_taken_out(name: str) -> None:
    assert masker({name: "plain.value42"}, MASKED_KEY)("it says plain.value42 here") == "it says [key] here"


@pytest.mark.parametrize(
    ("header", "low", "high"),
    [
        ("7", 7, 7),
        ("0.5", 0.5, 0.5),
        ("-3", 0, 0),
        ("soon", 0, 0),
        ("", 0, 0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0),
    ],
)
def test_what_a_server_asks_to_wait(header: str, low: float, high: float) -> None:
    error = Failure("slow down", 429)
    error.litellm_response_headers = {"retry-after": header}  # type: ignore[attr-defined]
    assert low <= retry_after_seconds(error) <= high


def test_a_server_may_name_the_time_instead() -> None:
    error = Failure("slow down", 429)
    then = datetime.now(UTC) + timedelta(seconds=60)
    error.litellm_response_headers = {"retry-after": format_datetime(then)}  # type: ignore[attr-defined]
    assert 30 <= retry_after_seconds(error) <= 60


def test_a_server_that_asks_for_nothing() -> None:
    assert retry_after_seconds(Failure("slow down", 429)) == 0


def test_what_is_no_key_stays() -> None:
    assert (
        masker({"HOME": "/root", "A_KEY": "no"}, MASKED_KEY)("task-specific, HOME=/root") == "task-specific, HOME=/root"
    )


def test_the_detail_is_one_short_line_without_class_names() -> None:
    detail = detail_of(Failure("litellm.BadRequestError: OpenAIException - no\n such model " + "x " * 500), {})
    assert detail.startswith("no such model x")
    assert "\n" not in detail
    assert len(detail) < 210


@pytest.mark.expectation(number=51)
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Failure("forbidden", 403), KeyRejected),
        (Failure("Missing credentials. Please pass an `api_key`", 500), KeyRejected),
        (Failure("pay first", 402), RateLimited),
        (Failure("no such model", 404), ModelUnreachable),
        (Failure("LLM Provider NOT provided", 400), ModelUnreachable),
        (OSError("no route to host"), ModelUnreachable),
    ],
)
def test_every_failure_has_a_class(error: Exception, kind: type[ChatError]) -> None:
    got = to_chat_error("p/m", error, {})
    assert type(got) is kind
    assert got.message.startswith("p/m: ")


@pytest.mark.parametrize(
    ("error", "is_used_up"),
    [
        (Failure("Rate limit reached. Add a payment method at platform.openai.com/settings/billing.", 429), False),
        (Failure("You exceeded your current quota, check billing. See ai.dev/rate-limits. Retry in 7s.", 429), False),
        (Failure("You exceeded your current quota, please check your plan and billing details.", 429), True),
        (Failure("insufficient_quota: see platform.openai.com/account/rate-limits", 429), True),
        (Failure("Insufficient Balance", 402), True),
        (Failure("Your credit balance is too low to access the Anthropic API.", 400), True),
    ],
)
def test_only_a_limit_that_ends_by_itself_is_worth_retrying(error: Failure, is_used_up: bool) -> None:
    got = to_chat_error("p/m", error, {})
    assert type(got) is RateLimited
    assert is_worth_retrying(got, error) is not is_used_up
    assert ("Add credit" in got.fix) is is_used_up
    assert not refuses_format(error)
