"""No secret or unsafe character gets into exports or messages; ordinary text stays unchanged."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from interviewer.log.history import read_history
from interviewer.log.reports.markup import joined
from interviewer.log.store import PracticeLog
from interviewer.sanitize import MASKED, MASKED_KEY, REPLACEMENT, Mask, masked_line, masker, one_line, printable
from interviewer.tui.text_format import printable as on_screen
from tests.log.build import attempt, logged, whole_run

KEYS = [
    "sk-proj-a1B2c3D4e5F6g7H8i9",
    "sk-ant-api03-abcdef123456",
    "sk-secret-123456",
    "sk-abcdefghij",
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


ENVIRON = {
    "GOOGLE_CREDENTIALS": "plain-words-of-google",
    "AWS_BEARER_TOKEN_BEDROCK": "plain words of bedrock",
    "my_key": "plain.value42",
    "DB_PASSWORD": "hunter2",
    "SHORT_KEY": "short",
    "HOME": "/home/somebody",
}
# A text, and the parts of it that must be removed.
SECRETS = [
    ("sk-proj-a1B2c3D4e5F6g7H8i9", "a1B2c3"),
    ("sk-ant-api03-abcdef123456", "abcdef"),
    ("sk-secret-123456", "123456"),
    ("sk-test-abcdefghijklmnop", "abcdefgh"),
    ("sk-abcd*******wxyz", "wxyz"),
    ("sk_live_abcdefgh12345678", "abcdefgh"),
    ("pk-lf-1234abcd-5678", "1234abcd"),
    ("rk-abcdefgh12345678", "abcdefgh"),
    ("rk_live_abcdefgh12345678", "abcdefgh"),
    ("xai-abcdefgh12345678", "abcdefgh"),
    ("xai-abcdefghijklmnopqrst", "abcdefgh"),
    ("AKIAIOSFODNN7EXAMPLE", "IOSFODNN"),
    ("ASIAIOSFODNN7EXAMPLE", "IOSFODNN"),
    ("hf_aBcDeFgHiJ1234567890", "aBcDeFg"),
    ("ghp_abcdefghijABCDEFGHIJ0123456789abcdef", "abcdefghij"),
    ("github_pat_11ABCDEFG0abcdefghij", "ABCDEFG"),
    ("glpat-abcd1234efgh5678", "abcd1234"),
    ("gsk_abcd1234efgh5678", "abcd1234"),
    ("AIzaSyA-1234567890abcdefghijklmno", "1234567890"),
    ("AIzaSyA1234567890abc", "1234567890"),
    ("xoxb-123456789012-abcdefABCDEF", "123456789012"),
    ("Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc", "eyJhbGci"),
    ("Authorization: Bearer abc.def-ghi", "abc.def"),
    ("'authorization': 'Basic dXNlcjpwYXNz'", "dXNlcjpw"),
    ('api_key = "horse-battery"', "horse"),
    ("https://user:password@host/v1", "password"),
    ("http://someone:p@ss-word@10.0.0.1:8000/v1", "ss-word"),
    ("redis://:password@host:6379", "password"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END OPENSSH PRIVATE KEY-----", "b3Blbn"),
    ("it said plain-words-of-google", "plain-words"),
    ("it said plain words of bedrock", "bedrock"),
    ("it said plain.value42", "value42"),
    ("it said hunter2", "hunter2"),
]
INNOCENT = [
    "sk-learn, sk-learn-1.5.2 and sk-learn-compatible-estimators; task-specific heads and the risk-neutral policy",
    "hf_generate and hf_hub_download, then bearer authentication and a bearer token",
    "the rk-4 method, rk-4-based-integrators and rk-45; pk-fk pairs; xai-benchmark-2024",
    "https://host:8000/v1?user=a@b, http://user@host/x, http://localhost:8000 and git@github.com:org/repo",
    "key = query @ value; api_key = os.environ[name]; authorization: none",
    "The ratio exp(logp - old_logp) at 1.2 clips; 0x7f3a; 1e-5; GHz, high_bits",
    "token = tokens[0]; secret = secrets.token_hex(3); password; short; HOME=/home/somebody",
]
MASKS = {"what the user wrote": masker(ENVIRON), "messages": masker(ENVIRON, MASKED_KEY)}
UNSAFE = {
    "escape": "\x1b",
    "bell": "\x07",
    "null": "\x00",
    "vertical tab": "\x0b",
    "delete": "\x7f",
    "C1 control": "\x9b",
    "Arabic letter mark": "\u061c",
    "zero-width space": "\u200b",
    "left-to-right mark": "\u200e",
    "right-to-left mark": "\u200f",
    "right-to-left override": "\u202e",
    "right-to-left isolate": "\u2067",
    "surrogate": "\ud800",
    "non-character": "\ufdd0",
    "reversed byte order mark": "\ufffe",
    "tag": "\U000e0041",
}
SHOWN = ["a\tb\nc", "中文, e\u0301, é", "👩\u200d👧 1\ufe0f\u20e3", "می\u200cخواهم", "x − y ≤ 3 · “π”"]


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_secrets_are_masked_alike_wherever_text_leaves(text: str, secret: str, mask: Mask) -> None:
    clean = mask(f"({text}).")
    assert secret not in clean
    assert mask(clean) == clean
    assert masked_line(json.dumps({"text": text}), mask) == json.dumps({"text": mask(text)})


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS)
@pytest.mark.parametrize("text", INNOCENT)
def test_words_code_and_addresses_without_a_secret_stay(text: str, mask: Mask) -> None:
    assert mask(text) == text


def test_long_hostile_text_is_masked_in_bounded_time() -> None:
    began = time.process_time()
    for piece in ("sk-", "xai-a-", "hf_", "://a:", "Bearer "):
        masker({})(piece * (200_000 // len(piece)))
    assert time.process_time() - began < 30  # without a bound, it takes minutes


@pytest.mark.parametrize("char", UNSAFE.values(), ids=UNSAFE)
def test_unsafe_characters_are_dropped_or_shown_as_replaced(char: str) -> None:
    text = f"left{char}right\r\nnext\rlast"
    assert printable(text) == "leftright\nnext\nlast"
    assert one_line(text) == "leftright next last"
    assert printable(text, REPLACEMENT) == "left\ufffdright\nnext\nlast"
    assert on_screen(text) == printable(text, REPLACEMENT)
    assert joined(text) == printable(text)


@pytest.mark.parametrize("text", SHOWN)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert printable(text) == text


def test_a_private_key_is_masked_whole_even_when_its_end_is_missing() -> None:
    block = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\nZXktdjEAAAA\n"
    assert masker({})(f"a {block}-----END OPENSSH PRIVATE KEY----- b") == f"a {MASKED} b"
    assert masker({})(f"a {block}") == f"a {MASKED}"


def test_keys_of_the_environment_are_masked_wherever_they_stand() -> None:
    mask = masker({"OPENAI_API_KEY": "plain words as key", "MY_TOKEN": "plain words", "PATH": "/usr/bin", "B_KEY": "x"})
    # Longest key first, and also inside longer words: hiding a word by mistake is better than showing half a key.
    text = "it is plain words as key, or plain wordsmith; x in /usr/bin"
    assert mask(text) == f"it is {MASKED}, or {MASKED}mith; x in /usr/bin"


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
    history = repr(read_history(log, masker({"SOME_API_KEY": "plain secret"})))
    assert key not in history
    assert "plain secret" not in history
    assert history.count(MASKED) >= 4
    assert key in repr(log.events("s1")), "the log itself keeps what was said"
