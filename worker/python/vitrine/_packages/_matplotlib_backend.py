"""The backend that matplotlib draws for here: PNG, and no window.

Imported by matplotlib alone, by its name in the variable ``MPLBACKEND``. Of what matplotlib
documents for backends (the interface to pyplot by a canvas, since 3.6) this is all that it
needs: a ``FigureCanvas``, whose manager shows figures.
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

from typing import Any

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from vitrine._packages._matplotlib import FIGURES


class FigureManager(FigureManagerBase):
    """Shows figures in the output of the run."""

    def show(self) -> None:
        """Show one figure: ``figure.show()``."""
        FIGURES.show(self.canvas.figure)

    @classmethod
    def pyplot_show(cls, *, block: Any = None) -> None:
        """Show all open figures: ``plt.show()``. There is no window that it could wait for."""
        FIGURES.show_open()


class FigureCanvas(FigureCanvasAgg):
    """A canvas of pixels."""

    manager_class = FigureManager


__all__ = ["FigureCanvas", "FigureManager"]
