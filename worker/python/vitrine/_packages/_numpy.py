"""NumPy's numbers and arrays as plain values.

Written against what NumPy documents of ``numpy.generic`` and ``numpy.ndarray``: ``item()``,
``tolist()``, ``astype()``, ``size`` and ``dtype``.
"""

from __future__ import annotations

from typing import Any, Protocol

from vitrine._packages._imported import is_of
from vitrine._plain_forms import PlainForm, Refusal

MOST_ITEMS = 100_000
"""Items of an array, or cells of a table, that cross as a list."""

# Finer than Python's own times.
_FINE_UNITS = ("[ns]", "[ps]", "[fs]", "[as]")


class DataType(Protocol):
    """What is asked of a ``numpy.dtype``."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...


class Scalar(Protocol):
    """What is asked of a scalar."""

    @property
    def dtype(self) -> DataType: ...
    def item(self) -> Any: ...
    def astype(self, dtype: str, /) -> Any: ...


class Array(Protocol):
    """What is asked of an array."""

    @property
    def dtype(self) -> DataType: ...
    @property
    def size(self) -> int: ...
    def tolist(self) -> Any: ...
    def astype(self, dtype: str, /) -> Any: ...


def numpy_form(value: Any, kind: type) -> PlainForm | Refusal | None:
    """The plain form of a scalar or an array of NumPy; None for any other object."""
    if is_of(kind, "numpy", "generic"):
        return scalar_form(value)
    if is_of(kind, "numpy", "ndarray"):
        return array_form(value)
    return None


def scalar_form(scalar: Scalar) -> PlainForm | Refusal:
    """A number, a bool, text, bytes or a time of Python; None for the time NaT."""
    kind = scalar.dtype.kind
    if kind == "c":
        return Refusal("A complex number cannot be handed over. Pass its `.real` and `.imag`.")
    if kind == "f":
        # A long double is its own item.
        return PlainForm(float(scalar.item()))
    is_time = kind in "mM"
    item = (_in_microseconds(scalar) if is_time else scalar).item()
    # A time that Python's classes cannot hold is a number, some other objects are their own item.
    if type(item) is type(scalar) or (is_time and type(item) is int):
        return Refusal(f"A {scalar.dtype.name} such as this one has no counterpart. Pass its text.")
    return PlainForm(item)


def array_form(array: Array) -> PlainForm | Refusal:
    """Nested lists, up to so many items. A masked item is None."""
    size, kind = array.size, array.dtype.kind
    if size > MOST_ITEMS:
        return Refusal(
            f"An array of {size:,} items is too large to be handed over as a list, whose limit is "
            f"{MOST_ITEMS:,}. Pass a part of it, a file, or `array.data` where a tool takes a "
            "typed array."
        )
    if kind == "c":
        return Refusal(
            "An array of complex numbers cannot be handed over. Pass `array.real` and `array.imag`."
        )
    return PlainForm((_in_microseconds(array) if kind in "mM" else array).tolist())


def _in_microseconds(times: Scalar | Array) -> Any:
    """As finely as Python's own times go."""
    dtype = times.dtype
    if not dtype.name.endswith(_FINE_UNITS):
        return times
    return times.astype("datetime64[us]" if dtype.kind == "M" else "timedelta64[us]")


__all__ = ["MOST_ITEMS", "array_form", "numpy_form", "scalar_form"]
