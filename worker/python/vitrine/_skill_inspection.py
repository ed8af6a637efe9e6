"""What a skill's source says about it, found without running it."""

from __future__ import annotations

import ast
import json
import keyword
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from vitrine._c_stack import WholeStack
from vitrine._depth import check_depth
from vitrine._errors import SkillSyntaxError, SkillValidationError

RESERVED_SKILL_NAMES = frozenset(
    {"list", "search", "get", "invoke", "create", "delete", "call_sync", "call_async"}
)

# A parameter of such a name is filled with the namespace, not by the caller.
NAMESPACE_PARAMETERS = frozenset({"tools", "skills", "workflows", "artifacts", "deps"})

type RunFunction = ast.FunctionDef | ast.AsyncFunctionDef


def inspect_skill(name: str, source: str) -> dict[str, Any]:
    """Read description and parameters of a skill, and check that it can be one.

    Returns:
        ``{"description", "parameters": [{"name", "type", "description", "required",
        "default"?}]}``. A default that JSON cannot hold is its source text.

    Raises:
        SkillValidationError: The name cannot be used, or there is no ``run``.
        SkillSyntaxError: The source is not Python; ``lineno`` says where.
    """
    check_skill_name(name)
    tree = _parse(name, source)
    run = _find_run(tree)
    if run is None:
        raise _invalid(
            name, f"Skill {name!r} must define 'async def run(...)' or 'def run(...)' at top level."
        )
    run_doc = ast.get_docstring(run) or ""
    description = _first_line(ast.get_docstring(tree) or "") or _first_line(run_doc)
    return {"description": description, "parameters": _parameters(run, source, run_doc)}


