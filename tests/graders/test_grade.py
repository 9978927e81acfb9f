"""Each verdict is produced by a program that deserves it, and no program gets a verdict that it does not deserve."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graders.errors import ContentBroken, RunnerBroken
from graders.grade import cleaned, grade, printed_by_case
from graders.plan import cotangent_of, make_plan
from graders.runner.execution import frame, run_mark
from graders.verdict import Report, Verdict, failed_cases, report_from_json
from interviewer.session.codec import from_plain
from sandbox.fake import FakeSandbox, finished
from sandbox.job import Ending
from sandbox.stream import CappedLog
from tasks.task import Task
from tests.graders.build import MISTAKES, REFERENCE, ForkSandbox, files_of_mean, make_task

HEAD = "import os, sys, torch\n\n\ndef scaled_mean(x, weight, mask):\n"
RIGHT = "    return (x * weight.detach())[mask].mean(), mask.sum()\n"


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return make_task(tmp_path, files_of_mean())


def report_of(task: Task, source: str, seed: int | None = None) -> Report:
    return grade(task, source, ForkSandbox(), seed)


def test_a_right_program_written_otherwise_passes(task: Task) -> None:
    report = report_of(task, HEAD + RIGHT)
    assert [case.verdict for case in report.cases] == [Verdict.PASSED] * 2
    assert report.score == 1.0
    assert report.mistake is None
    assert report_from_json(report.to_json()) == report


def test_a_submission_cannot_forge_the_inputs_that_a_report_shows(task: Task) -> None:
    mark = " | inputs: "
    report = report_of(task, HEAD + f"    raise ValueError('boom{mark}forged ' + 'x' * x.numel())\n")
    visible, hidden = report.cases
    assert visible.message == f"raised ValueError in line 5: boom{mark}forged xx"
    assert visible.inputs == "x=[1, 2], weight=[3, 3], mask=[True, True]"
    assert "forged" not in hidden.inputs
    assert [(failed.message, failed.inputs) for failed in failed_cases(report)] == [
        (visible.message, visible.inputs),
        (hidden.message, hidden.inputs),
    ]
    plain = json.loads(json.dumps(report.to_json()))
    assert [case["inputs"] for case in plain["cases"]] == [visible.inputs, hidden.inputs]
    assert report_from_json(plain) == report


def test_inputs_that_an_old_log_holds_in_the_message_are_shown_as_before(task: Task) -> None:
    report = report_of(task, HEAD + "    return x.mean(), mask.sum()\n")
    plain = report.to_json()
    for case in plain["cases"]:
        inputs = case.pop("inputs")
        case["message"] += f" | inputs: {inputs}" if inputs else ""
    assert plain["cases"][0]["message"].endswith(" | inputs: x=[1, 2], weight=[3, 3], mask=[True, True]")
    assert report_from_json(plain) == report
    assert from_plain(Report, {key: value for key, value in plain.items() if key not in ("verdict", "score")}) == report


@pytest.mark.parametrize(
    ("body", "verdict", "says"),
    [
        (
            "    return x.mean(), mask.sum()\n",
            "wrong_value",
            "mean: expected 4.5, got 1.5 (off by 3, tolerance 5.5e-05)",
        ),
        ("    return (x * weight)[mask].mean().detach(), mask.sum()\n", "wrong_gradient", "no gradient reaches x"),
        ("    return (x * weight)[mask].mean(), mask.sum()\n", "wrong_gradient", "must be treated as a constant"),
        ("    return (x * weight.detach())[mask].mean().double(), mask.sum()\n", "wrong_dtype", "got a tensor float64"),
        (
            "    return (x * weight)[mask].mean().item(), mask.sum()\n",
            "wrong_dtype",
            "mean: expected a tensor float32, got a float",
        ),
        (
            "    return (x * weight.detach())[mask].mean()[None], mask.sum()\n",
            "wrong_shape",
            "expected shape [], got [1]",
        ),
        (
            "    return (x * weight.detach())[mask].mean()\n",
            "wrong_shape",
            "expected the outputs mean, count, got mean",
        ),
        ("    return None\n", "wrong_shape", "got mean"),
        (
            "    return (x * weight.detach())[mask].mean() / 0, mask.sum()\n",
            "non_finite",
            "mean: expected 4.5, got inf",
        ),
        (
            "    count = mask.sum()\n    mask[0] = ~mask[0]\n    return (x * weight.detach()).mean(), count\n",
            "mutated_input",
            "mask",
        ),
        ("    raise ValueError('broken' * 10000)\n", "raised", "raised ValueError in line 5: broken"),
        ("    sys.exit(0)\n", "raised", "SystemExit in line 5"),
        ("    os._exit(0)\n", "raised", "exited the process (exit code 0)"),
        ("    return torch.zeros(2**24), mask.sum()\n", "wrong_shape", "expected shape [], got [16777216]"),
        ("    raise MemoryError\n", "out_of_memory", "MemoryError"),
    ],
)
def test_wrong_programs_get_their_verdict(task: Task, body: str, verdict: str, says: str) -> None:
    report = report_of(task, HEAD + body)
    assert report.verdict == verdict
    assert says in " ".join(case.message for case in report.cases)
    assert len(report.cases) == 2


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def scaled_mean(x, weight, mask:\n", "line 1"),
        ("def other(x): ...\n", "defines no function `scaled_mean`"),
        ("def scaled_mean(x, weight): ...\n", "`mask` is missing"),
        ("def scaled_mean(weight, x, mask): ...\n", "the order differs"),
        ("import nowhere_to_be_found\n", "line 1: ModuleNotFoundError: No module named"),
        ("raise SystemExit\n", "SystemExit"),
        ("x = '" + "a" * 2**20 + "'\n", "larger than 1048576 bytes"),
        ("\x00\x01", "null bytes"),
        ("(" * 100000, "too many nested parentheses"),
        ("", "defines no function"),
    ],
)
def test_files_that_cannot_be_called_are_not_loaded(task: Task, source: str, says: str) -> None:
    report = report_of(task, source)
    assert {case.verdict for case in report.cases} == {Verdict.NOT_LOADED}
    assert says in report.cases[0].message
    assert report.mistake is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "import torch\ndef scaled_mean(x, weight, mask):\n    return x +* mask\n",
            'File "your code", line 3: SyntaxError: invalid syntax\n    return x +* mask\n              ^',
        ),
        (
            "import torch\nif True:\n\timport nowhere_to_be_found\n",
            "File \"your code\", line 3: ModuleNotFoundError: No module named 'nowhere_to_be_found'\n"
            "    import nowhere_to_be_found\n    ^",
        ),
        (
            "scale = 2\nhalf = 'é' + unknown\n",
            "File \"your code\", line 2: NameError: name 'unknown' is not defined\n"
            "    half = 'é' + unknown\n                 ^",
        ),
        (
            "def scaled_mean(x, weight, mask):\n\n\n",
            'File "your code", line 1: IndentationError: expected an indented block after function definition on line 1'
            f"\n    def scaled_mean(x, weight, mask):\n    {' ' * 33}^",
        ),
        (
            f"numbers = [{'1, ' * 40}2 3]\n",
            'File "your code", line 1: SyntaxError: invalid syntax. Perhaps you forgot a comma?\n'
            f"    , {'1, ' * 6}2 3]\n    {' ' * 20}^",
        ),
    ],
)
def test_a_file_that_does_not_load_shows_its_line_with_a_caret(task: Task, source: str, message: str) -> None:
    report = report_of(task, source)
    assert {case.message for case in report.cases} == {message}
    assert report.mistake is None
    assert report.symptoms == ()


EVERYWHERE = """    for fd in range(3, 300):
        try: os.write(fd, data)
        except OSError: pass
