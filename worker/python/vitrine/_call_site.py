"""Whether a call is awaited where it is made.

The same call works plain (``text = tools.echo(text="hi")``, which waits) and
awaited (``text = await tools.echo(text="hi")``, which lets others run). A callee
cannot see that from its arguments, but the caller's bytecode says it: an awaited
call is followed by ``GET_AWAITABLE``.
"""

from __future__ import annotations

import opcode
from types import CodeType, FrameType

_CO_COROUTINE = 0x80
_CO_ASYNC_GENERATOR = 0x200
_AWAITING_CODE = _CO_COROUTINE | _CO_ASYNC_GENERATOR

_CACHE = opcode.opmap["CACHE"]
_GET_AWAITABLE = opcode.opmap["GET_AWAITABLE"]
_CALLS = frozenset(opcode.opmap[name] for name in ("CALL", "CALL_KW", "CALL_FUNCTION_EX"))
_CODE_UNIT = 2

_CACHED_CODES = 256
# By id, since hashing a code object walks all of it; the kept code keeps its id from being reused.
_known: dict[int, tuple[CodeType, dict[int, bool]]] = {}


def is_awaited(frame: FrameType) -> bool:
    """Tell whether the call that ``frame`` is making is the operand of an ``await``.

    Only the direct form counts. An awaitable that is to be kept, or handed to
    ``asyncio.gather``, comes from ``call_async``.
    """
    code = frame.f_code
    if not code.co_flags & _AWAITING_CODE:
        return False
    sites = _call_sites(code)
    answer = sites.get(frame.f_lasti)
    if answer is None:
        answer = sites[frame.f_lasti] = _next_is_await(code.co_code, frame.f_lasti)
    return answer


def _call_sites(code: CodeType) -> dict[int, bool]:
    entry = _known.get(id(code))
    if entry is None:
        if len(_known) >= _CACHED_CODES:
            _known.clear()
        entry = _known[id(code)] = (code, {})
    return entry[1]


def _next_is_await(bytecode: bytes, offset: int) -> bool:
    if offset < 0 or bytecode[offset] not in _CALLS:
        return False
    offset += _CODE_UNIT
    while offset < len(bytecode) and bytecode[offset] == _CACHE:
        offset += _CODE_UNIT
    return offset < len(bytecode) and bytecode[offset] == _GET_AWAITABLE
