from typing import Annotated
from vitrine import tool

@tool(timeout=20)                          # or plain @tool: 60 seconds
def mean(values: Annotated[list[float], "At least one"], digits: int = 2) -> float:
    """The mean of some values."""
    return round(sum(values) / len(values), digits)

tools.mean(values=[1, 2, 4])