def check_skill_name(name: object) -> None:
    """Check that a skill can be called ``name``.

    Raises:
        SkillValidationError: It cannot; the message says why.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise _invalid(str(name), f"Skill name {name!r} is not a valid Python identifier.")
    if name in RESERVED_SKILL_NAMES:
        raise _invalid(name, f"Reserved skill name: {name!r} is a method of skills.")
    if keyword.iskeyword(name):
        raise _invalid(name, f"Skill name {name!r} is a keyword of Python.")
    if name.startswith("_"):
        raise _invalid(name, f"Skill name {name!r} begins with an underscore.")


def skill_filename(name: str) -> str:
    """How tracebacks call the source of a skill."""
    return f"<skill:{name}>"


def compile_skill(name: str, source: str) -> Any:
    """Compile the source of a skill.

    Raises:
        SkillSyntaxError: The source is not Python.
    """
    try:
        check_depth(source)
        with warnings.catch_warnings(), WholeStack():
            warnings.simplefilter("ignore", SyntaxWarning)
            return compile(source, skill_filename(name), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise _syntax_error(error) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise _syntax_error(SyntaxError(str(error) or type(error).__name__)) from None


def _parse(name: str, source: str) -> ast.Module:
    # Compiled as well, for what only the compiler finds: a `return` outside of a function.
    compile_skill(name, source)
    with WholeStack():
        return ast.parse(source, skill_filename(name))


def _syntax_error(error: SyntaxError) -> SkillSyntaxError:
    where = f" (line {error.lineno})" if error.lineno else ""
    translated = SkillSyntaxError(f"Syntax error in skill code: {error.msg}{where}")
    translated.filename, translated.text = error.filename, error.text
    translated.lineno, translated.offset = error.lineno, error.offset
    translated.end_lineno, translated.end_offset = error.end_lineno, error.end_offset
    translated.namespace = "skills"
    return translated


def _invalid(name: str, message: str) -> SkillValidationError:
    error = SkillValidationError(message)
    error.namespace = "skills"
    error.details = {"skill_name": name}
    return error


def _find_run(tree: ast.Module) -> RunFunction | None:
    found = None
    for statement in _top_level(tree.body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            found = statement if statement.name == "run" else found
    return found


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run in the module's own scope, those under ``if`` and ``try`` too."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.TryStar | ast.With):
            yield from _top_level(statement.body)
        if isinstance(statement, ast.If | ast.Try | ast.TryStar):
            yield from _top_level(statement.orelse)
        if isinstance(statement, ast.Try | ast.TryStar):
            for handler in statement.handlers:
                yield from _top_level(handler.body)
            yield from _top_level(statement.finalbody)


def _parameters(run: RunFunction, source: str, doc: str) -> list[dict[str, Any]]:
    described = _parameter_docs(doc)
    positional = [*run.args.posonlyargs, *run.args.args]
    missing = len(positional) - len(run.args.defaults)
    defaults: list[ast.expr | None] = [*[None] * missing, *run.args.defaults, *run.args.kw_defaults]
    return [
        _parameter(argument, default, source, described)
        for argument, default in zip([*positional, *run.args.kwonlyargs], defaults, strict=True)
        if argument.arg not in NAMESPACE_PARAMETERS
    ]


def _parameter(
    argument: ast.arg, default: ast.expr | None, source: str, described: Mapping[str, str]
) -> dict[str, Any]:
    parameter: dict[str, Any] = {
        "name": argument.arg,
        "type": _json_type(argument.annotation),
        "description": described.get(argument.arg, ""),
        "required": default is None,
    }
    if default is not None:
        parameter["default"] = _default_value(default, source)
    return parameter


def _default_value(node: ast.expr, source: str) -> Any:
    try:
        value = ast.literal_eval(node)
        if json.loads(json.dumps(value, allow_nan=False)) == value:
            return value
    except ValueError, TypeError, RecursionError, MemoryError:
        pass
    return ast.get_source_segment(source, node) or ast.unparse(node)


_JSON_TYPES: Mapping[str, str] = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "List": "array",
    "Sequence": "array",
    "Iterable": "array",
    "dict": "object",
    "Dict": "object",
    "Mapping": "object",
}


def _json_type(annotation: ast.expr | None) -> str:
    match annotation:
        case ast.Constant(value=str() as text):
            return _json_type(_parsed_annotation(text))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _JSON_TYPES.get(name, "string")
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional")):
            return _json_type(annotation.slice)
        case ast.Subscript(value=value):
            return _json_type(value)
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _json_type(left)
        case ast.BinOp(left=ast.Constant(value=None), op=ast.BitOr(), right=right):
            return _json_type(right)
        case _:
            return "string"


def _parsed_annotation(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None


_SECTION = re.compile(r"^(\w[\w ]*):\s*$")
_PARAMETER_SECTIONS = frozenset({"args", "arguments", "parameters", "params", "keyword args"})
_ENTRY = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
_FIELD = re.compile(r"^:param\s+(?:[^:]*\s)?(\w+):\s*(.*)$")


def _parameter_docs(doc: str) -> dict[str, str]:
    """The ``Args:`` section of a docstring, or its ``:param name:`` fields, by parameter."""
    described: dict[str, list[str]] = {}
    current: list[str] | None = None
    entry_indent: int | None = None
    in_section = False
    for line in doc.splitlines():
        text, indent = line.strip(), len(line) - len(line.lstrip())
        section = _SECTION.match(line)
        field = _FIELD.match(text)
        if section is not None:
            in_section = section[1].lower() in _PARAMETER_SECTIONS
            current, entry_indent = None, None
        elif field is not None:
            current = described.setdefault(field[1], [field[2]])
            entry_indent = indent
        elif not text:
            current = current if in_section else None
        elif current is not None and entry_indent is not None and indent > entry_indent:
            current.append(text)
        elif in_section and indent > 0:
            entry = _ENTRY.match(text)
            current = None if entry is None else described.setdefault(entry[1], [entry[2]])
            entry_indent = indent
        else:
            current, in_section = None, False
    return {name: " ".join(part for part in parts if part) for name, parts in described.items()}


def _first_line(doc: str) -> str:
    return next((line.strip() for line in doc.splitlines() if line.strip()), "")


__all__ = [
    "NAMESPACE_PARAMETERS",
    "RESERVED_SKILL_NAMES",
    "check_skill_name",
    "compile_skill",
    "inspect_skill",
    "skill_filename",
]
