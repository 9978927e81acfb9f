"""A model that replays a script, for tests and for a demo without an API key; it generates no text of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.chat.model import ChatCancelled, ChatError, Message, Reply, ReplyUnusable, Usage
from interviewer.chat.streaming import never_cancelled

_PIECES = re.compile(r"\s*\S{1,8}|\s+")
_CONVEY = re.compile(r"<convey>\s*(.*?)\s*</convey>", re.DOTALL)
_KEYS = frozenset({"replies", "judgements"})


@dataclass(frozen=True)
class ScriptedJudgment:
    """One reply to `complete`: text, an object sent as JSON, or a failure.

    With `when`, the reply is used for every call whose last message contains that text, so the script also works in a
    resumed session. Without `when`, each reply is used for one call, in order.
    """

    reply: str | Mapping[str, Any] | ChatError
    when: str = ""


class ScriptedModel:
    """Replays a script: `replies` are for `stream`, and `judgements` are for `complete`; each list is used in order.

    If the script has no reply for a call, `stream` repeats the text it was asked to convey, and `complete` reports
    every point as missing. `requests` stores the messages of every call.
    """

    def __init__(
        self,
        replies: Sequence[str | ChatError] = (),
        judgements: Sequence[ScriptedJudgment | str | Mapping[str, Any] | ChatError] = (),
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.notice: Callable[[str], None] = lambda text: None  # a script never waits
        self.waits: Callable[[float], None] = lambda seconds: None
        self.requests: list[tuple[Message, ...]] = []
        scripted = [entry if isinstance(entry, ScriptedJudgment) else ScriptedJudgment(entry) for entry in judgements]
        self._replies = list(replies)
        self._standing = [judgment for judgment in scripted if judgment.when]
        self._judgements = [judgment for judgment in scripted if not judgment.when]

    @classmethod
    def load(cls, path: Path) -> ScriptedModel:
        """Load the model from a JSON file: {"replies": [...], "judgements": [{"when": "...", "reply": ...}]}.

        Raises OSError if the file cannot be read, and ValueError, which names the file and key, if the file is invalid.
        """
        try:
            script = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{path}: not a JSON file ({error})") from None
        if not isinstance(script, dict) or not _KEYS.issuperset(script):
            raise ValueError(f"{path}: expected an object with the keys {', '.join(sorted(_KEYS))}")
        replies, judgements = script.get("replies", []), script.get("judgements", [])
        if not isinstance(replies, list) or not all(isinstance(reply, str) for reply in replies):
            raise ValueError(f"{path}: replies: expected a list of strings")
        if not isinstance(judgements, list):
            raise ValueError(f"{path}: judgements: expected a list")
        return cls(replies, [_judgement(path, entry) for entry in judgements], name=f"scripted/{path}")

    @property
    def usage(self) -> Usage:
        """Return the usage, which counts only calls, because a script uses no tokens and costs nothing."""
        return Usage(calls=len(self.requests))

    def warm_up(self) -> bool:
        """Return True: a script needs no library."""
        return True

    def stream(self, messages: Sequence[Message], is_cancelled: Callable[[], bool] = never_cancelled) -> Iterator[str]:
        """Yield the next reply a few characters at a time. Raises ChatError if the script specifies one."""
        self.requests.append(tuple(messages))
        reply = self._replies.pop(0) if self._replies else _words_to_convey(messages)
        if isinstance(reply, ChatError):
            raise reply
        if not reply:
            raise ReplyUnusable(f"{self.name}: the script has no reply for this call.", "Add a reply to `replies`.")
        for piece in _PIECES.findall(reply):
            if is_cancelled():
                raise ChatCancelled(f"{self.name}: stopped.", "No action needed.")
            yield piece

    def complete(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        temperature: float = 0.0,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> Reply:
        """Return the judgment for this call. Raises ChatError if the script specifies one."""
        self.requests.append(tuple(messages))
        if is_cancelled():
            raise ChatCancelled(f"{self.name}: stopped.", "No action needed.")
        reply = self._reply_to(messages)
        if isinstance(reply, ChatError):
            raise reply
        if reply is None:
            reply = empty_judgment(schema or {})
        return Reply(reply if isinstance(reply, str) else json.dumps(reply), "stop")

    def _reply_to(self, messages: Sequence[Message]) -> str | Mapping[str, Any] | ChatError | None:
        last = messages[-1].content
        standing = next((judgement.reply for judgement in self._standing if judgement.when in last), None)
        if standing is not None:
            return standing
        return self._judgements.pop(0).reply if self._judgements else None


def empty_judgment(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a judgment that marks every point in the examiner's schema as missing."""
    point = schema.get("properties", {}).get("points", {}).get("items", {}).get("properties", {})
    ids = point.get("id", {}).get("enum", [])
    missing = [{"id": name, "evidence": [], "why": "not in the script", "state": "missing"} for name in ids]
    return {"points": missing, "misconceptions": [], "flags": []}


def _words_to_convey(messages: Sequence[Message]) -> str:
    blocks = _CONVEY.findall(messages[-1].content) if messages else []
    return str(blocks[-1]) if blocks else ""


def _judgement(path: Path, entry: Any) -> ScriptedJudgment:
    if not isinstance(entry, dict) or not {"when", "reply"}.issuperset(entry) or "reply" not in entry:
        raise ValueError(f'{path}: judgements: expected {{"when": "...", "reply": {{...}}}}, got {str(entry)[:80]}')
    when, reply = entry.get("when", ""), entry["reply"]
    if not isinstance(when, str) or not isinstance(reply, dict | str):
        raise ValueError(f"{path}: judgements: `when` must be a string, and `reply` an object or a string")
    return ScriptedJudgment(reply, when)
