"""No key leaves the log: neither those of the environment nor what looks like one; ordinary words stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.log.history import read_history
from interviewer.log.store import PracticeLog
from interviewer.sanitize import MASKED, masked_line, masker
from tests.log.build import attempt, logged, whole_run

KEYS = [
    "sk-proj-a1B2c3D4e5F6g7H8i9",
    "sk-ant-api03-abcdef123456",
    "sk-secret-123456",
    "AKIAIOSFODNN7EXAMPLE",
    "hf_aBcDeFgHiJ1234567890",
    "ghp_abcdefghijABCDEFGHIJ0123456789abcdef",
    "github_pat_11ABCDEFG0abcdefghij",
    "gsk_abcd1234efgh5678",
    "AIzaSyA-1234567890abcdefghijklmno",
    "xoxb-123456789012-abcdefABCDEF",
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("around", ["{}", "my key is {}.", "export X='{}'\n", "({})", "key={},", "“{}”"])
def test_what_looks_like_a_key_is_masked(key: str, around: str) -> None:
    clean = masker({})(around.format(key))
    assert key not in clean
    assert MASKED in clean
    assert masker({})(clean) == clean


@pytest.mark.parametrize(
    "text",
    ["Authorization: Bearer abc123DEF456ghi", "bearer\n  eyJhbGciOiJIUzI1NiJ9.e30.abc", 'api_key = "horse-battery"'],
)
def test_a_key_beside_its_name_is_masked(text: str) -> None:
    clean = masker({})(text)
    assert "abc" not in clean
    assert "horse" not in clean


def test_a_private_key_is_masked_whole_even_when_its_end_is_missing() -> None:
    block = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\nZXktdjEAAAA\n"
    assert masker({})(f"a {block}-----END OPENSSH PRIVATE KEY----- b") == f"a {MASKED} b"
    assert masker({})(f"a {block}") == f"a {MASKED}"


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn, task-specific heads and the risk-neutral policy",
        "hf_generate and hf_hub_download, then bearer authentication",
        "key = query @ value; api_key = os.environ[name]",
        "The ratio exp(logp - old_logp) at 1.2 clips; 0x7f3a; 1e-5; GHz, high_bits",
        "token = tokens[0]; secret = secrets.token_hex(3); password",
    ],
)
def test_ordinary_words_and_code_stay(text: str) -> None:
    assert masker({})(text) == text


def test_keys_of_the_environment_are_masked_wherever_they_stand() -> None:
    mask = masker({"OPENAI_API_KEY": "plain words as key", "MY_TOKEN": "plain words", "PATH": "/usr/bin", "B_KEY": "x"})
    # The longest first, and inside longer words too: a wrongly hidden word costs less than half a key.
    told = "it is plain words as key, or plain wordsmith; x in /usr/bin"
    assert mask(told) == f"it is {MASKED}, or {MASKED}mith; x in /usr/bin"


def test_a_key_that_json_would_escape_is_masked_in_a_line_of_json() -> None:
    key = 'quo"te\\and ünï'
    line = json.dumps({"text": f"<{key}>", "list": [key]})
    clean = masked_line(line, masker({"A_SECRET": key}))
    assert json.loads(clean) == {"text": f"<{MASKED}>", "list": [MASKED]}
    assert masked_line('{"n": 1.50}', masker({})) == '{"n": 1.50}'


def test_a_history_holds_no_key_in_answers_quotes_or_code(tmp_path: Path) -> None:
    key = "hf_abcDEF123456789"
    log = logged(PracticeLog(tmp_path / "log.db"), whole_run(words=f"I use {key} here", source=f"token='{key}'"))
    log.record_attempt(attempt(source=f"KEY = 'plain secret' # {key}"))
    told = repr(read_history(log, masker({"SOME_API_KEY": "plain secret"})))
    assert key not in told
    assert "plain secret" not in told
    assert told.count(MASKED) >= 4
    assert key in repr(log.events("s1")), "the log itself keeps what was said"
