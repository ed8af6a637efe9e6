import unittest
from datetime import datetime

from planner.spans import Span, gaps, merged


def hours(start: int, end: int) -> Span:
    return Span(datetime(2025, 1, 1, start), datetime(2025, 1, 1, end))


class SpanTest(unittest.TestCase):
    def test_touching_is_no_overlap(self) -> None:
        self.assertFalse(hours(9, 10).overlaps(hours(10, 11)))
        self.assertTrue(hours(9, 11).overlaps(hours(10, 12)))
        self.assertTrue(hours(9, 12).overlaps(hours(10, 11)))

    def test_the_end_does_not_belong_to_it(self) -> None:
        self.assertTrue(hours(9, 10).contains(datetime(2025, 1, 1, 9)))
        self.assertFalse(hours(9, 10).contains(datetime(2025, 1, 1, 10)))

    def test_no_span_ends_before_it_begins(self) -> None:
        with self.assertRaises(ValueError):
            hours(10, 9)

    def test_merged(self) -> None:
        spans = [hours(14, 15), hours(9, 10), hours(10, 11), hours(9, 10)]
        self.assertEqual(list(merged(spans)), [hours(9, 11), hours(14, 15)])

    def test_gaps(self) -> None:
        spans = [hours(7, 9), hours(12, 13), hours(17, 20)]
        self.assertEqual(list(gaps(spans, hours(8, 18))), [hours(9, 12), hours(13, 17)])
