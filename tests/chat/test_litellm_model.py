from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from interviewer.chat.litellm_model import LitellmModel, _import_litellm, _usage
from interviewer.chat.model import (
    ChatCancelled,
    ChatError,
    ContextTooLong,
    KeyRejected,
    Message,
    ModelTimedOut,
    ModelUnreachable,
    RateLimited,
    ReplyUnusable,
)
from interviewer.chat.streaming import Timeouts
from tests.chat.fake_server import KEY, FakeServer, serving

pytestmark = pytest.mark.slow

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
TOO_SLOW_SECONDS = 8.0


@pytest.fixture(scope="module")
def running_server() -> Iterator[FakeServer]:
    """Do the import and the slow first call before any time is measured."""
    with serving() as running, pytest.MonkeyPatch.context() as environ:
        environ.setenv("OPENAI_API_KEY", KEY)
        environ.setenv("OPENAI_BASE_URL", running.url)
        LitellmModel("openai/test").complete(asking("fine"))
        yield running


def a_model(name: str = "openai/test", **options: object) -> LitellmModel:
    return LitellmModel(name, Timeouts(3.0, 1.5, 20.0), retry_seconds=(0.03, 0.05), **options)  # type: ignore[arg-type]


def asking(text: str) -> list[Message]:
    return [Message("system", "You interview."), Message("user", text)]


def streamed(model: LitellmModel, text: str) -> str:
    return "".join(model.stream(asking(text)))


def test_streams_words_one_by_one_and_counts_tokens(server: FakeServer) -> None:
    model = a_model()
    assert list(model.stream(asking("fine"))) == ["Why ", "is ", "that?"]
    assert (model.usage.calls, model.usage.prompt_tokens, model.usage.completion_tokens) == (1, 5, 3)


def test_an_unknown_price_is_none_and_a_known_one_adds_up(server: FakeServer) -> None:
    unknown, known = a_model(), a_model("openai/gpt-4o-mini")
    assert unknown.usage.cost_usd is None
    streamed(unknown, "fine")
    streamed(known, "fine")
    once = known.usage.cost_usd
    streamed(known, "fine")
    assert unknown.usage.cost_usd is None
    assert once is not None
    assert once > 0
    assert known.usage.cost_usd == pytest.approx(2 * once)


def test_tokens_are_estimated_when_a_reply_was_stopped(server: FakeServer) -> None:
    model = a_model()
    words = model.stream(asking("count"))
    next(words)
    words.close()  # type: ignore[attr-defined]
    assert model.usage.calls == 1
    assert model.usage.prompt_tokens > 0


@pytest.mark.parametrize(
    ("mode", "kind", "says"),
    [
        ("stall first", ModelTimedOut, "sent nothing for 3 s"),
        ("stall middle", ModelTimedOut, "sent nothing for 1.5 s in the middle of the reply"),
        ("401", KeyRejected, "rejected the API key"),
        ("429 for ever", RateLimited, "too many requests"),
        ("no quota", RateLimited, "quota"),
        ("500", ModelUnreachable, "the engine died"),
        ("malformed", ModelUnreachable, "was cut short"),
        ("refusal", ReplyUnusable, "I will not do that"),
        ("empty", ReplyUnusable, "empty"),
        ("length", ReplyUnusable, "cut off"),
        ("no ending", ReplyUnusable, "without a finish reason"),
        ("context", ContextTooLong, "does not fit"),
        ("403", KeyRejected, "rejected the API key"),
        ("404", ModelUnreachable, "rejected the request"),
        ("500 with key", ModelUnreachable, "upstream said: bad key [key]"),
        ("failing in words", ModelUnreachable, "was cut short"),
        ("key in a refusal", ReplyUnusable, "The key [key] may not do that"),
        ("a page", ReplyUnusable, "the address may not belong to a chat server"),
        ("bare text", ReplyUnusable, "the address may not belong to a chat server"),
        ("no stream", ReplyUnusable, "the address may not belong to a chat server"),
        ("an error as a page", ReplyUnusable, "the address may not belong to a chat server"),
        ("wait 429 3600", RateLimited, "the server asks you to wait 3600 s"),
        ("wait 429 Wed, 21 Oct 2099 07:28:00 GMT", RateLimited, "the server asks you to wait"),
    ],
)
@pytest.mark.parametrize("is_streamed", [True, False], ids=["stream", "complete"])
def test_each_failure_ends_in_its_own_class(
    server: FakeServer, mode: str, kind: type[ChatError], says: str, is_streamed: bool
) -> None:
    notices: list[str] = []
    model = a_model(notice=notices.append)
    with pytest.raises(kind) as caught:
        streamed(model, mode) if is_streamed else model.complete(asking(mode), SCHEMA)
    assert KEY not in f"{notices} {caught.value} {caught.value.__cause__}"
    assert type(caught.value) is kind
    assert says in caught.value.message
    assert caught.value.message.startswith("openai/test: ")
    assert caught.value.message.endswith(".")
    assert caught.value.fix.endswith(".")
    assert KEY not in caught.value.message + caught.value.fix


