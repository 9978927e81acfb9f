"""The usage of a session over all its runs, and the cap that stops it between two calls."""

from __future__ import annotations

import pytest

from interviewer.chat.model import Usage
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Budget, Cap, Payments

PRICED = Usage(2, 1_000, 100, 0.5)
UNPRICED = Usage(3, 400, 50)


class Metered(ScriptedModel):
    """A model that reports this usage."""

    def __init__(self, used: Usage) -> None:
        super().__init__()
        self.used = used

    @property
    def usage(self) -> Usage:
        return self.used


def test_usage_adds_up_and_an_unknown_price_stays_unknown() -> None:
    assert PRICED.plus(PRICED) == Usage(4, 2_000, 200, 1.0)
    assert PRICED.plus(UNPRICED) == Usage(5, 1_400, 150, None, 0.5)
    assert str(PRICED.plus(UNPRICED)).endswith("at least 0.5000 USD, some prices unknown")
    assert Usage().plus(PRICED) == PRICED == PRICED.plus(Usage())
    assert PRICED.plus(PRICED).since(PRICED) == PRICED
    assert PRICED.since(Usage()) == PRICED
    assert UNPRICED.since(Usage()) == UNPRICED
    assert PRICED.plus(UNPRICED).plus(PRICED).since(PRICED.plus(UNPRICED)).known_usd == 0.5
    assert Usage().plus(Usage()) == Usage()


def test_what_other_sessions_used_is_not_this_ones() -> None:
    model = Metered(PRICED)
    budget = Budget(model, Cap(usd=0.4), Payments())
    assert budget.used.calls == 0
    assert budget.session_cap_reason() == ""
    model.used = PRICED.plus(PRICED)
    assert budget.used == PRICED
    assert budget.session_cap_reason().startswith("the session's cap of 0.4 USD has been reached (2 calls, ")


def test_an_earlier_run_of_the_session_counts() -> None:
    kept: list[str] = [""]
    model = Metered(Usage())
    budget = Budget(model, Cap(usd=0.8), Payments("", lambda text: kept.__setitem__(0, text)))
    model.used = PRICED
    budget.keep()
    assert budget.session_cap_reason() == ""
    again = Budget(Metered(Usage()), Cap(usd=0.8), Payments(kept[0]))
    assert again.used == PRICED
    assert again.session_cap_reason() == ""
    third = Budget(Metered(Usage()), Cap(usd=0.5), Payments(kept[0]))
    assert "0.5 USD" in third.session_cap_reason()


def test_what_is_paid_after_a_call_without_a_price_counts_toward_both_caps() -> None:
    kept: list[str] = [""]
    first = Metered(Usage())
    budget = Budget(first, Cap(), Payments("", lambda text: kept.__setitem__(0, text)))
    first.used = UNPRICED
    budget.keep()
    for cap in (Cap(usd=0.5), Cap(month_usd=0.5)):
        model = Metered(Usage())
        again = Budget(model, cap, Payments(kept[0]))
        assert again.session_cap_reason() == ""
        model.used = PRICED
        assert "cap of 0.5 USD" in again.session_cap_reason()


@pytest.mark.parametrize(
    ("used", "cap", "is_over"),
    [
        (UNPRICED, Cap(usd=0.001, tokens=451), False),
        (UNPRICED, Cap(usd=0.001, tokens=450), True),
        (UNPRICED, Cap(usd=0.001), False),
        (PRICED, Cap(usd=0.6, tokens=1), False),
        (PRICED, Cap(usd=0.5, tokens=1), True),
        (PRICED, Cap(), False),
        (PRICED.plus(UNPRICED), Cap(usd=0.5), True),
        (PRICED.plus(UNPRICED), Cap(usd=0.6, tokens=1_550), True),
    ],
)
def test_dollars_count_where_a_price_is_known_and_tokens_elsewhere(used: Usage, cap: Cap, is_over: bool) -> None:
    model = Metered(Usage())
    budget = Budget(model, cap, Payments())
    model.used = used
    assert bool(budget.session_cap_reason()) is is_over


def test_nothing_is_kept_when_nothing_was_used() -> None:
    kept: list[str] = []
    budget = Budget(ScriptedModel(), Cap(), Payments("", kept.append))
    budget.keep()
    assert kept == []
    assert Budget(None, Cap(1.0, 1), Payments()).session_cap_reason() == ""
