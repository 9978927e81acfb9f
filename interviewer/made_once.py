"""A cached property that threads which ask at once get from one making; Python's own has had no lock since 3.12."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

T = TypeVar("T")


class made_once(cached_property[T]):
    """Make the value when it is first asked for, and only then."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        super().__init__(make)
        self._turn = threading.RLock()

    def __get__(self, instance: object, owner: type | None = None) -> T:  # type: ignore[override]
        """Return the value; once it is made, the instance holds it and this is not called any more."""
        with self._turn:
            return super().__get__(instance, owner)
