"""Every sentence of a statement has a case that fails if it is violated, or a reason why no case can."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.gate.coverage import count_uncovered, coverage_table, find_coverage_problems, read_coverage, sentences_of
from graders.gate.proof import check_task
from tasks.errors import TaskError
from tests.graders.build import files_of_mean, make_task

STATEMENT = """# Weighted mean

A story. It is no rule.

```python
def scaled_mean(x, weight, mask): ...
```

## Given

- `x` `[T]`: values. They may
  be NaN where `mask` is false.
- `weight`. One weight for each value.

Of two rows the result is the first mean - the second.

## Return

| part | value |
|---|---|
| `mean` | what counts is averaged |

## Example

The mean of 1 and 2 is 1.5.
"""
SENTENCES = [
    "`x` `[T]`: values.",
    "They may be NaN where `mask` is false.",
    "`weight`. One weight for each value.",
    "Of two rows the result is the first mean - the second.",
    "| part | value |",
    "| `mean` | what counts is averaged |",
]
COVERAGE = """
[[sentence]]
begins = "`x` `[T]`"
not_graded = "Only says what it is."
[[sentence]]
begins = "They may be NaN"
cases = ["ragged"]
[[sentence]]
begins = "`weight`"
broken_by = ["not_detached"]
[[sentence]]
begins = "Of two rows"
cases = ["literal"]
[[sentence]]
begins = "| part"
not_graded = "A heading."
[[sentence]]
begins = "| `mean`"
broken_by = ["mean_of_all"]
cases = ["literal"]
"""


def files(coverage: str = COVERAGE) -> dict[str, str]:
    return {**files_of_mean(), "statement.md": STATEMENT, "coverage.toml": coverage}


def test_sentences_are_those_below_the_headings_but_for_the_example() -> None:
    assert sentences_of(STATEMENT) == SENTENCES


def test_the_table_names_the_cases_of_each_sentence(tmp_path: Path) -> None:
    task = make_task(tmp_path, files())
    assert count_uncovered(task) == 0
    lines = coverage_table(task).splitlines()[1:]
    assert [line.strip() for line in lines[::2]] == SENTENCES
    said = [line.strip() for line in lines[1::2]]
    assert said == [
        "not graded: Only says what it is.",
        "ragged",
        "ragged",
        "literal",
        "not graded: A heading.",
        "ragged, literal",
    ]


def test_without_the_file_no_sentence_is_covered_and_the_task_may_still_be_proven(tmp_path: Path) -> None:
    task = make_task(tmp_path, {**files_of_mean(), "statement.md": STATEMENT})
    assert count_uncovered(task) == len(SENTENCES)
    assert read_coverage(task) is None
    assert "NO CASE" in coverage_table(task)


def test_a_sentence_that_is_left_out_and_an_entry_that_begins_none_are_named(tmp_path: Path) -> None:
    task = make_task(tmp_path, files(COVERAGE.replace('"They may be NaN"', '"They might"')))
    problems = list(find_coverage_problems(task))
    assert [problem.split(";")[0] for problem in problems] == [
        "coverage.toml: 0 entries begin the sentence 'They may be NaN where `mask` is false.'",
        "coverage.toml: 'They might' starts no sentence of the statement",
    ]
    assert count_uncovered(task) == 1
    assert set(problems) <= set(check_task(task, 1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('["ragged"]', '["raged"]', "did you mean 'ragged'"),
        ('["not_detached"]', '["detached"]', "did you mean 'not_detached'"),
        ('not_graded = "A heading."', "", "expected broken_by, cases, or not_graded"),
        ('not_graded = "A heading."', 'not_graded = "No."\ncases = ["ragged"]', "expected broken_by, cases"),
        ('begins = "| part"', 'begin = "| part"', "begins: missing"),
        ("[[sentence]]", "[[sentence", "coverage.toml"),
    ],
)
def test_what_the_file_cannot_say_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    task = make_task(tmp_path, files(COVERAGE.replace(old, new)))
    with pytest.raises(TaskError, match=words.replace("(", r"\(")):
        read_coverage(task)
    assert any(words in complaint for complaint in check_task(task, 1))
