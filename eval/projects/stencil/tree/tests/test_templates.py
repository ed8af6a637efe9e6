import unittest

from stencil import DictLoader, Environment, Safe, TemplateError


def rendered(source: str, /, name: str = "a.txt", **values: object) -> str:
    return Environment(DictLoader({name: source})).render(name, **values)


class TemplateTest(unittest.TestCase):
    def test_values(self) -> None:
        self.assertEqual(rendered("{{ a.b }}{{ none }}!", a={"b": 3}), "3!")

    def test_for_and_if(self) -> None:
        source = "{% for x in xs %}{% if x.on %}<{{ x.n }}>{% end %}{% end %}"
        self.assertEqual(rendered(source, xs=[{"on": True, "n": 1}, {"on": False, "n": 2}]), "<1>")

    def test_names_of_a_loop_end_with_it(self) -> None:
        self.assertEqual(
            rendered("{% for x in xs %}{{ x }}{% end %}{{ x }}", xs=[1, 2], x=0), "120"
        )

    def test_html_is_escaped_and_text_is_not(self) -> None:
        self.assertEqual(rendered("{{ x }}", "a.html", x="a & b"), "a &amp; b")
        self.assertEqual(rendered("{{ x }}", "a.txt", x="a & b"), "a & b")

    def test_safe_text_is_not_escaped(self) -> None:
        self.assertEqual(rendered("{{ x }}", "a.html", x=Safe("<b>")), "<b>")

    def test_mistakes_have_their_line(self) -> None:
        for source, message in (
            ("\n{% if x %}", "line 2: the end is missing"),
            ("a{% end %}", "line 1: there is nothing to end"),
            ("\n\n{{ x | no }}", "line 3: there is no filter 'no'"),
            ("{% maybe %}", "line 1: 'maybe' is no tag"),
        ):
            with self.subTest(source), self.assertRaisesRegex(TemplateError, message):
                rendered(source)
