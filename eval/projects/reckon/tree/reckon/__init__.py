"""Sheets of sums."""

from reckon.errors import ReckonError
from reckon.evaluator import evaluate
from reckon.outline import outline
from reckon.source import Position, Source

__all__ = ["Position", "ReckonError", "Source", "evaluate", "outline"]
