"""Work in parallel with the event loop: its result arrives in the app's thread, or nowhere once the app has quit."""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings

from textual.app import App

from interviewer.tui.background import run_in_background
from tests.tui.conftest import wait_for


def test_what_comes_while_the_app_s_loop_ends_is_dropped_without_a_word() -> None:
    gc.collect()  # what earlier tests left behind may warn too, and must have done so before this test listens
    app, told = App[None](), list[object]()
    before = set(threading.enumerate())
    # As when the app quits: the app still has its event loop, which accepts callbacks but will never run them.
    app._loop = loop = asyncio.new_event_loop()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        run_in_background(app, lambda: 7, told.append, told.append)
        for late in set(threading.enumerate()) - before:
            late.join(1)
        is_left = set(threading.enumerate()) - before
        loop.close()
        del loop, app
        gc.collect()
    assert (told, is_left) == ([], set())
    assert [str(warning.message) for warning in warned] == []


async def test_result_and_error_come_back_in_the_app_s_own_thread() -> None:
    told: list[tuple[object, int]] = []

    def keep(value: object) -> None:
        told.append((value, threading.get_ident()))

    def fail() -> None:
        raise LookupError("gone")

    async with App[None]().run_test() as pilot:
        run_in_background(pilot.app, lambda: 7, keep, keep)
        await wait_for(pilot, lambda: len(told) == 1, "the result")
        run_in_background(pilot.app, fail, keep, keep)
        await wait_for(pilot, lambda: len(told) == 2, "the error")
    assert [str(value) for value, _ in told] == ["7", "gone"]
    assert {thread for _, thread in told} == {threading.get_ident()}
