"""What the objects of packages are here: plain values for the page, pictures to be shown.

One module for each package, which goes by the classes that code has imported and imports
nothing itself: a session that does not use a package does not pay for it. The packages
cannot be had where the tests run, so these modules are written against their documented
interfaces; ``packages-check.html`` tries them with the packages themselves.
"""

from __future__ import annotations

from vitrine._packages._matplotlib import FIGURES
from vitrine._packages._numpy import numpy_form
from vitrine._packages._pandas import pandas_form
from vitrine._packages._pillow import image_picture
from vitrine._plain_forms import PlainForm, Refusal


def package_form(value: object, kind: type) -> PlainForm | Refusal | None:
    """The plain form of an object of NumPy or pandas; None for any other.

    Args:
        value: The object.
        kind: Its class, as Python knows it.
    """
    form = numpy_form(value, kind)
    return pandas_form(value, kind) if form is None else form


def picture_of(value: object) -> dict[str, str | bytes] | None:
    """A figure of matplotlib or an image of Pillow as PNG, with its text; None for the rest."""
    picture = FIGURES.picture(value)
    return image_picture(value) if picture is None else picture


__all__ = ["FIGURES", "package_form", "picture_of"]
