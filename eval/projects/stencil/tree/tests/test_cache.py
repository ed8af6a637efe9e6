import unittest

from stencil.cache import TemplateCache, TemplateKey
from stencil.environment import Environment
from tests.counting_loader import CountingLoader


class TemplateCacheTest(unittest.TestCase):
    def test_what_was_not_used_for_long_is_dropped(self) -> None:
        cache: TemplateCache[str] = TemplateCache(2)
        made: list[str] = []

        def make(key: TemplateKey) -> str:
            made.append(key.name)
            return key.name

        for name in ("a", "b", "a", "c", "a", "b"):
            cache.fetch(TemplateKey(name), make)

        self.assertEqual(made, ["a", "b", "c", "b"])
        self.assertEqual(len(cache), 2)


class EnvironmentCacheTest(unittest.TestCase):
    def test_a_template_is_loaded_once(self) -> None:
        loader = CountingLoader({"a.txt": "{{ x }}"})
        environment = Environment(loader)
        self.assertEqual([environment.render("a.txt", x=x) for x in "pq"], ["p", "q"])
        self.assertEqual(loader.loaded["a.txt"], 1)

    def test_an_included_template_is_loaded_once(self) -> None:
        loader = CountingLoader(
            {"a.txt": '{% for x in xs %}{% include "b" %}{% end %}', "b": "{{ x }}"}
        )
        self.assertEqual(Environment(loader).render("a.txt", xs=[1, 2, 3]), "123")
        self.assertEqual(loader.loaded["b"], 1)

    def test_a_cleared_cache_is_empty(self) -> None:
        loader = CountingLoader({"a.txt": "x"})
        environment = Environment(loader)
        environment.render("a.txt")
        environment.cache.clear()
        environment.render("a.txt")
        self.assertEqual(loader.loaded["a.txt"], 2)
