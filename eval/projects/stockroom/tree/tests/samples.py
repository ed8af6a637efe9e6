from stockroom.items import Item
from stockroom.stock import Stock


def bolts() -> Stock:
    """A stock of bolts and washers."""
    return Stock(
        {
            "M6": Item("M6", "Bolt M6", least=100, shelves={"A1": 250, "B2": 40}),
            "W6": Item("W6", "Washer 6 mm", least=500, shelves={"A1": 320}),
        }
    )
