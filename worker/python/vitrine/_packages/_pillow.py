"""Images of Pillow as PNG.

Written against what Pillow documents of ``PIL.Image.Image``: ``size``, ``resize()``,
``convert()``, and the method that notebooks call, ``_repr_png_()``.
"""

from __future__ import annotations

import math
from typing import Any

from vitrine._packages._imported import is_of

MOST_PIXELS = 8_000_000
"""Of a picture that is shown. A larger one is shown smaller."""


def image_picture(value: object) -> dict[str, str | bytes] | None:
    """An image as PNG, and its text; None for anything else."""
    return picture_of_image(value) if is_of(type(value), "PIL.Image", "Image") else None


def picture_of_image(image: Any) -> dict[str, str | bytes] | None:
    """PNG of an image; None where it has none.

    Pillow itself offers JPEG, too, which would send every image twice.
    """
    text = repr(image)
    width, height = image.size
    factor = math.sqrt(MOST_PIXELS / max(1, width * height))
    if factor < 1:
        size = max(1, int(width * factor)), max(1, int(height * factor))
        image = image.resize(size)
        text = f"{text}, shown as {size[0]}x{size[1]} pixels"
    png = image._repr_png_()
    if png is None:
        # PNG has no such colours, those of print for instance.
        png = image.convert("RGB")._repr_png_()
    return None if png is None else {"image/png": png, "text/plain": text}


__all__ = ["MOST_PIXELS", "image_picture", "picture_of_image"]
