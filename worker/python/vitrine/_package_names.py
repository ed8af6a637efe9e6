"""Names of packages, as they are compared."""

from __future__ import annotations

import re


def canonical_name(name: str) -> str:
    """The one spelling of a package's name: lower case, with hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()


def package_of(spec: str) -> str:
    """The canonical name in a specification such as ``rich[extra]>=13``."""
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", spec)
    return canonical_name(match[0] if match else spec)


__all__ = ["canonical_name", "package_of"]
