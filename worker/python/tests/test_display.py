from __future__ import annotations

import array
import contextlib
import datetime
import decimal
import io
import json
import types
import unittest
from typing import Any, override

from vitrine._display import charts_as_data, rich_bundle, table_bundle


class Shy(dict[str, object]):
    """A dict that does not say what is in it."""

    @override
    def items(self) -> Any:
        raise ValueError("no")


def rows(value: object) -> Any:
    """Read the table of ``value``."""
    return json.loads(table_bundle(value)["application/json"])


class TableTests(unittest.TestCase):
    """``display`` of lists of dicts."""

    def test_what_json_has_no_word_for_is_text(self) -> None:
        table: list[dict[object, object]] = [
            {"day": datetime.date(2026, 1, 2), "price": decimal.Decimal("7.50"), 5: (1, 2)},
            {"rate": float("nan"), "big": 2**60, "ok": True, "none": None, "text": "æ", "x": 1.5},
        ]

        self.assertEqual(
            rows(table),
            [
                {"day": "2026-01-02", "price": "7.50", "5": "(1, 2)"},
                {"rate": "nan", "big": str(2**60), "ok": True, "none": None, "text": "æ", "x": 1.5},
            ],
        )

    def test_no_cell_costs_the_table(self) -> None:
        self.assertEqual(rows([Shy(a=1)]), [{"a": 1}])
        self.assertIn("ValueError", rows([{"huge": 10**5000}])[0]["huge"])

    def test_what_is_no_list_of_dicts_or_too_long_is_no_table(self) -> None:
        for value in ([], [{"a": 1}, 2], {"a": 1}, "text", None, [{"long": "x" * 300_000}]):
            self.assertEqual(table_bundle(value), {})


CHART = "application/vnd.vegalite.v5+json"


class Chart:
    """Something that is a chart, of a specification that a test gives."""

    def __init__(self, spec: object) -> None:
        self.spec = spec

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> object:
        return {CHART: self.spec, "text/plain": "a chart"}


class ChartTests(unittest.TestCase):
    """Specifications of charts, which are JSON."""

    def test_a_specification_crosses_as_json(self) -> None:
        spec = {"mark": "bar", "data": {"values": [{"a": "æ", "b": 1}]}}

        bundle = rich_bundle(Chart(spec))

        self.assertEqual(list(bundle), [CHART, "text/plain"])
        self.assertEqual(json.loads(bundle[CHART]), spec)
        self.assertEqual(rich_bundle(Chart(json.dumps(spec)))[CHART], json.dumps(spec))

    def test_what_json_has_no_word_for_reads_as_charts_do(self) -> None:
        spec = {
            "missing": [float("nan"), float("inf"), -float("inf")],
            "text": "NaN",
            "day": datetime.datetime(2026, 1, 2, 3, 4),
            "numbers": array.array("d", [1.5, 2]),
            "other": decimal.Decimal("7.50"),
        }

        self.assertEqual(
            json.loads(rich_bundle(Chart(spec))[CHART]),
            {
                "missing": [None, None, None],
                "text": "NaN",
                "day": "2026-01-02T03:04:00",
                "numbers": [1.5, 2.0],
                "other": "Decimal('7.50')",
            },
        )

    def test_a_form_that_is_no_json_costs_itself_alone(self) -> None:
        circle: list[object] = []
        circle.append(circle)
        for spec in ({(1, 2): 3}, circle):
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                self.assertEqual(rich_bundle(Chart(spec)), {"text/plain": "a chart"})
            self.assertIn(f"What is given as {CHART} has no form in JSON", said.getvalue())

    def test_a_library_whose_renderer_is_its_own_choice_gives_data(self) -> None:
        library = types.SimpleNamespace(renderers=Renderers("default"))
        charts_as_data(library)
        self.assertEqual(library.renderers.active, "mimetype")

        chosen = types.SimpleNamespace(renderers=Renderers("svg"))
        charts_as_data(chosen)
        self.assertEqual(chosen.renderers.active, "svg")

        charts_as_data(None)
        charts_as_data(types.SimpleNamespace())


class Renderers:
    """Names of renderers, of which one is active."""

    def __init__(self, active: str) -> None:
        self.active = active

    def enable(self, name: str) -> None:
        """Make another one the active one."""
        self.active = name
