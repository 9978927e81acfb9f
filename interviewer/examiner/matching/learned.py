"""The client for the learned matcher: a child process scores passages, and a linear rule combines the scores.

This module never imports torch. Until the child process is ready, or if it fails, answers are judged by phrasings
alone.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graders.client import clean_environment
from graders.install import is_missing
from interviewer.bank.arithmetic import numbers_in
from interviewer.session.assessment import State

_FOLDER = Path(__file__).parent
MODEL = _FOLDER / "model"
_DECISION = MODEL / "decision.json"
ENCODER = _FOLDER / "encoder.py"
ANSWER_SECONDS = 3.0
# How long a command that has to judge right away waits for the matcher: importing torch takes two seconds, or more on a
# busy machine.
LOAD_SECONDS = 60.0
# oneDNN caches compiled code for each batch shape, and nearly every answer has a new shape. Without a limit, the cache
# grows to half a gigabyte.
_ENVIRONMENT = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "8"}
# A process that fails this often usually fails for a reason that a restart would not fix.
_STARTS_MAX = 3
# This is about as many sentences as a person speaks in ten minutes; later sentences are judged by phrase matching
# alone.
SENTENCES_MAX = 80


@dataclass(frozen=True)
class Window:
    """A passage near a claim: sentences `first` to `last`, the sentence `nearest` to the claim, and its scores.

    `shows` and `contradicts` are probabilities; the remainder is the probability that the passage is unrelated to the
    claim.
    """

    first: int
    last: int
    nearest: int
    similarity: float
    shows: float
    contradicts: float


class LearnedMatcher:
    """Scores passages in a child process that is started on demand; may be called from any thread."""

    def __init__(
        self,
        command: Sequence[str] = (),
        answer_seconds: float = ANSWER_SECONDS,
        load_seconds: float = LOAD_SECONDS,
    ) -> None:
        # -P: do not import a torch.py from the candidate's working folder.
        self._command = tuple(command) or (sys.executable, "-P", str(ENCODER))
        self._answer_seconds = answer_seconds
        self._load_seconds = load_seconds
        self._started_at = 0.0
        self._child: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._is_ready = False
        self._starts = 0
        self._number = 0
        self._turn = threading.Lock()
        atexit.register(self.close)

    @property
    def version(self) -> str:
        """Return the version of the weights and the decision rule."""
        return str(load_decision()["version"])

    @property
    def pid(self) -> int | None:
        """Return the child's process id; None if it is not running."""
        child = self._child
        return child.pid if child is not None and child.poll() is None else None

    def start(self) -> None:
        """Start the process, which loads torch in the background; do nothing if it is already running."""
        with self._turn:
            self._start()

    def wait(self, seconds: float) -> bool:
        """Return whether the process becomes ready within `seconds`, which is also the timeout for later answers."""
        with self._turn:
            self._answer_seconds = max(seconds, self._answer_seconds)
            return self._become_ready(seconds)

    def find(self, claims: Sequence[str], sentences: Sequence[str]) -> list[list[Window]] | None:
        """Return the passages of the answer (as `Window`s) that are nearest to each claim.

        Return None if the matcher's process is not ready or does not answer in time.
        """
        if not sentences:
            return [[] for _ in claims]
        with self._turn:
            began = time.monotonic()
            if not self._become_ready(self._answer_seconds):
                return None
            self._number += 1
            request = {"id": self._number, "claims": claims, "sentences": sentences[:SENTENCES_MAX]}
            answer = self._ask(request, began + self._answer_seconds)
            try:
                windows = [[as_window(numbers) for numbers in windows] for windows in answer["windows"]]
            except (KeyError, TypeError, ValueError):
                windows = []
            if len(windows) != len(claims):
                self._discard()
                return None
        return windows

    def close(self) -> None:
        """End the process if it is running."""
        with self._turn:
            self._discard()

    def _start(self) -> None:
        if self.pid is not None or self._starts >= _STARTS_MAX:
            return
        self._discard()
        self._starts += 1
        with suppress(OSError):
            child = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                env=clean_environment(os.environ) | _ENVIRONMENT,
                start_new_session=True,
            )
            self._child, self._answers, self._is_ready = child, queue.Queue(), False
            self._started_at = time.monotonic()
            threading.Thread(target=_read, args=(child, self._answers), daemon=True).start()

    def _become_ready(self, seconds: float) -> bool:
        self._start()
        if self._child is not None and not self._is_ready:
            is_late = time.monotonic() - self._started_at > self._load_seconds
            with suppress(queue.Empty):
                answer = self._answers.get(timeout=0 if is_late else seconds)
                self._is_ready = answer is not None and "ready" in answer
                is_late = not self._is_ready
            if is_late and not self._is_ready:
                self._discard()
        return self._is_ready and self.pid is not None

    def _ask(self, request: Mapping[str, Any], until: float) -> dict[str, Any]:
        """Return the answer to this request; empty if the child fails, exits or takes too long."""
        if self._child is None or self._child.stdin is None:
            return {}
        try:
            self._child.stdin.write(json.dumps(request) + "\n")
            self._child.stdin.flush()
            answer = self._answers.get(timeout=max(0.0, until - time.monotonic()))
        except (OSError, ValueError, queue.Empty):
            return {}
        return answer if answer is not None and answer.get("id") == request["id"] else {}

    def _discard(self) -> None:
        child, self._child, self._is_ready = self._child, None, False
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _read(child: subprocess.Popen[str], answers: queue.Queue[dict[str, Any] | None]) -> None:
    """Put the child's answers into the queue, then None once the child exits or sends anything other than an answer."""
    with suppress(OSError, ValueError):
        for line in child.stdout or ():
            answer = json.loads(line)
            if not isinstance(answer, dict):
                break
            answers.put(answer)
    answers.put(None)


