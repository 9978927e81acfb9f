"""The TeX commands that have one Unicode character, and the characters that exist raised or lowered."""

from __future__ import annotations

import unicodedata

_SMALL = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi pi rho sigma tau upsilon phi chi psi omega"
)
_CAPITAL = "gamma delta theta lambda xi pi sigma phi psi omega upsilon"


def _greek(size: str, name: str) -> str:
    # Unicode spells this one letter without its b.
    return unicodedata.lookup(f"GREEK {size} LETTER {'LAMDA' if name == 'lambda' else name.upper()}")


SYMBOLS = {
    **{f"\\{name}": _greek("SMALL", name) for name in _SMALL.split()},
    **{f"\\{name.capitalize()}": _greek("CAPITAL", name) for name in _CAPITAL.split()},
    "\\varepsilon": "ε",
    "\\varphi": "φ",
    "\\sum": "∑",
    "\\prod": "∏",
    "\\int": "∫",
    "\\cdot": "·",
    "\\times": "×",
    "\\pm": "±",
    "\\div": "÷",
    "\\le": "≤",
    "\\leq": "≤",
    "\\ge": "≥",
    "\\geq": "≥",
    "\\ne": "≠",
    "\\neq": "≠",
    "\\ll": "≪",
    "\\gg": "≫",
    "\\approx": "≈",
    "\\sim": "∼",
    "\\equiv": "≡",
    "\\propto": "∝",
    "\\to": "→",
    "\\rightarrow": "→",
    "\\leftarrow": "←",
    "\\Rightarrow": "⇒",
    "\\Leftrightarrow": "⇔",
    "\\mapsto": "↦",
    "\\in": "∈",
    "\\notin": "∉",
    "\\subset": "⊂",
    "\\cup": "∪",
    "\\cap": "∩",
    "\\forall": "∀",
    "\\exists": "∃",
    "\\infty": "∞",
    "\\partial": "∂",
    "\\nabla": "∇",
    "\\odot": "⊙",
    "\\otimes": "⊗",
    "\\top": "⊤",
    "\\mid": "|",
    "\\vert": "|",
    "\\lvert": "|",
    "\\rvert": "|",
    "\\|": "‖",
    "\\Vert": "‖",
    "\\ldots": "…",
    "\\dots": "…",
    "\\cdots": "…",
    "\\ell": "ℓ",
    "\\langle": "⟨",
    "\\rangle": "⟩",
    "\\lfloor": "⌊",
    "\\rfloor": "⌋",
    "\\lceil": "⌈",
    "\\rceil": "⌉",
    "\\{": "{",
    "\\}": "}",
    "\\_": "_",
    "\\%": "%",
    "\\$": "$",
    "\\&": "&",
    "\\#": "#",
    "\\,": " ",
    "\\;": " ",
    "\\:": " ",
    "\\ ": " ",
    "\\quad": "  ",
    "\\qquad": "  ",
}
FUNCTIONS = frozenset(
    f"\\{name}" for name in "log ln exp min max arg argmin argmax sup inf lim det tanh sin cos Pr Var dim tr".split()
)
IGNORED = frozenset({"\\!", "\\displaystyle", "\\textstyle", "\\limits", "\\nolimits"})
ACCENTS = {"\\hat": "\u0302", "\\bar": "\u0304", "\\tilde": "\u0303", "\\dot": "\u0307", "\\vec": "\u20d7"}
SUPERSCRIPTS = {
    **dict(zip("0123456789+−-=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾", strict=True)),
    **dict(zip("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)),
    **dict(zip("ABDEGHIJKLMNOPRTUVW", "ᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ", strict=True)),
    "⊤": "ᵀ",
    "'": "′",
    "*": "*",
}
SUBSCRIPTS = {
    **dict(zip("0123456789+−-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True)),
    **dict(zip("aehijklmnoprstuvx", "ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)),
    **dict(zip("βγρφχ", "ᵦᵧᵨᵩᵪ", strict=True)),
}


def letter_of(style: str, letter: str) -> str | None:
    """Return a letter or digit in a mathematical style, or None when Unicode has none."""
    kind = "DIGIT" if letter.isdigit() else "CAPITAL" if letter.isupper() else "SMALL"
    name = unicodedata.name(letter, "").split()[-1:] or [""]
    # Some of them existed before the mathematical alphabets and have no second place there.
    for wanted in (f"MATHEMATICAL {style} {kind} {name[0]}", f"{style} {kind} {name[0]}"):
        try:
            return unicodedata.lookup(wanted)
        except KeyError:
            continue
    return None
