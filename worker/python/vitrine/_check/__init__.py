"""What is wrong with code, found without running it.

A finding is an error only where it is certain that the run would fail of it;
what depends on a value, a condition or on other code is a warning, or nothing.
"""

from __future__ import annotations

from vitrine._check._check import Surroundings, check
from vitrine._check._imports import is_missing
from vitrine._check._plain_names import plain_names
from vitrine._check._world import NAMESPACES

__all__ = ["NAMESPACES", "Surroundings", "check", "is_missing", "plain_names"]
