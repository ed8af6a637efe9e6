import unittest

from stockroom.errors import StockError
from stockroom.session import Session
from tests.samples import bolts


class SessionTest(unittest.TestCase):
    def setUp(self) -> None:
        self.session = Session(bolts())

    def test_pieces(self) -> None:
        self.session.do("add M6 A1 50")
        self.session.do("move M6 A1 B2 100")
        self.session.do("take M6 B2 140")
        self.assertEqual(self.session.stock.item("M6").shelves, {"A1": 200})

    def test_kinds(self) -> None:
        self.session.do("register P3 Plywood_3_mm")
        self.assertEqual(self.session.stock.item("P3").title, "Plywood 3 mm")

    def test_reports(self) -> None:
        self.assertEqual(self.session.do("low"), "W6: 320 of 500")
        self.assertEqual(
            self.session.do("list").splitlines()[0], "M6 Bolt M6: 290 (A1: 250, B2: 40)"
        )

    def test_taking_says_what_is_low(self) -> None:
        self.assertEqual(self.session.do("take W6 A1 20"), "Washer 6 mm is low: 300 of 500")

    def test_what_is_no_command(self) -> None:
        for line in ("fly M6", "add M6 A1", "add M6 A1 none", "take M6 A1 9999", "add XX A1 1"):
            with self.subTest(line), self.assertRaises(StockError):
                self.session.do(line)

    def test_undo_of_a_new_kind(self) -> None:
        self.session.do("register P3 Plywood")
        self.session.do("undo")
        self.assertEqual(len(self.session.stock), 2)
        self.session.do("redo")
        self.assertEqual(len(self.session.stock), 3)

    def test_a_report_is_not_undone(self) -> None:
        self.session.do("register P3 Plywood")
        self.session.do("list")
        self.session.do("undo")
        self.assertEqual(len(self.session.stock), 2)
