"""Orders of a shop."""

from collections.abc import Iterable

__all__ = ["total"]


def total(orders: Iterable[tuple[str, int]]) -> int:
    """The sum of the prices of orders, each of which is a country and a price."""
    return sum(price for _, price in orders)