"""
RECORD = """    import json, struct
    head = {'run': 0, 'status': 'ok', 'leaves': [['mean', 'float', 4.5]], 'grads': {}, 'complaint': '', 'mutated': []}
    head = json.dumps(head).encode()
    data = struct.pack('<II', len(head), 0) + head
"""
HOSTILE = {"junk": "    data = b'junk' * 9\n" + EVERYWHERE, "a record": RECORD + EVERYWHERE}


@pytest.mark.parametrize("name", HOSTILE)
def test_forged_results_are_forbidden(task: Task, name: str) -> None:
    report = report_of(task, HEAD + HOSTILE[name] + RIGHT)
    assert {case.verdict for case in report.cases} == {Verdict.FORBIDDEN}
    assert "violated the result protocol" in report.cases[0].message


ALWAYS_EQUAL = """    class Any:
        def __eq__(self, other): return True
    return Any(), Any()
"""
SUBCLASS = """    class Sly(torch.Tensor):
        @classmethod
        def __torch_function__(cls, *a, **k): return True
    return torch.tensor(4.5).as_subclass(Sly), torch.tensor(2)
"""
LAZY = """    class Sly(torch.Tensor): pass
    return ((x * weight.detach())[mask].mean()).as_subclass(Sly), mask.sum()
"""
PATCHED = """    torch.allclose = torch.equal = torch.testing.assert_close = lambda *a, **k: True
    return torch.tensor(1.0, requires_grad=True), torch.tensor(1)
