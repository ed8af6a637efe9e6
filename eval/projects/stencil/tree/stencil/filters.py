"""The filters that every template knows."""

from collections.abc import Callable, Iterable

Filter = Callable[..., object]


def money(cents: int) -> str:
    """Write cents as an amount."""
    return f"{cents / 100:,.2f}"


def join(values: Iterable[object]) -> str:
    """Put values beside each other."""
    return ", ".join(str(value) for value in values)


def title(text: str) -> str:
    """Begin each word with a capital."""
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))


FILTERS: dict[str, Filter] = {
    "join": join,
    "length": len,
    "lower": str.lower,
    "money": money,
    "title": title,
    "upper": str.upper,
}
