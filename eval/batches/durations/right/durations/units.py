"""The units of time, and how long they are."""

SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}

ORDER = "wdhms"