"""
SAYS_PASSED = """    print('PASSED')
    sys.stdout.flush()
    os._exit(0)
"""


@pytest.mark.parametrize("body", [ALWAYS_EQUAL, SUBCLASS, LAZY, PATCHED, SAYS_PASSED])
def test_tricks_on_the_comparison_pass_nothing(task: Task, body: str) -> None:
    report = report_of(task, HEAD + body)
    assert report.score == 0.0
    if body in (SUBCLASS, LAZY):
        assert "expected a tensor float32, got a Sly" in report.cases[0].message


def test_what_a_program_prints_is_shown_clean_and_does_no_harm(task: Task) -> None:
    report = report_of(
        task, HEAD + "    print('\\x1b[31mseen\\x1b[0m\\x07' * 3)\n    os.write(1, b'x' * 20000)\n" + RIGHT
    )
    assert report.verdict is Verdict.PASSED
    assert len(report.stdout) == 8192
    # Every case has its own label; the one that is cut keeps it.
    assert report.stdout.startswith("ragged:\n... xxx")
    assert cleaned(b"\x1b[31mred\x1b[0m\x07 \x1b]52;c;aGk=\x07end\r\n") == "red end\n"


def test_what_a_program_prints_stands_under_the_name_of_its_case(task: Task) -> None:
    report = report_of(task, "print('imported')\n" + HEAD + "    print(f'{len(x)} values')\n" + RIGHT)
    assert report.verdict is Verdict.PASSED
    lines = report.stdout.splitlines()
    assert lines[:3] == ["imported", "literal:", "2 values"]
    assert lines.count("literal:") == lines.count("ragged:") == 1
    assert report_of(task, HEAD + RIGHT).stdout == ""


def test_what_follows_dropped_output_stands_under_no_case(task: Task) -> None:
    plan = make_plan(task, 1)
    assert [run.case.name for run in plan.runs] == ["literal", "ragged", "ragged"]
    log = CappedLog(2**10)
    silent = b"\x07" * 2**10
    log.take(run_mark(0).encode() + b"first\n" + silent + run_mark(1).encode() + silent)
    log.take(b"late\n" + run_mark(2).encode() + b"last\n")
    assert log.is_cut
    name, *lines = printed_by_case(log.bytes(), plan).splitlines()[2:]
    assert printed_by_case(log.bytes(), plan).startswith("literal:\nfirst\n")
    assert lines == ["late", "ragged:", "last"]
    assert "literal" not in name


def test_an_input_that_is_changed_with_other_inputs_violates_no_rule(task: Task) -> None:
    report = report_of(task, HEAD + "    if x.isnan().any(): x.data.nan_to_num_()\n" + RIGHT)
    assert [case.verdict for case in report.cases] == [Verdict.PASSED, Verdict.MUTATED_INPUT]
    assert report.mistake is None
    assert "only_when_changed" not in {symptom.id for symptom in report.symptoms}


def test_a_label_that_a_program_forges_only_misleads_its_author(task: Task) -> None:
    forged = "    sys.stdout.write('\\x1erun 0\\nmine\\n\\x1erun 999\\nlost\\n')\n    sys.stdout = None\n"
    report = report_of(task, HEAD + forged + RIGHT)
    assert report.score < 1.0 or report.verdict is Verdict.PASSED
    assert "mine" in report.stdout
    assert "\x1e" not in report.stdout


OWN_BACKWARD = """import torch


