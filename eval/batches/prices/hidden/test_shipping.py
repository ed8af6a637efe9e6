import unittest

from prices import Line, receipt, shipping, subtotal, tax_included, total


class ShippingTest(unittest.TestCase):
    def test_usual_order(self):
        self.assertEqual(shipping([Line("tea", 450, 2)]), 490)
        self.assertEqual(shipping([Line("tea", 4999)]), 490)

    def test_free_from_fifty(self):
        self.assertEqual(shipping([Line("tea", 5000)]), 0)
        self.assertEqual(shipping([Line("tea", 2500), Line("pot", 2500)]), 0)

    def test_bulky_things_cost_by_the_piece_in_any_case(self):
        self.assertEqual(shipping([Line("chair", 2000, 2, bulky=True)]), 2290)
        self.assertEqual(shipping([Line("chair", 4000, 2, bulky=True)]), 1800)
        self.assertEqual(
            shipping([Line("chair", 4000, 1, "standard", True), Line("tea", 1000)]), 900
        )

    def test_nothing_is_sent_for_nothing(self):
        self.assertEqual(shipping([]), 0)
        self.assertEqual(shipping([Line("tea", 9000, 0), Line("chair", 100, -1, bulky=True)]), 0)

    def test_lines_of_no_pieces_add_nothing(self):
        self.assertEqual(shipping([Line("tea", 450), Line("chair", 100, 0, bulky=True)]), 490)

    def test_total_and_receipt_follow(self):
        lines = [Line("chair", 4000, 2, bulky=True)]
        self.assertEqual(total(lines), 9800)
        self.assertEqual(receipt(lines).splitlines()[-1], "total                      98.00")
        self.assertEqual(
            receipt([Line("tea", 5000)]).splitlines()[-1], "total                      50.00"
        )

    def test_a_line_is_not_bulky_unless_it_says_so(self):
        self.assertFalse(Line("tea", 1).bulky)
        self.assertEqual(Line("tea", 1), Line("tea", 1, 1, "standard", False))


class UnchangedTest(unittest.TestCase):
    def test_half_a_cent_of_tax_goes_up(self):
        self.assertEqual(
            tax_included([Line("a", 3), Line("b", 15, 1, "reduced")]), {"standard": 1, "reduced": 1}
        )

    def test_no_pieces(self):
        self.assertEqual(subtotal([Line("tea", 450, -3), Line("tea", 450, 1)]), 450)

    def test_a_long_name_is_cut(self):
        self.assertEqual(
            receipt([Line("x" * 40, 100)]).splitlines()[0], "  1 xxxxxxxxxxxxxxxxxx      1.00"
        )
