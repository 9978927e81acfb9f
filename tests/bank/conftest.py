"""One small, valid question, which each test breaks in one place."""

from pathlib import Path

import pytest

GOOD = r"""
format = 1
level = 3
topics = ["ppo", "clipping"]
seeds = ["001 #7"]
tasks = ["ppo_clip_loss"]
source = ["arXiv:1707.06347, eq. 7"]
title = "Clipping"
prompt = 'What does the clip of PPO do?'

[[point]]
id = "flat_outside"
says = "Outside the interval the objective is flat."
still_open = "what happens beyond the interval"
shows = ['(objective|surrogate).*flat', 'gradient.*(zero|vanish)', 'no (slope|signal) (outside|beyond)']
[[point]]
id = "way_back_kept"
says = "The way back keeps its gradient."
still_open = "what happens on the other side"
shows = ['way back', 'unclipped.*smaller', 'pull\w* back']
[[point]]
id = "minimum_is_lower_bound"
says = "The minimum is a lower bound of the surrogate."
still_open = "why a minimum is taken"
shows = ['lower bound', 'pessimist', 'conservative estimate']
[[point]]
id = "limit_is_one_point_two"
says = "With eps 0.2 the upper end is 1.2."
still_open = "the upper end"
shows = ['1\.2\b', '1 ?\+ ?0\.2', 'one point two']
[[point]]
id = "ratio_still_drifts"
says = "Later epochs still push the ratio out."
still_open = "what it cannot do"
shows = ['ratio.*(drift|leave|escape)', 'outside anyway', 'epochs.*push']

[[rung]]
ask = 'What does it change?'
answer = 'Outside the interval the surrogate is flat. The way back stays open.'
points = ["flat_outside", "way_back_kept"]
hints = ['Look at the derivative.', 'What is the slope at 1.5?']
[[rung]]
ask = 'Why a minimum?'
answer = 'It is a lower bound.'
points = ["minimum_is_lower_bound"]
hints = ['Compare the two terms.', 'Which of them is chosen?']
[[rung]]
ask = 'Give the upper end for eps 0.2.'
answer = 'It is 1.2.'
check = "1 + 0.2"
within = 0.001
points = ["limit_is_one_point_two"]
hints = ['Add.', 'What is the sum?']
[[rung]]
ask = 'What does it not do?'
answer = 'The ratio can drift further.'
points = ["ratio_still_drifts"]
hints = ['Think of ten passes.', 'Where is it after the tenth?']

[[check]]
rung = 1
ask = 'With eps {eps} and a positive advantage: from which number on is the slope zero?'
given = { eps = [0.1, 0.2, 0.3] }
number = "1 + eps"
wrong = ["1 - eps", "1"]
[[check]]
rung = 2
ask = 'Which of these holds, and what decides it?'
holds = "It bounds the surrogate from below."
fails = [{ says = "It keeps numbers small.", believes = "minimum_is_for_stability" }]
accepts = ["smaller term", "minimum"]
[[check]]
rung = 3
ask = 'What is the operation called?'
accepts = ["clamp", "clipping"]
wrong = ["rounding", "masking"]
[[check]]
rung = 4
ask = 'From the first step to the last?'
order = ["the ratio is one", "the ratio drifts", "the slope is zero"]

[[probe]]
when = { missing = "way_back_kept" }
ask = 'And from the other side?'
[[probe]]
when = { missing = "flat_outside" }
ask = 'What is the derivative there?'
[[probe]]
when = { believes = "clip_bounds_ratio" }
ask = 'What holds it there?'

[[misconception]]
id = "clip_bounds_ratio"
says = "Believes the clip keeps the ratio inside."
shows = ['(keeps|holds) the ratio', 'ratio (is|stays) (bounded|inside)', 'ratio cannot leave']
ask = 'Where is it after ten epochs?'
[[misconception]]
id = "minimum_is_for_stability"
says = "Believes the minimum avoids overflow."
shows = ['overflow', 'numerical(ly)? stab', 'exponent explodes']
ask = 'What overflows?'
[[misconception]]
id = "clip_is_on_gradients"
says = "Believes the gradient norm is clipped."
shows = ['gradient norm', 'clips? the gradients', 'norm of the gradient']
ask = 'What is in the brackets?'
"""


@pytest.fixture
def good() -> str:
    return GOOD


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """Return a folder of questions that contains the valid question."""
    folder = tmp_path / "questions"
    (folder / "trust_regions").mkdir(parents=True)
    (folder / "trust_regions" / "small_clip.toml").write_text(GOOD, encoding="utf-8")
    return folder