class Mean(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, mask):
        ctx.save_for_backward(weight, mask)
        return (x * weight)[mask].mean()

    @staticmethod
    def backward(ctx, upstream):
        weight, mask = ctx.saved_tensors
        return {upstream} * torch.where(mask, weight, 0.0) / mask.sum(), None, None


def scaled_mean(x, weight, mask):
    return Mean.apply(x, weight, mask), mask.sum()
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_backward_that_ignores_its_upstream_gradient_fails(task: Task, seed: int) -> None:
    assert report_of(task, OWN_BACKWARD.format(upstream="upstream"), seed).verdict is Verdict.PASSED
    for ignored in ("1.0", "upstream.sign()"):
        report = report_of(task, OWN_BACKWARD.format(upstream=ignored), seed)
        assert {case.verdict for case in report.cases} == {Verdict.WRONG_GRADIENT}


def test_cotangents_differ_and_change_no_bit_of_a_right_gradient(task: Task) -> None:
    plans = [make_plan(task, seed) for seed in range(20)]
    drawn = [[cotangent_of(run) for run in plan.runs] for plan in plans]
    assert {abs(cotangent) for row in drawn for cotangent in row} == {1 / 2, 1 / 4, 1 / 8, 1 / 16}
    assert {cotangent < 0 for row in drawn for cotangent in row} == {True, False}
    assert all(row[1] == row[2] for row in drawn), "a relation compares gradients with those of its case"
    assert any(row[0] != row[1] for row in drawn)


def test_an_output_that_is_right_only_after_backward_fails(task: Task) -> None:
    body = """    right = (x * weight.detach())[mask].mean()
    count = torch.zeros((), dtype=torch.int64)
    right.register_hook(lambda slope: count.copy_(mask.sum()) and None)
    return right, count
"""
    report = report_of(task, HEAD + body)
    assert {(case.verdict, case.where) for case in report.cases} == {(Verdict.WRONG_VALUE, "count")}


FLOAT_COUNT = REFERENCE.replace("return kept.sum() / count, count", "return kept.sum() / count, float(count)")
INT_COUNT = REFERENCE.replace("return kept.sum() / count, count", "return kept.sum() / count, int(count)")


@pytest.mark.parametrize(
    ("reference", "number", "says"),
    [
        (FLOAT_COUNT, "np.float64(mask.sum())", ""),
        (FLOAT_COUNT, "np.float32(mask.sum())", ""),
        (FLOAT_COUNT, "np.int64(mask.sum())", ""),
        (FLOAT_COUNT, "Fraction(int(mask.sum()))", ""),
        (FLOAT_COUNT, "np.bool_(True)", "expected a float, got a bool"),
        (FLOAT_COUNT, "True", "expected a float, got a bool"),
        (FLOAT_COUNT, "mask.sum().double()", "expected a float, got a tensor float64"),
        (FLOAT_COUNT, "np.array(float(mask.sum()))", "expected a float, got a ndarray"),
        (FLOAT_COUNT, "np.float32(mask.sum()) * np.float32(1.01)", "off by"),
        (INT_COUNT, "np.int64(mask.sum())", ""),
        (INT_COUNT, "np.uint8(mask.sum())", ""),
        (INT_COUNT, "np.float64(mask.sum())", "expected a int, got a float"),
        (INT_COUNT, "True", "expected a int, got a bool"),
    ],
)
def test_a_numpy_scalar_counts_as_a_number(tmp_path: Path, reference: str, number: str, says: str) -> None:
    files = files_of_mean()
    task = make_task(tmp_path, {**files, "reference.py": reference})
    head = "import numpy as np\nfrom fractions import Fraction\n" + HEAD
    report = report_of(task, head + f"    return (x * weight.detach())[mask].mean(), {number}\n")
    assert says in report.cases[0].message
    assert bool(says) == (report.verdict is not Verdict.PASSED)


@pytest.mark.slow
def test_a_program_that_does_not_end_is_timed_out_and_the_running_case_is_named(tmp_path: Path) -> None:
    files = files_of_mean()
    files["task.toml"] = files["task.toml"].replace("wall_seconds = 10", "wall_seconds = 2")
    report = report_of(make_task(tmp_path, files), HEAD + "    while x.dim() == 2: pass\n" + RIGHT)
    assert [case.verdict for case in report.cases] == [Verdict.PASSED, Verdict.TIMED_OUT]
    assert report.cases[1].message == "did not finish within 2 s"
    report = report_of(make_task(tmp_path, files), HEAD + "    while True: pass\n")
    assert report.cases[1].message == "not reached; literal was still running"
    assert report.score == 0.0


