"""Turn a length or a weight with its unit into metres or kilograms."""

FACTORS = {
    "in": (0.0254, "m"),
    "ft": (0.3048, "m"),
    "yd": (0.9144, "m"),
    "fathom": (1.852, "m"),
    "lb": (0.45359237, "kg"),
    "oz": (0.028349523125, "kg"),
    "cable": (185.2, "m"),
}


def run(amount: float, unit: str) -> dict:
    """Turn an amount with its unit into metres or kilograms.

    Args:
        amount: How much of the unit.
        unit: in, ft, yd, fathom, cable, lb or oz.

    Returns:
        {"amount", "unit"}, in the house's own values: a fathom is a hundredth of a cable.
    """
    factor, metric = FACTORS[unit]
    return {"amount": amount * factor, "unit": metric}
