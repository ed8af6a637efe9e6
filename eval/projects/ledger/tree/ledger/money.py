"""Amounts of money, which are whole cents everywhere but on paper."""

from collections.abc import Sequence


class AmountError(ValueError):
    """A text that is no amount."""


def parse_amount(text: str, *, decimal_comma: bool = False) -> int:
    """Read an amount such as ``-1,234.50``, or ``-1.234,50`` with a decimal comma."""
    thousands, point = (".", ",") if decimal_comma else (",", ".")
    plain = text.strip().replace(thousands, "")
    sign = -1 if plain.startswith("-") else 1
    whole, _, fraction = plain.lstrip("+-").partition(point)
    if not whole.isdecimal() or len(fraction) > 2 or not (fraction or "0").isdecimal():
        raise AmountError(f"{text!r} is no amount")
    return sign * (int(whole) * 100 + int(fraction.ljust(2, "0")))


def format_amount(cents: int) -> str:
    """Write an amount with a point and two decimals."""
    whole, fraction = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole:,}.{fraction:02}"


def allocate(cents: int, weights: Sequence[int]) -> list[int]:
    """Split an amount by weights into whole cents. The first shares get the odd cents."""
    total = sum(weights)
    shares = [int(cents * weight / total) for weight in weights]
    for index in range(cents - sum(shares)):
        shares[index] += 1
    return shares
