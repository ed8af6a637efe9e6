"""Reads lengths of time, and writes them."""

import re

from durations.units import ORDER, SECONDS

PART = re.compile(rf"\s*([0-9]+)([{ORDER}])", re.IGNORECASE)


def parse(text: str) -> int:
    """Return the seconds of a text such as `1h 30m`."""
    rest = text.rstrip()
    if not rest:
        raise ValueError("An empty text is no length of time.")
    seconds = 0
    last = -1
    while rest:
        part = PART.match(rest)
        if part is None:
            raise ValueError(f"{text!r} is no length of time: {rest!r} is not a number and a unit.")
        unit = part[2].lower()
        place = ORDER.index(unit)
        if place <= last:
            raise ValueError(
                f"{text!r} is no length of time: {unit!r} stands behind a unit that is not longer."
            )
        last = place
        seconds += int(part[1]) * SECONDS[unit]
        rest = rest[part.end() :]
    return seconds


def render(seconds: int) -> str:
    """Return a text such as `1h 30m`."""
    if seconds < 0:
        raise ValueError(f"{seconds} is less than nothing.")
    parts = []
    for unit in ORDER:
        count, seconds = divmod(seconds, SECONDS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
