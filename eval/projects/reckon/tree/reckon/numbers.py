"""Numbers as text."""

from fractions import Fraction


def parse_number(text: str) -> Fraction:
    """Read a number such as ``1_000.5`` or ``19%``."""
    number = Fraction(text.rstrip("%").replace("_", ""))
    return number / 100 if text.endswith("%") else number


def number_text(value: Fraction, digits: int = 6) -> str:
    """Write a number with as many digits as it needs, up to a few."""
    rounded = round(value, digits)
    text = f"{float(rounded):.{digits}f}"
    return text.rstrip("0").rstrip(".")