def test_a_rate_limit_is_retried_and_told(server: FakeServer) -> None:
    notices: list[str] = []
    assert streamed(a_model(notice=notices.append), "429 then fine") == "Why is that?"
    assert server.seen["429 then fine"] == 2
    assert notices == ["openai/test: too many requests. Trying again in 0.03 s."]


@pytest.mark.parametrize(
    ("mode", "waited"),
    [
        ("wait 429 0.4", 0.4),
        ("wait 503 0.4", 0.4),
        ("wait 429 soon", 0.03),
        ("wait 429 -5", 0.03),
        ("wait 429 0", 0.03),
    ],
)
def test_a_server_that_says_when_to_come_back_is_obeyed(server: FakeServer, mode: str, waited: float) -> None:
    notices: list[str] = []
    assert streamed(a_model(notice=notices.append), mode) == "Why is that?"
    assert notices[0].endswith(f"Trying again in {waited:g} s.")


def test_cancelling_ends_the_wait_that_the_server_asked_for(server: FakeServer) -> None:
    stop = threading.Event()
    with pytest.raises(ChatCancelled):
        list(a_model(notice=lambda _: stop.set()).stream(asking("wait 429 15"), stop.is_set))
    assert server.seen["wait 429 15"] == 1


def test_a_slow_drip_is_read_as_it_comes_and_ended_when_the_whole_takes_too_long(server: FakeServer) -> None:
    words: list[str] = []
    with pytest.raises(ModelTimedOut, match=r"did not finish within 0\.5 s"):
        words.extend(LitellmModel("openai/test", Timeouts(0.4, 0.4, 0.5)).stream(asking("drip")))
    pieces = LitellmModel("openai/test", Timeouts(0.4, 0.4, 0.5)).stream(asking("drip"))
    assert [next(pieces), next(pieces)] == ["0 ", "1 "]
    pieces.close()  # type: ignore[attr-defined]
    assert server.client_left.wait(20)


@pytest.mark.parametrize(
    ("mode", "requests"), [("429 for ever", 3), ("500", 3), ("no quota", 1), ("401", 1), ("context", 1)]
)
def test_there_is_one_small_layer_of_retries(server: FakeServer, mode: str, requests: int) -> None:
    with pytest.raises(ChatError):
        streamed(a_model(), mode)
    assert server.seen[mode] == requests


def test_a_broken_stream_keeps_what_was_said_and_is_not_begun_again(server: FakeServer) -> None:
    words = a_model().stream(asking("disconnect"))
    assert next(words) == "only the beginning"
    with pytest.raises(ModelUnreachable, match="was cut short"):
        next(words)
    assert server.seen["disconnect"] == 1


def test_a_broken_whole_reply_is_asked_for_again(server: FakeServer) -> None:
    assert a_model().complete(asking("disconnect")).text == "Why is that?"
    assert server.seen["disconnect"] == 3


def test_a_dead_server_is_unreachable(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnreachable, match="is unreachable"):
        streamed(a_model(), "fine")


