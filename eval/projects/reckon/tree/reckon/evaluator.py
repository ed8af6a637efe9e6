"""From lines to values."""

from fractions import Fraction

from reckon.errors import ReckonError
from reckon.functions import FUNCTIONS
from reckon.parser import parse
from reckon.source import Source
from reckon.syntax import Call, Expression, Name, Negation, Number, Operation


def evaluate(source: Source) -> list[Fraction]:
    """Compute a sheet: the values of the lines that have no name."""
    names: dict[str, Fraction] = {}
    asked: list[Fraction] = []
    for line in parse(source):
        value = _value(line.value, names)
        if line.name is None:
            asked.append(value)
        else:
            names[line.name] = value
    return asked


def _value(expression: Expression, names: dict[str, Fraction]) -> Fraction:
    match expression:
        case Number(value):
            return value
        case Name(name, offset):
            if name not in names:
                raise ReckonError(f"there is no {name}", offset)
            return names[name]
        case Negation(operand):
            return -_value(operand, names)
        case Operation(sign, left, right, offset):
            return _operation(sign, _value(left, names), _value(right, names), offset)
        case Call(name, arguments, offset):
            if name not in FUNCTIONS:
                raise ReckonError(f"there is no function {name}", offset)
            try:
                return FUNCTIONS[name](*(_value(each, names) for each in arguments))
            except TypeError as error:
                raise ReckonError(f"{name} takes other values", offset) from error


def _operation(sign: str, left: Fraction, right: Fraction, offset: int) -> Fraction:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            if right == 0:
                raise ReckonError("nothing can be divided by 0", offset)
            return left / right
        case _:
            if right.denominator != 1 or abs(right) > 1000:
                raise ReckonError("a power is a whole number up to 1000", offset)
            if left == 0 and right < 0:
                raise ReckonError("nothing can be divided by 0", offset)
            return left ** int(right)
