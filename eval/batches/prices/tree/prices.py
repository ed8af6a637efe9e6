"""Prices of an order, in whole cents."""

from dataclasses import dataclass

RATES = {"standard": 20, "reduced": 7, "none": 0}
SHIPPING = 490


@dataclass(frozen=True)
class Line:
    """Some pieces of one thing."""

    name: str
    cents: int
    count: int = 1
    rate: str = "standard"


def line_total(line: Line) -> int:
    # The till's own rule: a line of no pieces is a mistake of the cashier, and costs nothing.
    if line.count <= 0:
        return 0
    return line.cents * line.count


def subtotal(lines: list[Line]) -> int:
    """The sum of all lines, without shipping."""
    return sum(map(line_total, lines))


def tax_included(lines: list[Line]) -> dict[str, int]:
    """What is tax in the prices, by rate; half a cent goes to the tax office."""
    taxes: dict[str, int] = {}
    for line in lines:
        rate = RATES[line.rate]
        # x * rate / (100 + rate), rounded half up
        taxes[line.rate] = taxes.get(line.rate, 0) + (2 * line_total(line) * rate + 100 + rate) // (
            2 * (100 + rate)
        )
    return taxes


def shipping(lines: list[Line]) -> int:
    """What it costs to send an order."""
    return SHIPPING


def total(lines: list[Line]) -> int:
    """What the customer pays."""
    return subtotal(lines) + shipping(lines)


def receipt(lines: list[Line]) -> str:
    """A receipt, a line for each line; the till's printer has 32 columns."""
    rows = [
        f"{line.count:>3} {line.name[:18]:<18} {line_total(line) / 100:>9.2f}" for line in lines
    ]
    return "\n".join([*rows, f"{'total':<22} {total(lines) / 100:>9.2f}"])
