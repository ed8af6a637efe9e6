import tempfile
import unittest
from pathlib import Path

import settings

FILE = "/workspace/settings.toml"


class SettingsTest(unittest.TestCase):
    def test_all_values(self):
        self.assertEqual(
            settings.load(FILE, {}),
            {
                "robot": {"name": "Postbote", "languages": ["de", "en", "nl"]},
                "mail": {"host": "mail.example.com", "port": 587, "secure": True},
                "retry": {"attempts": 4, "wait": 1.5},
                "footer": {"text": 'With kind regards\n"Postbote"'},
            },
        )

    def test_overrides_have_the_types_of_the_file(self):
        given = {
            "mail.port": "25",
            "mail.secure": "false",
            "retry.wait": "2",
            "robot.languages": "fr, it ,es",
            "robot.name": "587",
        }
        loaded = settings.load(FILE, given)
        self.assertEqual(loaded["mail"], {"host": "mail.example.com", "port": 25, "secure": False})
        self.assertEqual(loaded["retry"]["wait"], 2.0)
        self.assertIsInstance(loaded["retry"]["wait"], float)
        self.assertEqual(loaded["robot"], {"name": "587", "languages": ["fr", "it", "es"]})

    def test_another_load_has_the_values_of_the_file(self):
        settings.load(FILE, {"mail.port": "25"})
        self.assertEqual(settings.load(FILE, {})["mail"]["port"], 587)

    def test_unknown_names(self):
        for name in ["mail.user", "post.port", "mail", "port", "mail.port.tls"]:
            with self.subTest(name), self.assertRaisesRegex(settings.SettingsError, name):
                settings.load(FILE, {name: "1"})

    def test_texts_of_another_type(self):
        for name, text in [
            ("mail.port", "many"),
            ("mail.port", "1.5"),
            ("mail.secure", "1"),
            ("retry.wait", ""),
        ]:
            with self.subTest(name), self.assertRaisesRegex(settings.SettingsError, name):
                settings.load(FILE, {name: text})

    def test_another_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "other.toml")
            path.write_text("[a]\nb = 1\n")
            self.assertEqual(settings.load(str(path), {"a.b": "3"}), {"a": {"b": 3}})
            path.write_text("[a\n")
            with self.assertRaisesRegex(settings.SettingsError, "other.toml"):
                settings.load(str(path), {})
        self.assertTrue(issubclass(settings.SettingsError, ValueError))
