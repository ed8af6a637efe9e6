"""Text in HTML."""

import html


class Safe(str):
    """Text that is HTML already, and is put in as it is."""


def escape(value: object) -> str:
    """Write a value so that HTML shows it."""
    return value if isinstance(value, Safe) else Safe(html.escape(str(value)))
