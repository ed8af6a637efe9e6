"""Amounts of money, in whole cents."""


def share(cents: int, percent: int) -> int:
    """Take a share of an amount. Half a cent is rounded up."""
    return (cents * percent + 50) // 100


def text(cents: int) -> str:
    """Write an amount as people read it: 1,234.50."""
    return f"{cents / 100:,.2f}"
