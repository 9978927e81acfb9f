"""Each symptom is true of outputs made for it and silent on others; unseen programs get no false name."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import torch

from graders.compare import Expected, expected_output
from graders.diagnose import evidence_of
from graders.grade import Prepared, explain, prepare
from graders.outcomes import Truncation, judge
from graders.plan import Plan, Setting, make_plan
from graders.reference import run_trusted
from graders.symptoms import (
    KINDS,
    Clause,
    Failing,
    choose_clause,
    clauses_of,
    facts_of,
    rank_clause,
    shared_facts,
    variants_of,
)
from graders.verdict import Diagnosis, Symptom, Verdict
from graders.wire import Record
from tasks.load import find_task
from tasks.task import Case, PerRank, Tolerance

SEED = 7
VALUES = torch.tensor([0.5, 1.5, -2.0, 4.0])
MASK = torch.tensor([True, False, True, True])
TOLERANCES = {"float32": Tolerance(1e-5, 1e-5)}


def failing(got: Any, right: Any = VALUES, args: Mapping[str, Any] | None = None, **more: Any) -> Failing:
    """Return a failing run with one output, x."""
    given = dict(args or {})
    record = more.pop("record", Record(0, "ok", {"x": got}))
    expected = more.pop("expected", Expected({"x": expected_output(right)}, {}))
    return Failing(expected, record, given, Case("drawn", given), TOLERANCES, **more)


def clauses(name: str, run: Failing) -> list[str]:
    kind = next(kind for kind in KINDS if kind.id == name)
    return [clause.says for clause in kind.find(run)]


def shared_clauses(name: str, *runs: Failing) -> list[str]:
    """Return the clauses of one kind that hold in several cases, one for each run."""
    kind = next(kind for kind in KINDS if kind.id == name)
    clauses = clauses_of(kind, {str(place): [run] for place, run in enumerate(runs)})
    chosen = choose_clause(clauses, len(runs), kind.share)
    return [chosen[0].says] if chosen else []


def with_gradient(gradient: torch.Tensor | None, right: torch.Tensor = VALUES, **more: Any) -> Failing:
    """Return a run with a right output and this gradient of y."""
    record = Record(0, "ok", {"x": VALUES}, {"y": gradient})
    return failing(
        VALUES, record=record, expected=Expected({"x": expected_output(VALUES)}, {"y": expected_output(right)}), **more
    )


NEAR = (VALUES * 1.0003).to(torch.bfloat16)
OUTPUTS = [
    (
        "wrong_dtype",
        VALUES.double(),
        {},
        "`x` has the right values but is a tensor float64 instead of a tensor float32",
    ),
    ("wrong_dtype", NEAR, {}, "`x` is a tensor bfloat16 instead of a tensor float32; its values are nearly right"),
    ("wrong_shape", VALUES[None], {}, "`x` has the right values in the wrong shape"),
    ("negated", -VALUES, {}, "`x` is the expected value with the opposite sign"),
    ("scaled", VALUES / 2, {}, "`x` is 1/2 times what is expected"),
    ("scaled", VALUES * math.log(2), {}, "`x` is ln 2 times what is expected"),
    ("scaled", VALUES * 1.7, {}, "`x` is 1.7 times what is expected"),
    ("scaled", VALUES * 4 / 3, {"y": VALUES}, "`x` is n/(n - 1) (n: dimension 0 of `y`) times what is expected"),
    ("scaled", VALUES * 3, {"mask": MASK}, "`x` is the number of True values in `mask` times what is expected"),
    (
        "scaled",
        VALUES * torch.tensor([1.5, 1.5, 1.5, 1.0]),
        {"group_id": torch.tensor([3, 3, 3, 9])},
        "`x` is n/(n - 1) (n: size of the group in `group_id`; the factor is 1 if n is 1) times what is expected",
    ),
    (
        "shifted",
        VALUES.roll(-1),
        {},
        "`x` is shifted by one along dimension 0: position t holds what is expected at t + 1",
    ),
    ("reversed", VALUES.flip(0), {}, "`x` is reversed along dimension 0"),
    ("reordered", VALUES[torch.tensor([2, 0, 3, 1])], {}, "`x` contains the expected values in a different order"),
    ("function_of", VALUES.abs(), {}, "`x` is the absolute value of the expected value"),
    ("constant", VALUES * 0, {}, "`x` is 0 everywhere"),
    ("constant", VALUES * 0 + 2.5, {}, "`x` has the same value everywhere"),
    ("constant", VALUES * math.nan, {}, "`x` is NaN everywhere"),
    ("offset", VALUES + 0.25, {}, "`x` minus the expected value is constant everywhere"),
    (
        "offset",
        VALUES + torch.tensor([1.0, 1.0, 2.0, 2.0]),
        {"group_id": torch.tensor([0, 0, 1, 1])},
        "`x` minus the expected value is constant for each value of `group_id`",
    ),
    (
        "uneven_factor",
        VALUES * torch.tensor([3.0, 3.0, 5.0, 5.0]),
        {"group_id": torch.tensor([0, 0, 1, 1])},
        "`x` divided by the expected value is constant for each value of `group_id`",
    ),
    ("only_where", torch.where(MASK, VALUES, 9.0), {"mask": MASK}, "`x` is wrong only where `mask` is False"),
    (
        "only_where",
        VALUES + torch.tensor([0.0, 0.0, 0.0, 1.0]),
        {},
        "`x` is wrong only where the position is the last one along dimension 0",
    ),
    ("wrong_shape", VALUES[:3], {}, "`x` is one position shorter than expected along dimension 0"),
    ("everywhere", VALUES + torch.tensor([0.1, -0.2, 0.4, 0.3]), {}, "`x` is wrong at every position"),
    ("only_where", VALUES.clamp(-1.8, 1.8), {}, "`x` is wrong only where the expected magnitude is large"),
    (
        "one_sided",
        VALUES * torch.tensor([1.1, 1.0, 1.2, 1.3]),
        {},
        "`x` has wrong values, and all of them are too large in magnitude",
    ),
    (
        "one_sided",
        VALUES + torch.tensor([0.1, 2.0, 0.3, 0.0]),
        {},
        "`x` has wrong values, and all of them are too large",
    ),
]


@pytest.mark.parametrize(("name", "got", "args", "says"), OUTPUTS)
def test_a_symptom_of_the_outputs_is_stated(name: str, got: torch.Tensor, args: dict[str, Any], says: str) -> None:
    assert says in clauses(name, failing(got, args=args))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_a_symptom_says_nothing_about_noise(kind: Any) -> None:
    if kind.id == "everywhere":
        pytest.skip("noise is wrong at every position")
    noise = VALUES + torch.tensor([0.37, -1.21, 2.93, -0.11])
    assert list(kind.find(failing(noise, args={"mask": MASK, "y": VALUES}))) == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_a_symptom_says_nothing_about_right_outputs(kind: Any) -> None:
    assert list(kind.find(failing(VALUES, args={"mask": MASK}))) == []
    assert list(kind.find(with_gradient(VALUES, cotangent=0.25))) == []


ROWS = VALUES.repeat(3, 1)
COINCIDENCES = {
    "neighbors are equal": ("shifted", failing(ROWS + torch.tensor([[0.0], [0.0], [1.0]]), ROWS)),
    "errors around 0": ("offset", failing(VALUES + 4e-5 * torch.tensor([1, -1, 1, -1]), VALUES)),
    "nearly 1": ("scaled", failing(VALUES * 1.00003)),
    "every wrong bool": ("function_of", failing(~MASK, MASK)),
    "infinity": ("wrong_dtype", failing(torch.tensor([5.0]).bfloat16(), torch.tensor([math.inf]))),
}


@pytest.mark.parametrize("reason", COINCIDENCES)
def test_a_coincidence_is_not_stated(reason: str) -> None:
    name, run = COINCIDENCES[reason]
    assert clauses(name, run) == []


def test_a_factor_that_is_nearly_a_size_is_only_a_number() -> None:
    run = failing(VALUES * 4.0003, args={"y": torch.ones(4)})
    assert clauses("scaled", run) == ["`x` is 4 times what is expected"]


def test_a_function_of_one_number_is_no_evidence() -> None:
    def logarithm(right: float) -> Failing:
        return failing(torch.tensor(math.log(right)), torch.tensor(right))

    assert shared_clauses("function_of", logarithm(1.0)) == []
    assert shared_clauses("function_of", logarithm(1.0), logarithm(1.0)) == []
    says = ["`x` is the logarithm of the expected value"]
    assert shared_clauses("function_of", logarithm(1.0), logarithm(3.0)) == says


def test_one_number_in_the_place_of_another_is_no_evidence() -> None:
    def swapped(right: float) -> Failing:
        expected = Expected({"x": expected_output(VALUES), "y": expected_output(torch.full((2,), right))}, {})
        got = {"x": torch.full((2,), right), "y": torch.full((2,), right)}
        return failing(None, record=Record(0, "ok", got), expected=expected)

    assert shared_clauses("wrong_output", swapped(0.0), swapped(0.0)) == []
    assert shared_clauses("wrong_output", swapped(0.0), swapped(0.5)) == ["`x` contains the expected value of `y`"]


def test_low_precision_is_stated_of_values_that_bfloat16_holds() -> None:
    right = VALUES * 1.0003
    run = failing(right.to(torch.bfloat16).float(), right)
    assert clauses("low_precision", run)[0].endswith("exactly representable in bfloat16")


def test_an_output_in_the_place_of_another_is_stated() -> None:
    expected = Expected({"x": expected_output(VALUES), "y": expected_output(VALUES + 1)}, {})
    run = failing(None, record=Record(0, "ok", {"x": VALUES + 1, "y": VALUES + 1}), expected=expected)
    assert clauses("wrong_output", run) == ["`x` contains the expected value of `y`"]
    assert clauses("one_output", run) == ["`x` is wrong, and `y` is right"]
    of_other_dtype = Record(0, "ok", {"x": VALUES + 1, "y": (VALUES + 1).double()})
    assert clauses("one_output", failing(None, record=of_other_dtype, expected=expected)) == []


GRADIENTS = [
    ("gradient_negated", -VALUES, "has the opposite sign"),
    ("gradient_scaled", 2 * VALUES, "the gradient of `y` is 2 times what is expected"),
    ("upstream_ignored", 4 * VALUES, "the gradient of `y` ignores its upstream gradient"),
    ("no_gradient", None, "no gradient reaches `y`"),
    ("no_gradient", 0 * VALUES, "the gradient of `y` is zero everywhere"),
    ("gradient_only", VALUES.flip(0), "all outputs are right, but the gradient of `y` is wrong"),
]


@pytest.mark.parametrize(("name", "gradient", "says"), GRADIENTS)
def test_a_symptom_of_the_gradient_is_stated(name: str, gradient: torch.Tensor | None, says: str) -> None:
    assert clauses(name, with_gradient(gradient, cotangent=0.25))[0].endswith(says)


def test_a_gradient_that_fits_one_upstream_gradient_by_coincidence_is_only_scaled() -> None:
    same = [with_gradient(2 * VALUES, cotangent=0.5) for _ in range(2)]
    assert shared_clauses("upstream_ignored", *same) == []
    assert shared_clauses("gradient_scaled", *same) == ["the gradient of `y` is 2 times what is expected"]
    other = with_gradient(4 * VALUES, cotangent=0.25)
    assert len(shared_clauses("upstream_ignored", *same, other)) == 1
    assert shared_clauses("upstream_ignored", *same, other, with_gradient(3 * VALUES, cotangent=0.125)) == []


def test_a_backward_pass_that_fails_does_not_show_where_the_graph_ends() -> None:
    run = with_gradient(None)
    failed = replace(run, got=replace(run.got, complaint="RuntimeError: modified by an inplace operation"))
    assert len(clauses("no_gradient", run)) == 1
    assert clauses("no_gradient", failed) == []


def test_outputs_are_not_right_beside_an_output_that_is_not_expected() -> None:
    run = with_gradient(VALUES.flip(0))
    others = replace(run, got=replace(run.got, leaves={**run.got.leaves, "z": VALUES}))
    assert len(clauses("gradient_only", run)) == 1
    assert clauses("gradient_only", others) == []


def test_a_gradient_where_none_may_be_and_a_kept_graph_are_stated() -> None:
    record = Record(0, "ok", {"x": VALUES}, {"adv": VALUES}, attached=("x",))
    expected = Expected({"x": expected_output(VALUES)}, {}, constants=("adv",), detached=("x",))
    assert clauses("leaking_gradient", failing(VALUES, record=record, expected=expected)) == [
        "the outputs are right, but a gradient reaches `adv`, which must receive none",
        "the values are right, but `x` is still attached to the graph",
    ]


def test_an_ignored_argument_is_stated() -> None:
    got = VALUES.flip(0)
    run = failing(got, variants={"`mask` is True everywhere": Record(0, "ok", {"x": got})})
    assert clauses("as_if", run) == ["`x` is what is expected when `mask` is True everywhere"]
    assert clauses("as_if", failing(VALUES + 3, variants=run.variants)) == []


def test_the_variants_change_one_argument_or_swap_two() -> None:
    args = {"mask": MASK, "low": 0.1, "high": 0.2, "scale": "none", "group_id": torch.tensor([1, 2])}
    changes = dict(variants_of(args, {"scale": "std", "unbiased": True}))
    assert set(changes) == {
        "`mask` is True everywhere",
        "`mask` is False everywhere",
        "`low` and `high` are swapped",
        "`scale` keeps its default 'std'",
        "`unbiased` is flipped",
        "`group_id` is the same value everywhere",
    }
    assert changes["`low` and `high` are swapped"]["low"] == 0.2
    assert changes["`unbiased` is flipped"]["unbiased"] is False


def test_a_right_rank_0_is_stated() -> None:
    assert rank_clause([True, False, False]) == "rank 0 passes, and every other rank fails"
    assert rank_clause([False, True]) == "rank 0 fails, and every other rank passes"
    assert rank_clause([True, False, True]) == rank_clause([False, False]) == rank_clause([False]) == ""


def test_the_facts_of_inputs() -> None:
    mask = torch.tensor([[True, True], [False, False]])
    case = Case("drawn", {"terminated": mask, "truncated": mask, "group_id": torch.tensor([-4, 2, 2]), "dual_c": 3.0})
    facts = list(facts_of(case, {"dual_c": None, "reduction": "token"}))
    assert facts[0] == "`terminated` and `truncated` are True at the same position"
    assert {"a row of `terminated` has no True value", "a value of `group_id` occurs only once"} <= set(facts)
    assert {"`group_id` contains a negative number", "`dual_c` is given", "`reduction` is 'token'"} <= set(facts)


NEGATIVE, POSITIVE = torch.tensor([-1, 5, 5]), torch.tensor([1, 5, 5])
# The arguments of a failing case and of a passing case, and a fact that holds in both, or on only some of the ranks.
NOT_SHARED = [
    ({"ids": torch.tensor([1, 1, 2])}, {"ids": torch.tensor([1, 2, 3])}, "a value of `ids` occurs only once"),
    (
        {"mask": torch.tensor([[True, False], [False, False]])},
        {"mask": torch.tensor([[False, False], [False, False]])},
        "a row of `mask` has no True value",
    ),
    ({"eps": 0.3}, {"eps": 0.0}, "`eps` differs from its default"),
    ({"eps": 0.3}, {"eps": None}, "`eps` differs from its default"),
    ({"cap": 0.3}, {"cap": "auto"}, "`cap` is given"),
    ({"x": torch.zeros(3)}, {"x": torch.zeros(1)}, "all values of `x` are equal"),
    (
        {"ids": PerRank((NEGATIVE, POSITIVE))},
        {"ids": PerRank((POSITIVE, POSITIVE))},
        "`ids` contains a negative number",
    ),
    (
        {"ids": PerRank((NEGATIVE, NEGATIVE))},
        {"ids": PerRank((POSITIVE, NEGATIVE))},
        "`ids` contains a negative number",
    ),
]


@pytest.mark.parametrize(("failing_args", "passing_args", "fact"), NOT_SHARED)
def test_a_fact_of_a_passing_case_does_not_explain_the_failing_ones(
    failing_args: dict[str, Any], passing_args: dict[str, Any], fact: str
) -> None:
    task = replace(find_task("gae"), signature="gae(x=1, ids=1, mask=None, eps=0.2, cap=None)")
    world = 2 if any(isinstance(value, PerRank) for value in failing_args.values()) else 1
    cases = Case("failing", failing_args, world=world), Case("passing", passing_args, world=world)
    assert fact in facts_of(cases[0], {"eps": 0.2, "cap": None})
    assert fact not in shared_facts(Plan(task, SEED, cases, (), None), {"failing"})


def test_a_number_gives_way_to_the_one_name_that_explains_it() -> None:
    number, by_rows, by_columns = Clause("4 times", is_number=True), Clause("B times"), Clause("T times")
    both = {"a", "b"}
    assert choose_clause({number: both, by_rows: both}, 2, 0.5) == (by_rows, both)
    assert choose_clause({number: both, by_rows: both, by_columns: both}, 2, 0.5) == (number, both)
    assert choose_clause({number: {"a"}, by_rows: both, by_columns: {"a"}}, 2, 0.5) == (by_rows, both)
    assert choose_clause({number: {"a"}}, 4, 0.5) is None
    assert choose_clause({Clause("1.7 times", cases_min=2): {"a"}}, 1, 0.5) is None


# --- Programs that are not on file -----------------------------------------------------------------------------------

_PREPARED: dict[str, Prepared] = {}
PPO_END = "return loss, clipfrac, approx_kl"
GAE_END = "return adv, adv + values"
GROUP_END = "return advantages"
UNSEEN = [
    ("ppo_clip_loss", "ratio.clamp(1 - eps_low, 1 + eps_high)", "ratio", "constant", "`clipfrac` is 0"),
    ("ppo_clip_loss", PPO_END, "return -loss, clipfrac, approx_kl", "negated", "`loss` is the expected value with"),
    ("ppo_clip_loss", PPO_END, "return loss.double(), clipfrac, approx_kl", "wrong_dtype", "`loss` has the right"),
    ("ppo_clip_loss", "if dual_c is not None", "if False", "as_if", "`dual_c` keeps its default None"),
    ("ppo_clip_loss", PPO_END, "return loss, approx_kl, clipfrac", "wrong_output", "`clipfrac` contains the"),
    ("ppo_clip_loss", "per_token.sum() / tokens", "per_token.sum()", "scaled", "number of True values in `mask` times"),
    ("ppo_clip_loss", "old_logp.detach()", "old_logp", "leaking_gradient", "a gradient reaches `old_logp`"),
    ("gae", "deltas = rewards", "deltas = rewards.bfloat16()", None, ""),
    ("gae", GAE_END, "return -adv, adv + values", "negated", "`adv` is the expected value with"),
    ("gae", GAE_END, "return adv, adv", "wrong_output", "`targets` contains the expected value of `adv`"),
    ("gae", GAE_END, "return adv.double(), adv + values", "wrong_dtype", "tensor float64"),
    ("gae", GAE_END, "return adv.flip(0), adv + values", "reversed", "along dimension 0"),
    ("group_advantage", GROUP_END, "return -advantages", "negated", "`adv` is the expected value with"),
    ("group_advantage", GROUP_END, "return advantages.half()", "wrong_dtype", "`adv` is a tensor float16"),
    (
        "group_advantage",
        GROUP_END,
        "return advantages.bfloat16().float()",
        "low_precision",
        "representable in bfloat16",
    ),
    (
        "group_advantage",
        "is_member = group_id == group",
        "is_member = group_id == group_id",
        "as_if",
        "the same value",
    ),
    ("group_advantage", "int(unbiased)", "int(not unbiased)", "as_if", "`unbiased` is flipped"),
    ("group_advantage", "own.mean()", "own.median()", "offset", "for each value of `group_id`"),
]
# Known mistakes that equal some of these programs: without them, the programs are unseen.
LEFT_OUT = {
    "ppo_clip_loss": {"sign_lost", "dual_clip_ignored", "old_keeps_gradient"},
    "gae": {"sign_flipped"},
    "group_advantage": {"sign_flipped", "unbiased_inverted"},
}


def explained(
    task_id: str, program: str, left_out: frozenset[str] = frozenset()
) -> tuple[Diagnosis | None, tuple[Symptom, ...]]:
    """Return what is reported about a program, using the same code as after a grade; it runs on the trusted side."""
    task = find_task(task_id)
    assert left_out <= {mistake.id for mistake in task.mistakes}
    if task_id not in _PREPARED:
        _PREPARED[task_id] = prepare(make_plan(task, SEED))
    plan, rights, mistakes = _PREPARED[task_id]
    kept = tuple(mistake for mistake in task.mistakes if mistake.id not in left_out)
    plan = replace(plan, task=replace(task, mistakes=kept))
    records = run_trusted(plan, plan.runs, program, Setting())
    outcomes = [judged.outcome for judged in judge(plan, rights, records, Truncation(Verdict.TIMED_OUT, "was not run"))]
    assert {outcome.verdict for outcome in outcomes} != {Verdict.PASSED}
    return explain(plan, evidence_of(plan, rights, records, outcomes), mistakes.run)


@pytest.mark.parametrize(("task_id", "old", "new", "name", "says"), UNSEEN)
def test_a_program_that_is_not_on_file_gets_no_name_but_its_symptom(
    task_id: str, old: str, new: str, name: str | None, says: str
) -> None:
    reference = find_task(task_id).reference
    assert reference.count(old) == 1
    mistake, symptoms = explained(task_id, reference.replace(old, new), frozenset(LEFT_OUT[task_id]))
    assert mistake is None
    assert len(symptoms) <= 2
    if name:
        assert symptoms[0].id == name
        assert says in symptoms[0].says
        assert symptoms[0].ask.endswith("?")


def test_a_symptom_says_in_which_cases_it_holds() -> None:
    reference = find_task("ppo_clip_loss").reference
    program = reference.replace(PPO_END, 'return (-loss if reduction == "token" else 3 * loss), clipfrac, approx_kl')
    negated = [symptom for symptom in explained("ppo_clip_loss", program)[1] if symptom.id == "negated"]
    assert [bool(re.match(r"In \d+ of \d+ failing cases", symptom.says)) for symptom in negated] == [True]


def test_a_ratio_without_a_gradient_has_its_own_name() -> None:
    reference = find_task("ppo_clip_loss").reference
    mistake, symptoms = explained("ppo_clip_loss", reference.replace("log_ratio.exp()", "log_ratio.exp().detach()"))
    assert mistake is not None
    assert (mistake.id, mistake.is_exact, symptoms) == ("ratio_detached", True, ())
