"""Turn temperatures as people write them (71.6 °F, 22C, "3,9 °C") into numbers in °C."""

import re

TEMPERATURE = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*°?\s*([CFcf]?)")


def run(values: list) -> list:
    """Turn temperatures as people write them into numbers in °C.

    Args:
        values: Texts such as "71.6 °F", "22C" or "3,9 °C". Without a unit it is °C.

    Returns:
        As many numbers, not rounded; None for a text that is no temperature.
    """
    return [celsius(str(value).strip()) for value in values]


def celsius(text: str) -> float | None:
    match = TEMPERATURE.fullmatch(text)
    if match is None:
        return None
    number = float(match[1].replace(",", "."))
    return (number - 32) * 5 / 9 if match[2] in ("F", "f") else number
