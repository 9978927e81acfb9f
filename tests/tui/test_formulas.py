"""Formulas: which are rendered, which stay TeX, and that chunks give the same result as the whole text."""

from __future__ import annotations

import random

import pytest

from interviewer.tui.latex import FormulaText, render_formulas, tex_to_unicode


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{a}{b}", "a/b"),
        (r"\frac{\pi_\theta(a|s)}{\pi_{old}(a|s)}", "π_θ(a|s)/π_old(a|s)"),
        (r"\frac{1 + x}{2}", "(1 + x)/2"),
        (r"\sum_{i=1}^{n} x_i^2", "∑ᵢ₌₁ⁿ xᵢ²"),
        (r"A_t = \delta_t + \gamma\lambda A_{t+1}", "Aₜ = δₜ + γλ Aₜ₊₁"),
        (r"\mathbb{E}_{x \sim \pi}\left[ r(x) \right]", "𝔼_(x ∼ π)[ r(x) ]"),
        (r"\log\pi_\theta - \beta\,D_{KL}", "log π_θ − β D_KL"),
        (r"\hat{A}_t", "Âₜ"),
        (r"\min(r_t A, \text{clip}(r_t, 1-\epsilon, 1+\epsilon) A)", "min(rₜ A, clip(rₜ, 1−ε, 1+ε) A)"),
        (r"\mathcal{L}_{PPO}", "ℒ_PPO"),
        (r"\sqrt{d_k}", "√dₖ"),
        (r"\|x\|_2 \leq 1", "‖x‖₂ ≤ 1"),
        (r"O(n^{-1/2})", "O(n^(−1/2))"),
    ],
)
def test_simple_tex_becomes_unicode(tex: str, text: str) -> None:
    assert tex_to_unicode(tex) == text


@pytest.mark.parametrize(
    "tex",
    [
        *(r"\begin{matrix} a \end{matrix}", r"\unknown{x}", "{a", "a}", "x^", r"\frac{a}", r"\\"),
        "{" * 2000 + "x" + "}" * 2000,
    ],
    ids=lambda tex: tex[:20],
)
def test_what_cannot_be_drawn_rightly_is_not_drawn(tex: str) -> None:
    assert tex_to_unicode(tex) is None


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        (r"so $\pi_\theta$ is", r"so π\_θ is"),
        ("it costs $5 and then $10 more", "it costs $5 and then $10 more"),
        ("`$x_1$` is code, $x_1$ is not", "`$x_1$` is code, x₁ is not"),
        ("```\n$x_1$\n```\n$x_1$", "```\n$x_1$\n```\nx₁"),
        ("$$\n\\frac{a}{b}\n$$ end", "a/b end"),
        (r"\(x_1\) and \[x_2\]", "x₁ and x₂"),
        (r"$\unknown{x}$ stays", r"`$\unknown{x}$` stays"),
        ("open $x stays", "open $x stays"),
        ("no formula", "no formula"),
        ("a $x_1$\n\n- b $x_2$\n", "a x₁\n\n- b x₂\n"),
    ],
)
def test_formulas_in_markdown(markdown: str, text: str) -> None:
    assert render_formulas(markdown) == text


def test_raw_shows_the_source_as_code() -> None:
    assert render_formulas(r"so $\pi_\theta$ is", is_raw=True) == r"so `$\pi_\theta$` is"


def test_pieces_give_the_same_as_the_whole_and_hold_little_back() -> None:
    whole = (
        "Take $\\frac{a}{b}$ and `code $x$`, $5 or $6.\n\n```python\nx = '$y_1$'\n```\n"
        "Then $$\\sum_{i=1}^{n} x_i$$ and \\(z^2\\).\n~~~\n$q$\n~~~\nlast $x_1$"
    )
    chance = random.Random(3)
    for _ in range(200):
        text, rest, shown = FormulaText(), whole, ""
        while rest:
            size = chance.randint(1, 9)
            shown += text.feed(rest[:size])
            rest = rest[size:]
        assert shown + text.finish() == render_formulas(whole)


def test_an_opener_that_is_never_closed_does_not_hold_the_text_for_ever() -> None:
    text = FormulaText()
    shown = text.feed("$x " + "word " * 1000)
    assert len(shown) > 4000