def as_window(numbers: Sequence[float]) -> Window:
    """Parse the numbers of one window; see `encoder.Matcher.find_windows`."""
    first, last, nearest, similarity, *logits = numbers
    highest = max(logits)
    powers = [math.exp(logit - highest) for logit in logits]
    _, shows, contradicts = (power / sum(powers) for power in powers)
    return Window(int(first), int(last), int(nearest), similarity, shows, contradicts)


# The features that the decision uses, in this order.
FEATURES = (
    "shows_max",
    "shows_mean",
    "contradicts_max",
    "contradicts_mean",
    "shows_nearest",
    "contradicts_nearest",
    "similarity",
    "shows_rather",
    "numbers_match",
    "numbers_differ",
    "phrasing_shown",
    "phrasing_partial",
    "phrasing_contradicted",
)
_LEAST = 1e-4


@dataclass(frozen=True)
class Verdict:
    """The decision on a point, and the index of the supporting sentence (None if there is none)."""

    state: State
    sentence: int | None


def features(says: str, sentences: Sequence[str], windows: Sequence[Window], phrasing: State) -> list[float]:
    """Return the values of `FEATURES` for a point; `phrasing` is the state that phrase matching alone found."""
    shows = [window.shows for window in windows] or [0.0]
    contradicts = [window.contradicts for window in windows] or [0.0]
    best = max(windows, key=lambda window: window.shows + window.contradicts, default=None)
    passage = " ".join(sentences[best.first : best.last + 1]) if best else ""
    wanted, given = set(numbers_in(says)), set(numbers_in(passage))
    return [
        _log_odds(max(shows)),
        _log_odds(sum(shows) / len(shows)),
        _log_odds(max(contradicts)),
        _log_odds(sum(contradicts) / len(contradicts)),
        _log_odds(shows[0]),
        _log_odds(contradicts[0]),
        max((window.similarity for window in windows), default=0.0),
        max(0.0, max(shows) - max(contradicts)),
        len(wanted & given) / len(wanted) if wanted else 0.0,
        float(bool(wanted and given and not wanted & given)),
        float(phrasing is State.SHOWN),
        float(phrasing is State.PARTIAL),
        float(phrasing is State.CONTRADICTED),
    ]


def decide(says: str, sentences: Sequence[str], windows: Sequence[Window], phrasing: State) -> Verdict:
    """Decide a point's state from the passages nearest to it and from the state that phrase matching found."""
    decision = load_decision()
    values = features(says, sentences, windows, phrasing)
    credit, contradiction = (_weighed(decision[name], values) for name in ("credit", "contradiction"))
    limits = decision["limits"]
    # A contradicted point is never credited, no matter how many of its words occur.
    if is_contradiction(credit, contradiction, limits["contradicted"], is_matched=phrasing is State.SHOWN):
        return Verdict(State.CONTRADICTED, _evidence(windows, "contradicts"))
    # If a phrasing matches in full, a `credit` that reaches the threshold for partial credit earns full credit.
    if credit >= limits["partial" if phrasing is State.SHOWN else "shown"]:
        return Verdict(State.SHOWN, _evidence(windows, "shows"))
    if credit >= limits["partial"]:
        return Verdict(State.PARTIAL, _evidence(windows, "shows"))
    return Verdict(State.MISSING, None)


def is_contradiction(credit: float, contradiction: float, limit: float, *, is_matched: bool) -> bool:
    """Return whether a point is treated as contradicted, given its log odds of credit and of contradiction.

    Among right statements that use the claim's own words, the matcher misclassifies one in ten as a contradiction.
    Nearly all of those statements match a phrasing in full (`is_matched`), so a matched point is never treated as
    contradicted.
    """
    return not is_matched and contradiction >= max(limit, credit)


@cache
def load_decision() -> Mapping[str, Any]:
    """Return the weights and thresholds of the decision rule."""
    decision: Mapping[str, Any] = json.loads(_DECISION.read_text(encoding="utf-8"))
    return decision


@cache
def shared_matcher() -> LearnedMatcher | None:
    """Return this process's matcher; None if its weights or torch are missing."""
    is_there = _DECISION.exists() and (MODEL / "weights.safetensors").exists()
    return LearnedMatcher() if is_there and not is_missing() and find_spec("tokenizers") else None


def _weighed(weights: Mapping[str, float], values: Sequence[float]) -> float:
    return weights["bias"] + sum(weights[name] * value for name, value in zip(FEATURES, values, strict=True))


def _evidence(windows: Sequence[Window], kind: str) -> int | None:
    best = max(windows, key=lambda window: float(getattr(window, kind)), default=None)
    return best.nearest if best else None


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(kept / (1 - kept))
