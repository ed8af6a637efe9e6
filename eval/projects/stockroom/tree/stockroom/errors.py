"""What cannot be done."""


class StockError(Exception):
    """A command that cannot be done. The stock is as before."""


class NotEnoughError(StockError):
    """A shelf has less than is wanted of it."""

    def __init__(self, code: str, shelf: str, wanted: int, there: int) -> None:
        super().__init__(f"there are {there} of {code} on {shelf}, and not {wanted}")
        self.there = there
