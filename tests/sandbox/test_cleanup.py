"""Removing a container is retried if the engine only timed out; the error says where it may still be running."""

from __future__ import annotations

import docker
import pytest
import requests

from sandbox.docker.cleanup import REMOVE_TRIES, remove
from sandbox.job import CellLost

LOST_PATIENCE = (
    "Could not kill running container abc, cannot remove - tried to kill container, but did not receive an exit event"
)


class Engine:
    """Refuse to remove a container this many times."""

    def __init__(self, refusals: int, status: int = 500, why: str = LOST_PATIENCE) -> None:
        self.calls = 0
        self._refusals, self._status, self._why = refusals, status, why

    def remove_container(self, name: str, *, force: bool, v: bool) -> None:
        self.calls += 1
        if self.calls <= self._refusals:
            response = requests.Response()
            response.status_code = self._status
            raise docker.errors.APIError("500 Server Error", response, self._why)


def test_an_engine_that_lost_patience_is_asked_again() -> None:
    engine = Engine(refusals=REMOVE_TRIES - 1)
    remove(engine, "cell")
    assert engine.calls == REMOVE_TRIES


def test_a_container_that_stays_is_told() -> None:
    with pytest.raises(CellLost, match="exit event"):
        remove(Engine(refusals=REMOVE_TRIES), "cell")


def test_another_failure_is_told_at_once() -> None:
    engine = Engine(refusals=1, why="driver failed to remove root filesystem")
    with pytest.raises(CellLost, match="root filesystem"):
        remove(engine, "cell")
    assert engine.calls == 1


@pytest.mark.parametrize("status", [404, 409])
def test_one_that_is_gone_or_going_is_fine(status: int) -> None:
    engine = Engine(refusals=1, status=status, why="gone")
    remove(engine, "cell")
    assert engine.calls == 1
