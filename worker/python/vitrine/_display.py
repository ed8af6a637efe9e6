"""Rich output: what an object says of itself as HTML, SVG, PNG, Markdown or LaTeX."""

from __future__ import annotations

import datetime
import math
import numbers
import sys
from collections.abc import Buffer, Callable
from contextlib import suppress
from json import dumps, loads
from typing import Any, cast

from vitrine._codec import safe_repr
from vitrine._host import Host
from vitrine._packages import FIGURES, package_form, picture_of
from vitrine._plain_forms import PlainForm

_REPR_METHODS = {
    "_repr_html_": "text/html",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
}

_LONGEST_MIME_TYPE = 200

# Characters of a table; what is longer is shown as text, which is cut.
_LONGEST_TABLE = 200_000

# The page's numbers are floats.
_LARGEST_EXACT = 2**53 - 1

# What reads better in a table without its class.
_READABLE = (datetime.date, datetime.time, datetime.timedelta, numbers.Number)

_PLAIN_CELLS = (bool, int, float, type(None))

type Bundle = dict[str, str | bytes]


class Display:
    """Sends rich outputs to the page; ``display`` of session code is its ``show``."""

    def __init__(self, host: Host) -> None:
        self._host = host
        FIGURES.connect(lambda picture: host.display("figure", picture))

    def begin_run(self) -> None:
        """Close the figures that an interrupted run has left."""
        with suppress(Exception):
            FIGURES.begin_run()

    def show(self, *objects: object) -> None:
        """Show each object in its richest form, a list of dicts as a table, else plain text."""
        for item in objects:
            bundle = rich_bundle(item) or {**table_bundle(item), "text/plain": _plain(item)}
            self._host.display("display", bundle)

    def show_value(self, value: object) -> None:
        """Show the last value of a run, if it has a rich form; the plain value travels apart."""
        bundle = rich_bundle(value)
        if bundle:
            self._host.display("value", bundle)

    def show_figures(self) -> None:
        """Show and close the figures that matplotlib has open."""
        FIGURES.show_open()


def rich_bundle(value: object) -> Bundle:
    """All rich forms of ``value`` by MIME type; empty for a plain object and for a class.

    A form whose method raises is left out, and the reason goes to stderr, as in
    Jupyter: one broken picture must not cost the run.
    """
    if value is None or isinstance(value, type):
        return {}
    charts_as_data(sys.modules.get("altair"))
    try:
        picture = picture_of(value)
    except Exception as error:  # noqa: BLE001 - foreign code, reported here
        print(f"{type(value).__name__} could not be drawn: {error!r}", file=sys.stderr)
        picture = None
    if picture is not None:
        return picture
    bundle: Bundle = {}
    mimebundle = _call(value, "_repr_mimebundle_")
    if isinstance(mimebundle, tuple):
        mimebundle = cast("tuple[object, ...]", mimebundle)[0]
    if isinstance(mimebundle, dict):
        for mime, data in cast("dict[object, object]", mimebundle).items():
            _add(bundle, str(mime), data)
    for method, mime in _REPR_METHODS.items():
        if mime not in bundle:
            _add(bundle, mime, _call(value, method))
    if bundle and "text/plain" not in bundle:
        bundle["text/plain"] = _plain(value)
    return bundle


def charts_as_data(altair: object) -> None:
    """Have Altair, where it is imported, give its charts as data, which the page draws.

    Of itself it gives HTML whose scripts load libraries from elsewhere. A renderer that code
    has chosen stays. Our tests have no Altair.
    """
    renderers = cast("Any", getattr(altair, "renderers", None))
    if renderers is None:
        return
    try:
        if renderers.active == "default":
            renderers.enable("mimetype")
    except Exception as error:  # noqa: BLE001 - foreign code; its HTML is shown then
        print(f"Altair's renderer could not be chosen: {error!r}", file=sys.stderr)


def table_bundle(value: object) -> Bundle:
    """A list of dicts as JSON, of which the page makes a table; empty for anything else.

    Each cell is a single value, as a table shows it: what JSON has no word for is text.
    """
    if not isinstance(value, list):
        return {}
    items = cast("list[object]", value)
    rows: list[str] = []
    length = 0
    for item in items:
        if not isinstance(item, dict):
            return {}
        # A subclass may have an ``items`` of its own that raises, which a copy is made without.
        cells: dict[object, object] = dict(cast("dict[object, object]", item))
        rows.append(dumps({_plain(name): _cell(cell) for name, cell in cells.items()}))
        length += len(rows[-1])
        if length > _LONGEST_TABLE:
            return {}
    return {"application/json": f"[{', '.join(rows)}]"} if rows else {}


def _cell(value: object) -> object:
    value = _as_python(value)
    if value is None or isinstance(value, bool):
        return value
    if type(value) is int and abs(value) <= _LARGEST_EXACT:
        return value
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, _READABLE):
        try:
            return str(value)
        except Exception:  # noqa: BLE001 - a number of too many digits, a foreign __str__
            return safe_repr(value)
    return _plain(value)


def _as_python(value: object) -> object:
    """A number of NumPy as Python's own, and what pandas has for nothing as None."""
    kind: type = type(value)
    if value is None or any(kind is plain for plain in (str, *_PLAIN_CELLS)):
        return value
    form = package_form(value, kind)
    if isinstance(form, PlainForm) and type(form.value) in _PLAIN_CELLS:
        return form.value
    return value


def _add(bundle: Bundle, mime: str, data: object) -> None:
    if len(mime) > _LONGEST_MIME_TYPE:
        return
    if isinstance(data, tuple):  # (data, metadata) is allowed by the protocol
        data = cast("tuple[object, ...]", data)[0]
    if isinstance(data, (bytes, bytearray, memoryview)):
        bundle[mime] = bytes(cast("Buffer", data))
    elif isinstance(data, str):
        bundle[mime] = data
    elif data is not None:
        try:
            bundle[mime] = _json(data)
        except (TypeError, ValueError, RecursionError) as error:
            print(f"What is given as {mime} has no form in JSON: {error}", file=sys.stderr)


def _json(data: object) -> str:
    """JSON text, with null for what JSON has no number for, as charts are given."""
    text = dumps(data, default=_json_word)
    if "NaN" not in text and "Infinity" not in text:
        return text
    return dumps(loads(text, parse_constant=lambda _name: None))


def _json_word(value: object) -> object:
    """The form in JSON of an object that has none of its own."""
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    # Numbers and arrays of NumPy, and arrays of Python.
    if hasattr(type(value), "tolist"):
        return cast("Any", value).tolist()
    return repr(value)


def _call(value: object, name: str) -> object:
    # On the type: a Mock or a proxy that answers every attribute has no rich form.
    if not hasattr(type(value), name):
        return None
    method = cast("Callable[..., object]", getattr(value, name))
    try:
        return method()
    except NotImplementedError:
        return None
    except Exception as error:  # noqa: BLE001 - foreign code, reported below
        print(f"{name}() of {type(value).__name__} raised {error!r}", file=sys.stderr)
        return None


def _plain(value: object) -> str:
    return value if isinstance(value, str) else safe_repr(value)
