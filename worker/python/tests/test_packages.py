"""What the objects of packages are here.

NumPy, pandas, matplotlib and Pillow cannot be had where this runs. What is said of their
classes is tried with objects of the test's own that have the same methods; whether the
packages have them is for ``packages-check.html`` to tell.
"""

from __future__ import annotations

import array
import ctypes
import datetime
import decimal
import importlib.util
import io
import json
import os
import unittest
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from unittest import mock

from vitrine import _codec
from vitrine._display import rich_bundle
from vitrine._packages import package_form, picture_of
from vitrine._packages._imported import imported, is_of
from vitrine._packages._matplotlib import Figures, picture_of_figure
from vitrine._packages._numpy import MOST_ITEMS, array_form, scalar_form
from vitrine._packages._pandas import frame_form, list_form, series_form
from vitrine._packages._pillow import MOST_PIXELS, picture_of_image
from vitrine._plain_forms import PlainForm, Refusal


@dataclass
class Kind:
    """What numbers are of."""

    kind: str
    name: str = ""


class Reading:
    """One number."""

    def __init__(self, kind: str, item: object, name: str = "", finer: object = None) -> None:
        self.dtype = Kind(kind, name)
        self._item, self._finer = item, finer

    def item(self) -> object:
        return self if self._item is Ellipsis else self._item

    def __float__(self) -> float:
        return 0.25

    def astype(self, dtype: str, /) -> Reading:
        return Reading(self.dtype.kind, self._finer, dtype)


class Grid:
    """Numbers in rows and columns."""

    def __init__(self, numbers: array.array[Any], shape: Sequence[int], kind: str = "i") -> None:
        self.dtype = Kind(kind, "")
        flat: memoryview[int] = memoryview(numbers).cast("B")
        self._view: Any = flat.cast(cast("Any", numbers.typecode), tuple(shape))
        self.size = len(numbers)

    def tolist(self) -> object:
        return self._view.tolist()

    def astype(self, dtype: str, /) -> Grid:
        raise AssertionError(f"no number here is {dtype}")


class Labels:
    """What rows are called."""

    def __init__(self, labels: Sequence[object], *names: str | None) -> None:
        self.names = list(names) or [None]
        self.size = len(labels)
        self.is_unique = len(set(labels)) == len(labels)
        self._labels = list(labels)

    def tolist(self) -> list[object]:
        return self._labels


class Column:
    """Values with labels."""

    def __init__(self, values: Sequence[object], index: Labels) -> None:
        self.index = index
        self.size = len(values)
        self._values = list(values)

    def tolist(self) -> list[object]:
        return self._values


@dataclass
class Table:
    """Rows with named columns."""

    rows: list[dict[object, object]]
    index: Labels
    numbered: list[dict[object, object]] = field(default_factory=list[dict[object, object]])

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.columns)

    @property
    def columns(self) -> list[object]:
        return list(self.rows[0])

    def reset_index(self) -> Table:
        return Table(self.numbered, Labels(range(len(self.rows))))

    def to_dict(self, orient: str) -> list[dict[object, object]]:
        return {"records": self.rows}[orient]


class Picture:
    """Pixels."""

    def __init__(self, width: int, height: int, mode: str = "RGB") -> None:
        self.size, self.mode = (width, height), mode

    def __repr__(self) -> str:
        return f"<{self.mode} {self.size[0]}x{self.size[1]}>"

    def resize(self, size: tuple[int, int]) -> Picture:
        return Picture(*size, self.mode)

    def convert(self, mode: str) -> Picture:
        return Picture(*self.size, mode)

    def _repr_png_(self) -> bytes | None:
        return repr(self).encode() if self.mode == "RGB" else None


class Drawing:
    """Something that saves itself."""

    dpi = 100.0

    def __init__(self, width: float = 4, height: float = 3) -> None:
        self._size = width, height
        self.saved: dict[str, Any] = {}

    def __repr__(self) -> str:
        return "<drawing>"

    def get_size_inches(self) -> tuple[float, float]:
        return self._size

    def savefig(self, file: io.BytesIO, **options: Any) -> None:
        self.saved = options
        file.write(b"png")


class ImportedTests(unittest.TestCase):
    """Packages are known once code has imported them."""

    def test_what_nobody_has_imported_is_not_there(self) -> None:
        self.assertIs(imported("decimal", "Decimal"), decimal.Decimal)
        self.assertIsNone(imported("decimal", "Fraction"))
        self.assertIsNone(imported("antigravity", "webbrowser"))
        self.assertIsNone(imported("no_such_package", "Thing"))

    def test_derived_classes_count(self) -> None:
        class Amount(decimal.Decimal):
            pass

        self.assertTrue(is_of(Amount, "decimal", "Decimal"))
        self.assertFalse(is_of(int, "decimal", "Decimal"))
        self.assertFalse(is_of(int, "decimal", "getcontext"))

    def test_objects_of_no_package_have_no_form_and_no_picture(self) -> None:
        for value in (Reading("i", 5), Grid(array.array("i", [1]), [1]), Picture(1, 1), 5, None):
            self.assertIsNone(package_form(value, type(value)))
            self.assertIsNone(picture_of(value))
        self.assertEqual(rich_bundle(Drawing()), {})


