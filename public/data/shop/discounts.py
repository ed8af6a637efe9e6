"""What a customer pays less."""

LOYAL = 15


def discount(cents: int, percent: int) -> int:
    """Say what is taken off a price."""
    return int(cents * percent / 100)
