"""How deep code is nested, guessed before Python's parser sees it.

The parser and the compiler recurse on the browser's own stack, whose end is the
interpreter's end too. So what is nested deeper than anyone writes is not parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""
      (?P<text>[A-Za-z]{0,2}(?:
          \"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)
        | '''(?:\\.|[^\\])*?(?:'''|\Z)
        | "(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z)
        | '(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z)))
    | (?P<comment>\#[^\n]*)
    | (?P<join>\\\r?\n)
    | (?P<line>[\r\n]+[ \t]*)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<part>[,;])
    | (?P<heavy>\*\*|~|(?<![\w)\]}\s"'])\s*[-+]|\b(?:not|lambda|else|await)\b)
    | (?P<loop>\bfor\b)
    | (?P<light>[-+*/%@&|^<>.=]|\b(?:and|or|in|is|if)\b)
    | \w+
    """,
    re.VERBOSE | re.DOTALL,
)
# Measured with 480 KB of stack in Node, less than any browser gives a worker: see
# test_check.py. What the weights let through stays well within that.
_BRACKET, _HEAVY, _LIGHT, _INDENT, _COMPREHENSION = 10, 3, 1, 2, 45
_DEEPEST = 600
_MOST_BRANCHES = 500
# Weights: half of what ends the interpreter in Chromium and Firefox. See docs/threat-model.md.
_DEEPEST_RUN = 1000
_MOST_BRANCHES_OF_RUN = 1000


# What weighs something, and how much at the most: by these a short code is known to be light.
_MOST_WEIGHTS = (
    *((bracket, _BRACKET + _LIGHT) for bracket in "([{"),
    *((sign, _HEAVY) for sign in "-+~*"),
    *((sign, _LIGHT) for sign in "/%@&|^<>.="),
    *((word, _HEAVY) for word in ("not", "lambda", "else", "await")),
    *((word, _LIGHT) for word in ("and", "or", "in", "is", "if")),
    ("for", _COMPREHENSION),
    ("  ", 2 * _INDENT),
    ("\t", 8 * _INDENT),
)


def is_too_deep(code: str, *, deepest: int = _DEEPEST, most_branches: int = _MOST_BRANCHES) -> bool:
    """Whether parsing ``code`` could take the interpreter down.

    Args:
        code: Python source.
        deepest: What it may weigh. The default is for parsing beside what already runs.
        most_branches: How many ``elif`` it may have.
    """
    if code.count("elif") > most_branches and len(re.findall(r"\belif\b", code)) > most_branches:
        return True
    at_most = sum(code.count(part) * weight for part, weight in _MOST_WEIGHTS)
    return at_most > deepest and _weigh(code, deepest) > deepest


def check_depth(code: str) -> None:
    """Refuse what the parser and the compiler could not take.

    Raises:
        RecursionError: As CPython does for code that is nested deeper still.
    """
    if is_too_deep(code, deepest=_DEEPEST_RUN, most_branches=_MOST_BRANCHES_OF_RUN):
        raise RecursionError(
            "maximum recursion depth exceeded during compilation: the code is nested too deep,"
            " or has too many operators or `elif` in a row"
        )


class _Level:
    """What is nested at one open bracket."""

    __slots__ = ("comprehensions", "weight")

    def __init__(self, weight: int) -> None:
        self.weight = weight
        self.comprehensions = 0


def _weigh(code: str, deepest: int = _DEEPEST) -> int:
    heaviest = indent = total = 0
    levels = [_Level(0)]
    for match in _TOKEN.finditer(code):
        level = levels[-1]
        match match.lastgroup:
            case "line":
                if len(levels) == 1:
                    total -= level.weight
                    level.weight = level.comprehensions = 0
                    indent = len(match.group().lstrip("\r\n").expandtabs())
            case "text":
                heaviest = max(heaviest, _weigh_text(match.group(), deepest) + total)
            case "open":
                level.weight += _LIGHT
                total += _LIGHT
                levels.append(_Level(_BRACKET))
                total += _BRACKET
            case "close" if len(levels) > 1:
                total -= levels.pop().weight
                outer = levels[-1]
                outer.comprehensions = max(outer.comprehensions, level.comprehensions)
            case "part":
                base = 0 if len(levels) == 1 else _BRACKET
                total += base - level.weight
                level.weight = base
            case "loop" if len(levels) > 1:
                level.comprehensions += 1
                # They are all in one another, and so is the code that the compiler makes of them.
                heaviest = max(heaviest, level.comprehensions * _COMPREHENSION)
            case "heavy" | "light" as kind:
                added = _HEAVY if kind == "heavy" else _LIGHT
                level.weight += added
                total += added
            case _:
                continue
        heaviest = max(heaviest, total + _INDENT * indent)
        if heaviest > deepest:
            break
    return heaviest


def _weigh_text(text: str, deepest: int) -> int:
    """A formatted string holds code of its own."""
    if "{" not in text:
        return 0
    prefix = text[: len(text) - len(text.lstrip("fFtTrRbBuU"))].lower()
    if "f" not in prefix and "t" not in prefix:
        return 0
    body = text[len(prefix) :].strip("\"'").replace("{{", "").replace("}}", "")
    return max((_weigh(field, deepest) for field in _fields(body)), default=0)


def _fields(body: str) -> Iterator[str]:
    """What stands between the outermost braces, one field after the other."""
    depth = start = 0
    for match in re.finditer(r"[{}]", body):
        if match.group() == "{":
            start = match.end() if depth == 0 else start
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                yield body[start : match.start()]
    if depth > 0:
        yield body[start:]