def test_a_missing_key_is_told_without_a_request(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(KeyRejected, match="OPENAI_API_KEY is not set"):
        streamed(a_model(), "fine")
    assert server.requests == []


def test_a_server_of_ones_own_needs_no_key(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert streamed(a_model(), "fine") == "Why is that?"


@pytest.mark.parametrize(
    ("mode", "first", "second"),
    [
        ("fine", ["json_schema"], ["json_schema"]),
        ("no schema", ["json_schema", "json_object"], ["json_object"]),
        ("no format", ["json_schema", "json_object", "none"], ["none"]),
    ],
)
def test_a_refused_format_is_dropped_and_remembered(
    server: FakeServer, mode: str, first: list[str], second: list[str]
) -> None:
    model = a_model()
    for expected in (first, second):
        server.requests.clear()
        assert model.complete(asking(mode), SCHEMA).text == "Why is that?"
        assert [request.get("response_format", {"type": "none"})["type"] for request in server.requests] == expected


def test_the_schema_goes_out_as_it_is(server: FakeServer) -> None:
    a_model().complete(asking("fine"), SCHEMA, temperature=0.4)
    sent = server.requests[0]
    assert sent["response_format"]["json_schema"] == {"name": "reply", "strict": True, "schema": SCHEMA}
    assert sent["temperature"] == 0.4


@pytest.mark.parametrize("mode", ["count", "stall first", "stall middle"])
def test_cancelling_ends_the_reply_and_closes_the_socket(server: FakeServer, mode: str) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    with pytest.raises(ChatCancelled):
        list(a_model().stream(asking(mode), stop.is_set))
    assert server.client_left.wait(20)


def test_cancelling_ends_the_wait_before_a_retry(server: FakeServer) -> None:
    stop = threading.Event()
    model = LitellmModel("openai/test", retry_seconds=(10.0**6,), notice=lambda _: stop.set())
    with pytest.raises(ChatCancelled):
        model.complete(asking("500"), is_cancelled=stop.is_set)
    assert server.seen["500"] == 1


def test_leaving_a_reply_unread_closes_the_socket(server: FakeServer) -> None:
    words = a_model().stream(asking("count"))
    next(words)
    words.close()  # type: ignore[attr-defined]
    assert server.client_left.wait(20)


def test_two_threads_may_speak_at_once_and_one_after_another(server: FakeServer) -> None:
    model = a_model()
    texts: list[str] = []
    for _ in range(3):
        threads = [threading.Thread(target=lambda: texts.append(streamed(model, "fine"))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert texts == ["Why is that?"] * 6


def test_nothing_heavy_is_imported_before_the_first_call() -> None:
    code = """
import sys
from interviewer.interview.participants import open_model
from interviewer.chat.providers import default_model, missing_key
from interviewer.examiner import llm, voice
model = open_model("openai/test")
llm.LLMExaminer(model)
missing_key(model.name, {}), default_model({"OPENAI_API_KEY": "x"})
print([name for name in ("litellm", "openai", "pydantic", "aiohttp", "httpx") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_warm_up_imports_the_library_in_the_background() -> None:
    code = """
import sys, time
from interviewer.interview.participants import open_model
model = open_model("openai/test")
first, imported = model.warm_up(), "litellm.main" in sys.modules
while not model.warm_up():
    time.sleep(0.01)
print(first, imported, "litellm.main" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False True"


def test_what_the_provider_reports_is_the_cost() -> None:
    used = SimpleNamespace(prompt_tokens=4000, completion_tokens=200, cost=0.0321)
    usage = _usage(_import_litellm(), "openrouter/openrouter/auto", {"messages": []}, "x", used)
    assert usage.cost_usd == 0.0321


def test_cached_prompt_tokens_cost_less() -> None:
    litellm = _import_litellm()

    def cost(cached: int) -> float:
        details = {"cached_tokens": cached}
        used = litellm.Usage(
            prompt_tokens=4000, completion_tokens=200, total_tokens=4200, prompt_tokens_details=details
        )
        return _usage(litellm, "openai/gpt-5.4-mini", {"messages": []}, "x", used).known_usd

    assert 0 < cost(3500) < cost(0) / 2


def test_a_reply_that_was_stopped_while_the_model_thought_is_counted(server: FakeServer) -> None:
    model = a_model()
    with pytest.raises(ModelTimedOut):
        model.complete(asking("thinks"))
    assert model.usage.calls == 1
    assert model.usage.completion_tokens > 0


def test_an_empty_first_chunk_does_not_end_the_wait_for_the_first_token(server: FakeServer) -> None:
    assert streamed(a_model(), "role first") == "Why?"
