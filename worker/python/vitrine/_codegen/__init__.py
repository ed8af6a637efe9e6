"""What a generated program finds: its header, its progress, and values as plain JSON.

Nothing of it is imported before a program runs.
"""

from __future__ import annotations

from vitrine._codegen._helpers import CodegenHelpers

__all__ = ["CodegenHelpers"]
