"""Says whether Python takes a text for a module: write_code asks before it writes one."""

import json
import warnings
from typing import Any


def syntax_fault(given: str) -> dict[str, Any] | None:
    """Compile a text as ``import`` does. What a cell may have, such as ``!ls``, a file may not.

    Args:
        given: JSON with `code` and `filename`.

    Returns:
        What is wrong and where, from 1 on; nothing where all is well.
    """
    wanted: dict[str, str] = json.loads(given)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(wanted["code"], wanted["filename"], "exec", dont_inherit=True)
    except SyntaxError as error:
        return {
            "message": error.msg,
            "line": max(1, error.lineno or 1),
            "column": max(1, error.offset or 1),
            "pythonType": type(error).__name__,
        }
    return None
