"""Neither token opens the other endpoint, and neither side can take over or block the other side's tabs."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSServerHandshakeError
from yarl import URL

from interviewer.cli.serve.server import APP, OBSERVER_APP, TABS_MAX, LoopbackServer
from interviewer.cli.serve.tab_app import _open
from interviewer.config import find_folders, load_settings
from interviewer.interview.context import AppContext
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest
from tests.cli.serve.conftest import address, serving, until
from tests.cli.serve.test_tabs import opened

NAME = "0" * 16


def saying(text: str) -> tuple[str, ...]:
    """Return the command of an app that says which app it is and how it was started."""
    script = (
        "import os, sys, time\n"
        f"said = b'{text} ' + sys.argv[1].encode()\n"
        "os.write(1, b'__GANGLION__\\n' + b'D' + len(said).to_bytes(4, 'big') + said)\n"
        "time.sleep(100)\n"
    )
    return (sys.executable, "-c", script)


@pytest.fixture
async def server() -> AsyncIterator[LoopbackServer]:
    async with serving(saying("candidate"), saying("observer")) as one:
        yield one


@pytest.fixture
async def client() -> AsyncIterator[ClientSession]:
    async with ClientSession() as one:
        yield one


async def observer_tab(client: ClientSession, server: LoopbackServer, name: str = NAME) -> ClientWebSocketResponse:
    return await opened(client, server.url_of(server.observer), name)


@pytest.mark.expectation(number=68)
async def test_each_token_opens_its_own_seat_under_the_same_name(server: LoopbackServer, client: ClientSession) -> None:
    candidate = await opened(client, address(server), NAME)
    assert await candidate.receive_bytes() == b"candidate "
    observer = await observer_tab(client, server)
    assert await observer.receive_bytes() == b"observer "
    # An observer's tab with the same name did not take over the candidate's tab.
    assert not candidate.closed
    assert set(server.candidate.tabs) == set(server.observer.tabs) == {NAME}
    assert server.candidate.token != server.observer.token


async def test_what_one_seat_keeps_is_not_given_to_the_other(server: LoopbackServer, client: ClientSession) -> None:
    server.candidate.kept[NAME] = "s-1 token"
    observer = await observer_tab(client, server)
    assert await observer.receive_bytes() == b"observer "


async def test_the_pages_of_an_observer_name_only_the_observers_token(
    server: LoopbackServer, client: ClientSession
) -> None:
    async with client.get(server.url_of(server.observer)) as answer:
        page = await answer.text()
        assert server.observer.token in page
        assert server.candidate.token not in page + str(answer.headers) + str(answer.url)


async def test_observers_cannot_keep_the_candidate_out(server: LoopbackServer, client: ClientSession) -> None:
    views = [await observer_tab(client, server, f"{number:016x}") for number in range(TABS_MAX)]
    assert [await view.receive_bytes() for view in views] == [b"observer "] * TABS_MAX
    with pytest.raises(WSServerHandshakeError):
        await observer_tab(client, server, "f" * 16)
    candidate = await opened(client, address(server), NAME)
    assert await candidate.receive_bytes() == b"candidate "


@pytest.mark.parametrize("end", ["%2F", "%2Fx", "x"])
async def test_a_token_with_something_behind_it_is_refused_or_leads_nowhere(
    server: LoopbackServer, client: ClientSession, end: str
) -> None:
    for endpoint in (server.candidate, server.observer):
        wanted = URL(f"http://127.0.0.1:{server.port}/{endpoint.token}{end}/tab/{NAME}", encoded=True)
        async with client.get(wanted, allow_redirects=False) as answer:
            assert answer.status in {403, 404, 200}
            text = await answer.text()
        other = server.observer if endpoint is server.candidate else server.candidate
        assert other.token not in text


def live(context: AppContext) -> tuple[Interview, str]:
    interview = new_interview(context, PlanRequest(questions=("ppo_clipping",)), seed=1)
    interview.go_live()
    assert interview.live
    return interview, interview.live.token


def test_a_reloaded_candidate_stays_open_to_the_same_observers() -> None:
    folders = find_folders()
    with AppContext(load_settings(folders, os.environ, {}), folders) as context:
        interview, token = live(context)
        again = _open(context, f"{interview.session.id} {token}")
        assert again is not None
        assert context.log.notes.session_of(token) == interview.session.id
        alone = _open(context, interview.session.id)
        assert alone is not None
        assert alone.live is None
        assert _open(context, "gone token") is None


@pytest.mark.slow
@pytest.mark.expectation(number=67)
async def test_the_apps_keep_the_token_so_that_reloads_rejoin(
    client: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERVIEWER_SANDBOX", "process")
    folders = find_folders()
    with AppContext(load_settings(folders, os.environ, {}), folders) as context:
        interview, token = live(context)
        async with serving(APP, OBSERVER_APP) as server:
            server.candidate.kept[NAME] = f"{interview.session.id} {token}"
            server.observer.kept[NAME] = f"{token} ada"
            candidate = await opened(client, address(server), NAME)
            await candidate.receive_bytes()
            await until(lambda: token_holds(context, token), "the session to be open again")
            observer = await observer_tab(client, server)
            await observer.receive_bytes()
            live_session = interview.live
            assert live_session
            await until(lambda: context.log.notes.present(interview.session.id, live_session.wall()) == ["ada"], "ada")
            await observer.close()
            await until(lambda: not server.observer.tabs, "the tab to end")
            await until(lambda: not context.log.notes.present(interview.session.id, live_session.wall()), "ada gone")
            assert server.observer.kept[NAME] == f"{token} ada"
            assert server.candidate.kept[NAME] == f"{interview.session.id} {token}"


def token_holds(context: AppContext, token: str) -> bool:
    return context.log.notes.session_of(token) != ""