class NumberTests(unittest.TestCase):
    """Numbers and arrays as NumPy has them."""

    def test_a_scalar_is_the_value_that_it_holds(self) -> None:
        for kind, item in (("i", 5), ("u", 2**63), ("b", True), ("U", "text"), ("S", b"bytes")):
            self.assertEqual(scalar_form(Reading(kind, item)), PlainForm(item))
        form = scalar_form(Reading("f", 1.5))
        self.assertEqual(form, PlainForm(1.5))

    def test_a_long_double_is_a_float(self) -> None:
        self.assertEqual(scalar_form(Reading("f", ...)), PlainForm(0.25))

    def test_times_are_as_fine_as_those_of_python(self) -> None:
        moment = datetime.datetime(2026, 1, 2, 3, 4, 5, 6)
        fine = Reading("M", 1_767_323_045_000_006_001, "datetime64[ns]", finer=moment)
        self.assertEqual(scalar_form(fine), PlainForm(moment))
        self.assertEqual(scalar_form(Reading("M", moment, "datetime64[us]")), PlainForm(moment))
        self.assertEqual(scalar_form(Reading("M", None, "datetime64[ns]")), PlainForm(None))

    def test_what_has_no_counterpart_says_what_to_pass(self) -> None:
        for reading, words in (
            (Reading("c", 1j), ".imag"),
            (Reading("M", 10**18, "datetime64[s]"), "Pass its text"),
            (Reading("V", ..., "void32"), "Pass its text"),
        ):
            form = scalar_form(reading)
            self.assertIsInstance(form, Refusal)
            self.assertIn(words, str(form))

    def test_an_array_is_nested_lists_up_to_a_size(self) -> None:
        grid = Grid(array.array("i", range(6)), [2, 3])
        self.assertEqual(array_form(grid), PlainForm([[0, 1, 2], [3, 4, 5]]))
        whole = array_form(Grid(array.array("b", bytes(MOST_ITEMS)), [MOST_ITEMS]))
        self.assertIsInstance(whole, PlainForm)

    def test_a_larger_array_and_one_of_complex_numbers_say_what_to_pass(self) -> None:
        large = Grid(array.array("b", bytes(MOST_ITEMS + 1)), [MOST_ITEMS + 1])
        self.assertIn("100,001 items", str(array_form(large)))
        self.assertIn("array.data", str(array_form(large)))
        self.assertIn("array.imag", str(array_form(Grid(array.array("d", [1]), [1], "c"))))


class TableTests(unittest.TestCase):
    """Tables and columns as pandas has them."""

    def test_a_table_is_a_list_of_its_rows_by_text(self) -> None:
        rows: list[dict[object, object]] = [{"city": "Oslo", 5: 7}, {"city": "Rome", 5: 19}]

        form = frame_form(Table(rows, Labels([0, 1])))

        self.assertEqual(form, PlainForm([{"city": "Oslo", "5": 7}, {"city": "Rome", "5": 19}]))

    def test_an_index_with_a_name_is_a_column(self) -> None:
        named: list[dict[object, object]] = [{"city": "Oslo", "mean": 7}]
        table = Table([{"mean": 7}], Labels(["Oslo"], "city"), numbered=named)

        self.assertEqual(frame_form(table), PlainForm([{"city": "Oslo", "mean": 7}]))

    def test_a_column_is_a_list_or_a_dict_where_its_labels_say_something(self) -> None:
        numbered = Column([7, 19], Labels([0, 3]))
        by_city = Column([7, 19], Labels(["Oslo", "Rome"]))
        by_year = Column([7, 19], Labels([2025, 2026], "year"))
        twice = Column([7, 19], Labels(["Oslo", "Oslo"]))

        self.assertEqual(series_form(numbered), PlainForm([7, 19]))
        self.assertEqual(series_form(by_city), PlainForm({"Oslo": 7, "Rome": 19}))
        self.assertEqual(series_form(by_year), PlainForm({2025: 7, 2026: 19}))
        self.assertEqual(series_form(twice), PlainForm([7, 19]))

    def test_an_array_of_its_own_is_a_list(self) -> None:
        self.assertEqual(list_form(array.array("d", [1.5])), PlainForm([1.5]))
        self.assertIsInstance(list_form(array.array("b", bytes(MOST_ITEMS + 1))), Refusal)

    def test_what_is_too_large_says_what_to_pass(self) -> None:
        rows: list[dict[object, object]] = [{"a": 1}] * (MOST_ITEMS + 1)
        table = frame_form(Table(rows, Labels(range(1))))
        column = series_form(Column(range(MOST_ITEMS + 1), Labels([0])))

        self.assertIn("100,001 x 1 cells", str(table))
        self.assertIn("frame.head(100000)", str(table))
        self.assertIn("series.to_numpy().data", str(column))


