"""Which sandbox keeps cells ready, if several clients with different sandboxes use one worker."""

from __future__ import annotations

import pytest

from graders import sandboxes
from graders.sandboxes import Sandboxes
from sandbox.pool import Pool
from tests.sandbox.test_pool import PreparedSandbox


def test_cells_wait_only_in_the_sandbox_of_the_latest_client(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: dict[tuple[str, str], PreparedSandbox] = {}

    def open_prepared(kind: str, image: str) -> PreparedSandbox:
        return opened.setdefault((kind, image), PreparedSandbox())

    monkeypatch.setattr(sandboxes, "open_sandbox", open_prepared)
    monkeypatch.setattr(sandboxes, "clean", lambda: None)
    kept = Sandboxes()
    keys = [("process", ""), ("docker", ""), ("docker", "mine:1")]
    for key in keys:
        for _ in range(2):
            kept.warm(*key)
            pool = kept.find(*key)
            assert isinstance(pool, Pool)
            pool.wait_idle()
        waiting = {place: any(not cell.is_closed for cell in sandbox.cells) for place, sandbox in opened.items()}
        assert [place for place, is_waiting in waiting.items() if is_waiting] == [key]
    assert kept.find(*keys[0]) is opened[keys[0]]  # without cells, as before a client asked for them
    kept.close()
    assert all(cell.is_closed for sandbox in opened.values() for cell in sandbox.cells)
