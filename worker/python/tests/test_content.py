"""What tools return beside text and data."""

from __future__ import annotations

import unittest

from vitrine._codec import decode, encode
from vitrine._content import Content
from vitrine._display import rich_bundle


class ContentTest(unittest.TestCase):
    """A piece of content on the wire and on the page."""

    def test_it_comes_off_the_wire_with_its_bytes(self) -> None:
        wire = '[{"$content": ["image", "image/png", {"$bytes": 0}, null, null, null]}]'

        [content] = decode(wire, [b"\x89PNG"])

        self.assertEqual(content, Content("image", "image/png", b"\x89PNG"))
        self.assertEqual(repr(content), "<Content image, image/png, 4 bytes>")

    def test_it_goes_back_as_the_fields_of_an_object(self) -> None:
        text, buffers = encode(Content("resource", "text/plain", "words", "doc://1"))

        self.assertIn('"$object":["Content"', text)
        self.assertIn('"data":"words"', text)
        self.assertEqual(buffers, [])

    def test_pictures_and_text_show_themselves(self) -> None:
        for content, shown in [
            (Content("image", "image/png", b"x"), "image/png"),
            (Content("resource", "text/markdown; charset=utf-8", "# a"), "text/markdown"),
        ]:
            with self.subTest(content):
                self.assertIn(shown, rich_bundle(content))

    def test_what_no_page_can_draw_shows_nothing(self) -> None:
        for content in [
            Content("resource", "application/pdf", b"x"),
            Content("audio", "audio/wav", b"x"),
            Content("resource_link", "image/png", uri="doc://1"),
        ]:
            with self.subTest(content):
                self.assertEqual(rich_bundle(content), {})
