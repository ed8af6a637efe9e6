"""Tables and columns of pandas as plain values.

Written against what pandas documents of ``DataFrame``, ``Series``, ``Index``, ``Timestamp``,
``Timedelta``, ``Period``, ``Interval``, ``NA`` and ``NaT``, and of
``pandas.api.extensions.ExtensionArray``, which ``unique()`` returns.
"""

from __future__ import annotations

from typing import Any

from vitrine._packages._imported import imported, is_of
from vitrine._packages._numpy import MOST_ITEMS
from vitrine._plain_forms import PlainForm, Refusal


def pandas_form(value: Any, kind: type) -> PlainForm | Refusal | None:
    """The plain form of a value of pandas; None for any other object."""
    if imported("pandas", "DataFrame") is None:
        return None
    if value is imported("pandas", "NaT") or value is imported("pandas", "NA"):
        return PlainForm(None)
    if is_of(kind, "pandas", "DataFrame"):
        return frame_form(value)
    if is_of(kind, "pandas", "Series"):
        return series_form(value)
    if is_of(kind, "pandas", "Index") or is_of(kind, "pandas.api.extensions", "ExtensionArray"):
        return list_form(value)
    if is_of(kind, "pandas", "Timestamp"):
        # Nanoseconds have no room in Python's class: they are dropped, without a warning.
        return PlainForm(value.to_pydatetime(warn=False))
    if is_of(kind, "pandas", "Timedelta"):
        return PlainForm(value.to_pytimedelta())
    is_text = is_of(kind, "pandas", "Period") or is_of(kind, "pandas", "Interval")
    return PlainForm(str(value)) if is_text else None


def frame_form(frame: Any) -> PlainForm | Refusal:
    """A list with a dict for each row, by the names of its columns.

    Levels of its index that have a name are columns, too; one without a name only numbers the
    rows, and is left out.
    """
    rows, columns = frame.shape
    if rows * columns > MOST_ITEMS:
        return Refusal(
            f"A DataFrame of {rows:,} x {columns:,} cells is too large to be handed over as rows: "
            f"{MOST_ITEMS:,} cells are the limit. Pass a part, "
            f"`frame.head({max(1, MOST_ITEMS // columns)})` for instance, or save a file, "
            '`frame.to_csv("/workspace/data.csv")`.'
        )
    names = [name for name in frame.index.names if name is not None]
    if names and not any(name in frame.columns for name in names):
        frame = frame.reset_index()
    return PlainForm([_with_text_keys(row) for row in frame.to_dict("records")])


def series_form(series: Any) -> PlainForm | Refusal:
    """The list of its values, or a dict by its labels where those say something.

    They do where their index has a name (as after ``value_counts()`` or ``groupby()``), or
    where they are no whole numbers; and of labels that occur twice there is no dict.
    """
    if series.size > MOST_ITEMS:
        return _too_long(series.size)
    index = series.index
    labels = index.tolist()
    is_named = any(name is not None for name in index.names)
    if not is_named and all(type(label) is int for label in labels):
        return PlainForm(series.tolist())
    if not index.is_unique:
        return PlainForm(series.tolist())
    return PlainForm(dict(zip(labels, series.tolist(), strict=True)))


def list_form(values: Any) -> PlainForm | Refusal:
    """The list of the values of an index or an array."""
    size = len(values)
    return PlainForm(values.tolist()) if size <= MOST_ITEMS else _too_long(size)


def _too_long(size: int) -> Refusal:
    return Refusal(
        f"A column of {size:,} values is too large to be handed over as a list, whose limit is "
        f"{MOST_ITEMS:,}. Pass a part of it, a file, or, of numbers, `series.to_numpy().data` "
        "where a tool takes a typed array."
    )


def _with_text_keys(row: dict[object, object]) -> dict[str, object]:
    """As in JSON, whose keys are text: columns may be numbers."""
    return {key if type(key) is str else str(key): cell for key, cell in row.items()}


__all__ = ["frame_form", "list_form", "pandas_form", "series_form"]