class PictureTests(unittest.TestCase):
    """Images as Pillow has them, figures as matplotlib has them."""

    def test_an_image_is_png(self) -> None:
        picture = picture_of_image(Picture(20, 10))

        self.assertEqual(picture, {"image/png": b"<RGB 20x10>", "text/plain": "<RGB 20x10>"})

    def test_colours_that_png_has_not_are_converted(self) -> None:
        picture = picture_of_image(Picture(20, 10, "CMYK")) or {}

        self.assertEqual(picture["image/png"], b"<RGB 20x10>")

    def test_a_large_image_is_shown_smaller(self) -> None:
        picture = picture_of_image(Picture(40_000, 20_000)) or {}

        self.assertEqual(picture["image/png"], b"<RGB 4000x2000>")
        self.assertEqual(picture["text/plain"], "<RGB 40000x20000>, shown as 4000x2000 pixels")

    def test_a_figure_is_png_as_large_as_it_says(self) -> None:
        figure = Drawing()

        picture = picture_of_figure(figure)

        self.assertEqual(picture, {"image/png": b"png", "text/plain": "<drawing>"})
        self.assertEqual(figure.saved, {"format": "png", "dpi": 100.0, "bbox_inches": "tight"})

    def test_a_large_figure_is_drawn_with_fewer_pixels(self) -> None:
        figure = Drawing(1000, 800)

        picture_of_figure(figure)

        self.assertAlmostEqual(figure.saved["dpi"] ** 2 * 1000 * 800, MOST_PIXELS)

    def test_figures_are_shown_when_they_are_asked_for(self) -> None:
        shown: list[dict[str, str | bytes]] = []
        figures = Figures()
        figures.connect(shown.append)

        figures.show(Drawing())
        figures.show_open()
        figures.begin_run()

        self.assertEqual(shown, [{"image/png": b"png", "text/plain": "<drawing>"}])

    def test_matplotlib_would_find_our_backend(self) -> None:
        Figures().connect(lambda _picture: None)
        scheme, _, module = os.environ["MPLBACKEND"].partition("://")

        self.assertEqual(scheme, "module")
        self.assertIsNotNone(importlib.util.find_spec(module))
        self.assertEqual(imported(module, "FigureCanvas"), None)


def wire(value: object, *, converts: bool = False) -> tuple[Any, list[bytes]]:
    """What crosses."""
    text, buffers = _codec.encode(value, converts=converts)
    return json.loads(text), [bytes(buffer) for buffer in buffers]


class CrossingTests(unittest.TestCase):
    """What packages hand over, on the wire."""

    def test_a_view_of_numbers_is_a_typed_array(self) -> None:
        for typecode, kind in (
            ("b", "int8"),
            ("h", "int16"),
            ("H", "uint16"),
            ("i", "int32"),
            ("I", "uint32"),
            ("q", "int64"),
            ("Q", "uint64"),
            ("f", "float32"),
            ("d", "float64"),
        ):
            numbers = array.array(typecode, [1, 2])
            expected = ({"$array": [kind, 0]}, [numbers.tobytes()])
            self.assertEqual(wire(memoryview(numbers)), expected)
            self.assertEqual(wire([memoryview(numbers)], converts=True)[0], [expected[0]])

    def test_a_long_is_as_large_as_it_is_here(self) -> None:
        numbers = array.array("l", [1])
        bits = 8 * numbers.itemsize
        self.assertEqual(wire(memoryview(numbers))[0], {"$array": [f"int{bits}", 0]})

    def test_what_numbers_lie_in_makes_no_difference(self) -> None:
        numbers = (ctypes.c_double * 3)(1, 2, 3)
        gaps = memoryview(array.array("d", [1, 2, 3]))[::2]

        self.assertEqual(wire(memoryview(numbers)), ({"$array": ["float64", 0]}, [bytes(numbers)]))
        self.assertEqual(
            wire(gaps), ({"$array": ["float64", 0]}, [array.array("d", [1, 3]).tobytes()])
        )

    def test_a_view_of_anything_else_is_bytes(self) -> None:
        swapped = (ctypes.c_double.__ctype_be__ * 1)(1)
        for view in (memoryview(b"ab"), memoryview(b"ab").cast("c"), memoryview(swapped)):
            self.assertEqual(wire(view), ({"$bytes": 0}, [view.tobytes()]))

    def test_what_a_package_refuses_is_an_error_as_argument_and_opaque_as_value(self) -> None:
        def form(value: object, kind: type) -> PlainForm | Refusal | None:
            if kind is Reading:
                return Refusal("Pass something else.")
            return PlainForm([value, 1]) if kind is Drawing else None

        with mock.patch.object(_codec, "package_form", form):
            with self.assertRaisesRegex(ValueError, "Pass something else"):
                wire({"rows": [Reading("c", 1j)]}, converts=True)
            self.assertEqual(wire([Reading("c", 1j)])[0][0]["$opaque"][1], "Reading")
            # One that holds itself ends.
            self.assertEqual(wire(Drawing())[0], [{"$opaque": ["<drawing>", "Drawing"]}, 1])
