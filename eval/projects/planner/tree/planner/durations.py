"""How long something takes, as text."""

import re
from datetime import timedelta

DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?")


def parse_duration(text: str) -> timedelta:
    """Read a duration such as ``1h30m``."""
    match = DURATION.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        raise ValueError(f"{text.strip()!r} is no duration")
    hours, minutes = (int(part or 0) for part in match.groups())
    return timedelta(hours=hours, minutes=minutes)


def duration_text(duration: timedelta) -> str:
    """Write a duration as it is read."""
    hours, minutes = divmod(int(duration.total_seconds()) // 60, 60)
    return (
        f"{hours}h{minutes:02}m" if hours and minutes else f"{hours}h" if hours else f"{minutes}m"
    )
