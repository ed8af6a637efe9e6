"""Matplotlib's figures: when they are shown, and as what.

Written against what matplotlib documents of ``Figure.savefig()``, ``pyplot.get_fignums()``,
``pyplot.figure()`` and ``pyplot.close()``. The backend is ``_matplotlib_backend``.
"""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from vitrine._packages._imported import imported, is_of
from vitrine._packages._pillow import MOST_PIXELS

_BACKEND = "module://vitrine._packages._matplotlib_backend"


class Figures:
    """Shows figures, each once in a run.

    Open are those that pyplot knows of. They are shown by ``plt.show()`` and at the end of the
    run, and closed with that, as in notebooks.
    """

    def __init__(self) -> None:
        self._show: Callable[[dict[str, str | bytes]], None] = lambda _picture: None
        self._shown: WeakSet[Any] = WeakSet()

    def connect(self, show: Callable[[dict[str, str | bytes]], None]) -> None:
        """Show figures by ``show`` from now on, and be what matplotlib draws for.

        Matplotlib reads the name of its backend from the environment when it is imported.
        """
        self._show = show
        os.environ["MPLBACKEND"] = _BACKEND

    def begin_run(self) -> None:
        """Forget what a run left open that was interrupted."""
        self._shown.clear()
        _close_all()

    def picture(self, value: object) -> dict[str, str | bytes] | None:
        """A figure as PNG, and its text. It counts as shown. None for anything else."""
        if not is_of(type(value), "matplotlib.figure", "Figure"):
            return None
        self._shown.add(value)
        return picture_of_figure(value)

    def show(self, figure: Any) -> None:
        """Show one figure. It stays open."""
        picture = picture_of_figure(figure)
        self._shown.add(figure)
        self._show(picture)

    def show_open(self) -> None:
        """Show all open figures that were not shown yet, and close them."""
        numbers = imported("matplotlib.pyplot", "get_fignums")
        if numbers is None:
            return
        find: Any = imported("matplotlib.pyplot", "figure")
        try:
            for number in numbers():
                figure = find(number)
                if figure not in self._shown:
                    self._try_to_show(figure)
        finally:
            _close_all()

    def _try_to_show(self, figure: Any) -> None:
        try:
            self.show(figure)
        except Exception as error:  # noqa: BLE001 - foreign code; the run's value is not its fault
            print(f"A figure could not be drawn: {error!r}", file=sys.stderr)


def _close_all() -> None:
    close = imported("matplotlib.pyplot", "close")
    if close is not None:
        close("all")


def picture_of_figure(figure: Any) -> dict[str, str | bytes]:
    """PNG of a figure, as large as it says, up to so many pixels."""
    width, height = figure.get_size_inches()
    dpi = min(figure.dpi, math.sqrt(MOST_PIXELS / max(1e-6, width * height)))
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=dpi, bbox_inches="tight")
    return {"image/png": image.getvalue(), "text/plain": repr(figure)}


FIGURES = Figures()
"""The figures of this interpreter: there is one pyplot."""

__all__ = ["FIGURES", "Figures", "picture_of_figure"]
