import re

from durations.units import ORDER, SECONDS

PART = re.compile(rf"\s*([0-9]+)([{ORDER}])", re.IGNORECASE)


def parse(text):
    rest = text.rstrip()
    if not rest:
        raise ValueError("An empty text is no length of time.")
    seconds = 0
    while rest:
        part = PART.match(rest)
        if part is None:
            raise ValueError(f"{text!r} is no length of time.")
        seconds += int(part[1]) * SECONDS[part[2].lower()]
        rest = rest[part.end() :]
    return seconds


def render(seconds):
    if seconds < 0:
        raise ValueError(f"{seconds} is less than nothing.")
    parts = []
    for unit in ORDER:
        count, seconds = divmod(seconds, SECONDS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