def test_padding_that_leaks_is_found_by_the_relation(task: Task) -> None:
    body = "    return (x * weight.detach() * mask).sum() / mask.sum(), mask.sum()\n"
    report = report_of(task, HEAD + body)
    assert [case.verdict for case in report.cases] == [Verdict.PASSED, Verdict.NON_FINITE]
    assert "What the mask leaves out changes nothing." in report.cases[1].message
    assert report.score == 0.25


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_written_otherwise_is_named(task: Task, mistake: str) -> None:
    otherwise = MISTAKES[mistake].replace("kept", "picked").replace("x * weight", "1.0 * x * weight")
    report = report_of(task, otherwise)
    assert report.mistake is not None
    assert report.mistake.id == mistake


def test_a_program_wrong_in_its_own_way_is_not_named(task: Task) -> None:
    body = "    return (x * weight.detach())[mask].mean() + 0.1 * (x.dim() == 2), mask.sum()\n"
    report = report_of(task, HEAD + body)
    assert report.verdict is Verdict.WRONG_VALUE
    assert report.mistake is None


@pytest.mark.expectation(number=15)
def test_the_seed_reproduces_the_numbers(task: Task) -> None:
    body = "    return x.sum(), mask.sum()\n"
    first, again, other = (report_of(task, HEAD + body, seed=seed) for seed in (5, 5, 6))
    assert first.cases == again.cases
    assert first.seed == 5
    assert first.cases != other.cases


def test_state_left_behind_does_not_reach_the_next_case(task: Task) -> None:
    after = "        torch.set_grad_enabled(False)\n        torch.set_default_dtype(torch.float64)\n"
    report = report_of(task, HEAD + "    try:\n    " + RIGHT + "    finally:\n" + after)
    assert report.verdict is Verdict.PASSED


def test_memory_and_flood_endings_become_verdicts(task: Task) -> None:
    ready = ready_frame()
    report = grade(task, REFERENCE, FakeSandbox(finished(ready, ending=Ending.OUT_OF_MEMORY)))
    assert [case.verdict for case in report.cases] == [Verdict.OUT_OF_MEMORY] * 2
    report = grade(task, REFERENCE, FakeSandbox(finished(ready, ending=Ending.RESULT_TOO_LARGE)))
    assert [case.verdict for case in report.cases] == [Verdict.FORBIDDEN] * 2


@pytest.mark.parametrize(
    ("device", "says"), [("cpu", "within 10 s"), ("cuda", "within 10 s, or a kernel on the GPU did not")]
)
def test_a_kernel_that_never_ends_is_named_as_a_possible_cause(tmp_path: Path, device: str, says: str) -> None:
    files = files_of_mean()
    files["task.toml"] = files["task.toml"].replace('["cpu"]', '["cpu", "cuda"]')
    late = FakeSandbox(finished(ready_frame(), ending=Ending.DEADLINE))
    first, *_ = grade(make_task(tmp_path, files), REFERENCE, late, device=device).cases
    assert first.verdict is Verdict.TIMED_OUT
    assert first.message.endswith(says)


@pytest.mark.parametrize("result", [b"", b"no such file or directory"])
def test_a_sandbox_without_our_runner_is_our_failure(task: Task, result: bytes) -> None:
    with pytest.raises(RunnerBroken, match="No module named torch"):
        grade(task, REFERENCE, FakeSandbox(finished(result, log=b"No module named torch", exit_code=1)))


def test_a_reference_that_fails_is_our_failure(tmp_path: Path) -> None:
    files = files_of_mean()
    files["reference.py"] = files["reference.py"].replace("mask.sum()", "mask.nowhere()")
    with pytest.raises(ContentBroken, match=r"case literal .seed [0-9]+.: the reference raised"):
        grade(make_task(tmp_path, files), REFERENCE, ForkSandbox())


def ready_frame() -> bytes:

    return frame({"run": 0, "status": "ready", "lacks": "", "torch": "2", "python": "3"})
