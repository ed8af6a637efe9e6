"""Mistakes in a sheet."""


class ReckonError(Exception):
    """A sheet that cannot be read or computed, with the offset of the mistake."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset
