import unittest

from prices import Line, receipt, subtotal, tax_included, total


class PricesTest(unittest.TestCase):
    def test_total_has_shipping(self):
        self.assertEqual(total([Line("tea", 450, 2)]), 1390)

    def test_no_pieces_cost_nothing(self):
        self.assertEqual(subtotal([Line("tea", 450, 0), Line("tea", 450, -1)]), 0)

    def test_tax(self):
        self.assertEqual(
            tax_included([Line("tea", 107, 1, "reduced"), Line("pot", 1200)]),
            {"reduced": 7, "standard": 200},
        )

    def test_receipt(self):
        self.assertEqual(
            receipt([Line("tea", 450, 2)]).splitlines()[0], "  2 tea                     9.00"
        )
