"""A receipt: what somebody buys, and what it comes to."""

from dataclasses import dataclass, field

from shop.discounts import discount
from shop.money import share, text

TAX = 19


@dataclass
class Receipt:
    """Items with their prices, and the discount on each in percent."""

    percent: int = 0
    items: list[tuple[str, int]] = field(default_factory=list)

    def add(self, name: str, cents: int) -> None:
        """Put an item on the receipt."""
        self.items.append((name, cents))

    def total(self) -> int:
        """Add up what is paid, tax included."""
        return sum(cents - discount(cents, self.percent) for _, cents in self.items)

    def tax(self) -> int:
        """Say how much tax is in the price before any discount."""
        return share(sum(cents for _, cents in self.items), TAX)

    def lines(self) -> list[str]:
        """Write the receipt."""
        items = [f"{name}: {text(cents)}" for name, cents in self.items]
        return [*items, f"Total: {text(self.total())}"]
