import re

from durations.units import ORDER, SECONDS

TEXT = re.compile("".join(rf"(?:\s*(\d+){unit})?" for unit in ORDER), re.IGNORECASE | re.ASCII)


def parse(text):
    found = TEXT.fullmatch(text.rstrip())
    if found is None or not text.strip():
        raise ValueError(f"{text!r} is no length of time.")
    return sum(
        int(count or 0) * SECONDS[unit] for count, unit in zip(found.groups(), ORDER, strict=True)
    )


def render(seconds):
    if seconds < 0:
        raise ValueError(f"{seconds} is less than nothing.")
    parts = []
    for unit in ORDER:
        count, seconds = divmod(seconds, SECONDS[unit])
        if count or parts:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
