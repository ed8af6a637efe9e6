"""Repairs mojibake with ftfy: what write_code runs on the texts that models write."""

import importlib
import json
from typing import Any

# ftfy tries one wrong decoding after the other, over and over, and gives such texts up itself.
LONGEST = 1_000_000


def repair_texts(given: str) -> list[str]:
    """Repair texts, each by itself.

    Nothing but the wrong decoding is undone. What ``fix_text`` does beside that damages code: it
    decodes entities, straightens quotes, folds ligatures and wide characters, and normalises.

    Args:
        given: JSON, a list of texts.

    Raises:
        ImportError: ftfy is not installed.
    """
    texts: list[str] = json.loads(given)
    ftfy: Any = importlib.import_module("ftfy")
    return [text if len(text) > LONGEST else str(ftfy.fix_encoding(text)) for text in texts]
